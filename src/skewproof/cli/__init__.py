# PYTHON_ARGCOMPLETE_OK
"""The command ``skewproof``, with a module per subcommand.

A subcommand is a module with two functions. ``add_to(commands)`` makes its parser and sets ``run``;
``run(options)`` returns an :class:`~skewproof.cli.shared.output.Output`. Imports for the work
itself are within ``run``, so that no command waits for imports of another.
"""

from __future__ import annotations

import argparse
import logging
import sys
import warnings
from collections.abc import Sequence

from skewproof import __version__
from skewproof.cli import (
    audit,
    choose,
    compare,
    decide,
    explore,
    find,
    listing,
    plan,
    score,
    threshold,
    watch,
)
from skewproof.cli.shared.completion import complete
from skewproof.cli.shared.messages import FLAG, by_option
from skewproof.cli.shared.output import print_text
from skewproof.cli.without_labels import plan_labels, score_labels
from skewproof.core.extras import MissingExtraError
from skewproof.core.messages import exhausted, listed

COMMANDS = (
    *(audit, find, explore, listing, score, threshold, decide, compare, watch),
    *(choose, plan, plan_labels, score_labels),
)
"""The commands, in the order of ``skewproof --help``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, which is 2 for invalid input, a missing library, or
    too little memory or disk space."""
    parser = _parser()
    complete(parser)
    return run_command(parser.parse_args(arguments))


def run_command(options: argparse.Namespace) -> int:
    """Run the chosen subcommand, print its output, and return the exit code."""
    logging.getLogger("skewproof").addHandler(logging.NullHandler())  # cards have the same facts
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            output = options.run(options)
            print_text(output.text)
    except (ValueError, KeyError, OSError, MemoryError, MissingExtraError) as error:
        message = exhausted(error) or str(error.args[0] if isinstance(error, KeyError) else error)
        message = by_option(message, getattr(options, "flags", ()))
        print(f"skewproof: {listed(message.splitlines())}", file=sys.stderr)
        return 2
    for warning in caught:
        if issubclass(warning.category, UserWarning):  # no warnings for developers
            print(f"skewproof: {listed(str(warning.message).splitlines())}", file=sys.stderr)
    return int(output.exit_code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skewproof",
        description="Does a classification metric mean the same thing under class imbalance?",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        added = command.add_to(commands)
        added.add_argument("--json", action="store_true", help="print JSON")
        added.set_defaults(flags=frozenset(FLAG.findall(added.format_usage())))
    return parser
