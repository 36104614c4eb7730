"""The command ``skewproof``, with a module per subcommand.

The module of a subcommand has it as ``run``, a :class:`~skewproof.cli.shared.command.Command`. Only
the module of the called subcommand is imported, so that no subcommand waits for imports of another.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from skewproof import __version__
from skewproof.cli.shared.command import run_command

COMMANDS = {
    "inspect": ("inspect", "Say what files of predictions can answer, and how."),
    "audit": ("audit", "Show what imbalance does to a metric or a formula."),
    "find": ("find", "Explain a name, and list other names of the same metric."),
    "explore": ("explore", "Write an interactive page to change the imbalance."),
    "list": ("listing", "List the known metrics."),
    "score": ("score", "Score the predictions in files."),
    "report": ("report", "Write a page to read before a classifier is shipped."),
    "threshold": ("threshold", "Choose a cut-off that meets requirements in deployment."),
    "decide": ("decide", "Show the net benefit of acting on probabilities."),
    "compare": ("compare", "Compare models on the same instances."),
    "explain-change": ("explain_change", "Split differences between slices by their causes."),
    "watch": ("watch", "Detect whether and since when a classifier has changed."),
    "printed": (
        "printed",
        "Find the matrices behind printed scores, or prove that none exist.",
    ),
    "choose": ("choose", "Choose a measure by the worth of a hit or by questions."),
    "plan": ("plan", "Compute how many positives and negatives a study needs."),
    "plan-labels": ("without_labels.plan_labels", "Choose which predictions to label."),
    "score-labels": ("without_labels.score_labels", "Estimate metrics from some labels."),
}
"""The subcommands in the order of ``skewproof --help``, each with its module and its line there."""


def _is_file(word: str) -> bool:
    """Return True for a word that is a file or looks like one."""
    return word == "-" or os.path.exists(word) or bool({*word} & {*"./*?["})


class Commands(click.Group):
    """The subcommands, each of which is imported when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse words; files and options of ``inspect`` without a command's name are for it."""
        of_group = args[:1] in ([], ["--help"], ["--version"])
        if not of_group and args[0] not in COMMANDS and (_is_file(args[0]) or args[0][:2] == "--"):
            args = ["inspect", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: D102
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: D102
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"skewproof.cli.{COMMANDS[cmd_name][0]}").run
        return command

    def format_commands(  # noqa: D102
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names without importing the subcommands."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        names = (name for name in COMMANDS if name.startswith(incomplete))
        return [*(CompletionItem(name, help=COMMANDS[name][1]) for name in names), *options]


@click.group(
    cls=Commands,
    commands=dict.fromkeys(COMMANDS),
    invoke_without_command=True,
    context_settings={"show_default": True},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def skewproof(context: click.Context) -> None:
    """Does a classification metric mean the same thing under class imbalance?"""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    It is 0 if nothing was found, 1 for an error in a file or a column, a missing extra, or too
    little memory or disk space, 2 for a wrong command line, which is refused before files are read,
    and 3 for a finding that a script may want to act on, such as a cut-off that cannot be promised.
    """
    return run_command(skewproof, arguments, "skewproof")
