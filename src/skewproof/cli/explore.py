"""The command ``skewproof explore``."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from types import SimpleNamespace

import click

from skewproof.cli.shared.command import command, complete_keys, option
from skewproof.cli.shared.output import Result, written_whole
from skewproof.core.messages import shortened
from skewproof.explorer.page import explorer_page


@command(
    "explore",
    click.Argument(
        ["metric"],
        required=False,
        shell_complete=complete_keys,
        help="Metric to show first: a formula in tp, fp, fn, tn, P, N, or a key or name.",
    ),
    option("--at PREVALENCE", "Prevalence at which the page opens, such as 0.003 or 1:1000."),
    option("--output FILE", "Page to write.", type=Path, default=Path("explorer.html")),
    option("--no-browser", "Write the page without opening it."),
    example="skewproof explore f1 --at 1:1000",
)
def run(options: SimpleNamespace) -> Result:
    """Write an HTML page that needs no network, and open it in the browser."""
    path = options.output
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(
            f"--output {shortened(str(path))}: expected a file in a folder that exists"
        )
    page = explorer_page(options.metric, at=options.at)
    with written_whole(path) as partial:
        partial.write_text(page, encoding="utf-8")
    if not options.no_browser:
        webbrowser.open(path.resolve().as_uri())
    return Result(f"Wrote {path}\n", {"page": str(path)}, None)
