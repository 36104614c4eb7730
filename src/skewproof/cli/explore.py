"""The command ``skewproof explore``."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from skewproof.cli.completion import offer_keys
from skewproof.cli.output import Commands, Output, as_json
from skewproof.core.messages import shortened


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser(
        "explore",
        help="a page in which one moves the imbalance",
        description="Write one HTML page that needs no network, and open it in the browser.",
    )
    offer_keys(
        parser.add_argument(
            "metric",
            nargs="?",
            help="shown first: a formula in tp, fp, fn, tn, P, N, or a metric's key or name",
        )
    )
    parser.add_argument(
        "--at",
        metavar="PREVALENCE",
        help="of deployment, at which the page opens: 0.003 or 1:1000",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("explorer.html"),
        metavar="FILE",
        help="default: explorer.html",
    )
    parser.add_argument("--no-browser", action="store_true", help="write it only")
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> Output:
    """Write the page and open it."""
    path = options.output
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(
            f"--output {shortened(str(path))}: expected a file in a folder that exists"
        )
    from skewproof.practice.explorer.page import explorer_page

    path.write_text(explorer_page(options.metric, at=options.at), encoding="utf-8")
    if not options.no_browser:
        webbrowser.open(path.resolve().as_uri())
    if options.json:
        return Output(as_json({"page": str(path)}))
    return Output(f"{path} is written\n")
