"""Translation of the package's messages for the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection

from skewproof.core.messages import listed

ARGUMENT = re.compile(r"(?P<name>[a-z_]+)(?:\[(?P<part>[^\]]*)\])? = (?P<rest>.*)", re.DOTALL)
"""Pattern of a message that refuses an argument or a part of it."""

OTHER_NAMES = {
    "rng": "--seed",
    "sample_weight": "--weight",
    "thresholds": "--threshold",
    "y_pred": "--predicted",
    "y_prob": "--score",
}
"""Options whose name differs from that of their argument."""


def by_option(message: str, flags: Collection[str]) -> str:
    """Replace the argument in a message with the option of the command.

    Parameters
    ----------
    message
        A message of the package.
    flags
        The options of the command; an argument without an option keeps its name.

    Examples
    --------
    >>> by_option("row_id = 'y': expected different ids", ["--row-id"])
    "--row-id = 'y': expected different ids"
    >>> by_option("per = None: expected the number of instances", ["--per"])
    '--per is not given: expected the number of instances'
    >>> by_option("metric = 'f1': expected another metric", ["--per"])
    "metric = 'f1': expected another metric"
    """
    match = ARGUMENT.fullmatch(message)
    if match is None:
        return message
    name = match["name"]
    named = OTHER_NAMES.get(name, f"--{name.removeprefix('y_').replace('_', '-')}")
    if named not in flags:
        return message
    if named == "--by" and "--time" in flags:  # both define slices
        named = "--time or --by"
    if match["rest"].startswith("None: "):
        return f"{named} is not given: {match['rest'].removeprefix('None: ')}"
    part = "" if match["part"] is None else f" {match['part']}"
    return f"{named}{part} = {match['rest']}"


def print_error(message: str, *, before: str = "") -> None:
    """Print a message of at most 2 kB to standard error, below the usage of a command."""
    print(f"{before}skewproof: {listed(message.splitlines())}", file=sys.stderr)
