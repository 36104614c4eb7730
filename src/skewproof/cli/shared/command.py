"""The class of all commands, which reads their options, prints their result and their errors."""

from __future__ import annotations

import logging
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Sequence
from types import SimpleNamespace
from typing import Any

import click
from click.shell_completion import CompletionItem

from skewproof.cli.shared.output import Result, TableFile, check_figure, print_result
from skewproof.core.extras import MissingExtraError
from skewproof.core.messages import UncertainRoleError, exhausted, listed

NEGATIVE = re.compile(r"-\.?[0-9]")
"""Beginning of a negative number, which is no option."""

FAILED, WRONG_COMMAND, FINDING, INTERRUPTED = 1, 2, 3, 130
"""Exit statuses: an error in a file, a column, an extra or memory; a wrong command line, which is
refused before files are read; a finding; and Ctrl-C, as shells count signals."""

READING = "skewproof.reading"
"""Key of a mark among the notes of a context: files are read from now on."""

UNFINISHED = "skewproof.unfinished"
"""Key of the option that takes the next word too, among the notes of a context."""


class Several(click.Option):
    """An option that takes all words up to the next option, and may be repeated."""


def option(declaration: str, help: str, **settings: Any) -> click.Option:
    """Make an option of its name and the name of its value, as the help shows them.

    It is a flag if it has no value. If the value ends with "...", it takes all words up to the next
    option.
    """
    name, _, value = declaration.partition(" ")
    if value.endswith("..."):
        return Several([name], multiple=True, metavar=value, help=help, **settings)
    return click.Option([name], metavar=value or None, is_flag=not value, help=help, **settings)


class Command(click.Command):
    """A command whose callback returns a :class:`~skewproof.cli.shared.output.Result`."""

    def __init__(
        self, name: str, *, example: str, exclusive: Sequence[tuple[str, str]] = (), **settings: Any
    ) -> None:
        super().__init__(name, **settings)
        self.example = example
        self.exclusive = exclusive
        """Pairs of options that exclude each other."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse words, of which an option of several values takes all up to the next option."""
        several = {
            name: option
            for option in self.params
            if isinstance(option, Several)
            for name in option.opts
        }
        words: list[str] = []
        name, values = "", 0
        for position, word in enumerate(args):
            if word == "--":
                words += args[position:]
                name = ""
                break
            if word.startswith("-") and word != "-" and not NEGATIVE.match(word):
                name, sign, _ = word.partition("=")
                values = len(sign)
            elif name in several:
                words += [name] if values else []
                values += 1
            words.append(word)
        ctx.meta[UNFINISHED] = several.get(name)
        rest = super().parse_args(ctx, words)
        for first, second in self.exclusive:
            names = [f"--{name.replace('_', '-')}" for name in (first, second)]
            if all(ctx.params[name] not in (None, False, ()) for name in (first, second)):
                raise click.UsageError(f"{' and '.join(names)}: expected only one of them", ctx)
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example."""
        with formatter.section("Example"):
            formatter.write(f"  {self.example}\n")

    def invoke(self, ctx: click.Context) -> int:
        """Run the command, print its result, and return the exit status."""
        code = FAILED
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                check_figure(ctx.params.get("figure"))
                result: Result = super().invoke(ctx)
                code = result.exit_code
                print_result(result, ctx.params)
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # Python flushes it at its end
        except (ValueError, KeyError, OSError, MemoryError, MissingExtraError) as error:
            said = error.args[0] if isinstance(error, KeyError) else error
            names = {name for option in self.params for name in option.opts}
            print_error(by_option(exhausted(error) or str(said), names))
            told = isinstance(error, ValueError | KeyError) and READING not in ctx.meta
            return WRONG_COMMAND if told or isinstance(error, UncertainRoleError) else FAILED
        for warning in caught:
            if issubclass(warning.category, UserWarning):  # no warnings for developers
                print_error(str(warning.message))
        return code


def mark_reading() -> None:
    """Note that files are read from now on, so that an error is no fault of the command line."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[READING] = True


def command(
    name: str,
    *params: click.Parameter,
    example: str,
    exclusive: Sequence[tuple[str, str]] = (),
) -> Callable[[Callable[[SimpleNamespace], Result]], Command]:
    """Make a command of a function of its options, whose docstring is the help.

    All commands have ``--json``, and those that have no ``--output`` get it.
    """

    def made(run: Callable[[SimpleNamespace], Result]) -> Command:
        def callback(**given: Any) -> Result:
            values = {
                key: list(value) if isinstance(value, tuple) else value
                for key, value in given.items()
            }
            return run(SimpleNamespace(**values))

        has_output = any(param.name == "output" for param in params)
        return Command(
            name,
            example=example,
            exclusive=exclusive,
            params=[*params, *([] if has_output else [OUTPUT]), JSON],
            callback=callback,
            help=run.__doc__,
        )

    return made


def run_command(program: click.Command, arguments: Sequence[str] | None, name: str) -> int:
    """Run a program by its name, with the arguments of the process if none are given, and return
    its exit status.
    """
    logging.getLogger("skewproof").addHandler(logging.NullHandler())  # cards have the same facts
    words = None if arguments is None else list(arguments)
    try:
        code: int | None = program.main(words, prog_name=name, standalone_mode=False)
    except click.UsageError as error:
        usage = f"{error.ctx.get_usage()}\n" if error.ctx else ""
        print_error(error.format_message(), before=usage)
        return WRONG_COMMAND
    except MissingExtraError as error:
        print_error(str(error))
        return FAILED
    except click.Abort:
        return INTERRUPTED
    except SystemExit:  # Click's answer if nothing reads the help
        return 0
    return code or 0


JSON = option("--json", "Print JSON.")

OUTPUT = option(
    "--output FILE",
    "Also write the table to this file: .csv, .parquet, or .json as --json prints it.",
    type=TableFile(),
)


def complete_keys(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the key of a metric."""
    from skewproof.metrics import METRICS  # takes longer than --help

    return [CompletionItem(key) for key in METRICS if key.startswith(incomplete)]


def complete_files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a file, or a further value of the option before it."""
    unfinished = ctx.meta.get(UNFINISHED)
    if unfinished is not None:
        return list(unfinished.shell_complete(ctx, incomplete))
    return [CompletionItem(incomplete, type="file")]


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
