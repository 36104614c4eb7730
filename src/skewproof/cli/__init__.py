# PYTHON_ARGCOMPLETE_OK
"""The command ``skewproof``, with a module per subcommand.

A subcommand is a module with two functions. ``add_arguments(parser)`` adds its description and its
arguments; ``run(options)`` returns an :class:`~skewproof.cli.shared.output.Output`. Only the module
of the called subcommand is imported, so that no subcommand waits for imports of another.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from importlib import import_module

from skewproof import __version__
from skewproof.cli.shared.messages import FLAG, by_option
from skewproof.cli.shared.output import print_text
from skewproof.core.extras import MissingExtraError
from skewproof.core.messages import exhausted, listed

COMMANDS = {
    "audit": ("audit", "show what imbalance does to a metric or a formula"),
    "find": ("find", "explain a name, and list other names of the same metric"),
    "explore": (
        "explore",
        "write an interactive page to change the imbalance and watch the metrics",
    ),
    "list": ("listing", "list the known metrics"),
    "score": ("score", "score the predictions in files"),
    "threshold": (
        "threshold",
        "choose a cut-off that meets requirements where the classifier will run",
    ),
    "decide": ("decide", "show the net benefit of acting on predicted probabilities"),
    "compare": (
        "compare",
        "split a difference between slices into parts due to prevalence and to the classifier",
    ),
    "watch": (
        "watch",
        "detect whether and since when a classifier has changed, apart from prevalence",
    ),
    "choose": (
        "choose",
        "choose a measure by the worth of a hit or by questions, and show the known facts about it",
    ),
    "plan": ("plan", "compute how many positives and negatives a study needs"),
    "plan-labels": (
        "without_labels.plan_labels",
        "choose which predictions to label, to estimate a metric where positives are rare",
    ),
    "score-labels": (
        "without_labels.score_labels",
        "estimate metrics of all predictions from the labels of the rows that plan-labels chose",
    ),
}
"""The subcommands in the order of ``skewproof --help``, each with its module and its line there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, which is 2 for invalid input, a missing library, or
    too little memory or disk space.

    If the shell runs the command for a completion, argcomplete completes the line and exits. It has
    to be installed and registered with the shell.
    """
    words: Iterable[str] = sys.argv[1:] if arguments is None else arguments
    completes = "_ARGCOMPLETE" in os.environ
    if completes:
        words = os.environ.get("COMP_LINE", "").split()
    parser = _parser(words)
    if completes:
        with contextlib.suppress(ModuleNotFoundError):
            import_module("argcomplete").autocomplete(parser)
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


def _parser(words: Iterable[str]) -> argparse.ArgumentParser:
    """Make the parser, in which only the first subcommand among the words has its arguments."""
    parser = argparse.ArgumentParser(
        prog="skewproof",
        description="Does a classification metric mean the same thing under class imbalance?",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    added = {name: commands.add_parser(name, help=line) for name, (_, line) in COMMANDS.items()}
    called = next((word for word in words if word in COMMANDS), None)
    if called is not None:
        module = import_module(f"skewproof.cli.{COMMANDS[called][0]}")
        command = added[called]
        module.add_arguments(command)
        command.add_argument("--json", action="store_true", help="print JSON")
        command.set_defaults(run=module.run, flags=frozenset(FLAG.findall(command.format_usage())))
    return parser
