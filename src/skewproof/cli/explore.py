"""The command ``skewproof explore``."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from skewproof.cli.shared.completion import offer_keys
from skewproof.cli.shared.output import Output, as_json
from skewproof.core.messages import shortened
from skewproof.explorer.page import explorer_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command and add its arguments."""
    parser.description = "Write an HTML page that needs no network, and open it in the browser."
    offer_keys(
        parser.add_argument(
            "metric",
            nargs="?",
            help="metric to show first: a formula in tp, fp, fn, tn, P, N, or a key or name",
        )
    )
    parser.add_argument(
        "--at",
        metavar="PREVALENCE",
        help="prevalence at which the page opens, such as 0.003 or 1:1000",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("explorer.html"),
        metavar="FILE",
        help="file to write; default: explorer.html",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="write the page without opening it"
    )


def run(options: argparse.Namespace) -> Output:
    """Write the page and open it."""
    path = options.output
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(
            f"--output {shortened(str(path))}: expected a file in a folder that exists"
        )
    path.write_text(explorer_page(options.metric, at=options.at), encoding="utf-8")
    if not options.no_browser:
        webbrowser.open(path.resolve().as_uri())
    if options.json:
        return Output(as_json({"page": str(path)}))
    return Output(f"Wrote {path}\n")
