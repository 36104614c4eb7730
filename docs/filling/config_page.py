"""The README of the config: every key with its default and comment in ``config/paper.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

PROJECT = Path(__file__).parents[2]
PAPER = PROJECT / "config/paper.yaml"
PAGE = PROJECT / "config/README.md"

LONGEST_DEFAULT = 80
"""Characters of a default that a line has; longer ones are in the file."""

HEAD = """\
# The config

`config.yaml` at the top of the project has every setting of the studies. Edit this file.
It is checked before anything runs; an error names the key, its value and what is expected.
`paper.yaml` in this folder is the config that reproduces the papers. Tests and pages use
it, so do not edit it. To return to it, copy it to `config.yaml`, or run with it:
`.venv/bin/snakemake --cores all --configfile config/paper.yaml`.

`make docs` writes this page from the comments of `paper.yaml`.
"""


class Key(NamedTuple):
    """A key of the config."""

    path: str
    depth: int
    comment: str


def keys(text: str) -> Iterator[Key]:
    """Return every key of a config with its path, and the comment above it or beside it."""
    above: list[str] = []
    parents: list[str] = []
    for line in text.splitlines():
        if comment := re.fullmatch(r" *# ?(.*)", line):
            above.append(comment[1].strip())
        elif key := re.match(r"( *)([\w-]+):[^#]*(?:# ?(.*))?", line):
            depth = len(key[1]) // 2
            parents[depth:] = [key[2]]
            beside = [key[3]] if key[3] else []
            yield Key(".".join(parents), depth, " ".join(above + beside))
            above = []
        else:
            above = []


def default(config: dict[str, Any], path: str) -> str:
    """Return the value of a key as YAML on one line, or nothing if it is long or has keys."""
    value: Any = config
    for part in path.split("."):
        value = value[part]
    if isinstance(value, dict) and value:
        return ""
    text = (
        yaml.safe_dump(value, default_flow_style=True, width=10_000).removesuffix("...\n").strip()
    )
    return f" (`{text}`)" if len(text) <= LONGEST_DEFAULT else ""


def config_page() -> str:
    """Return the page, in Markdown."""
    text = PAPER.read_text(encoding="utf-8")
    config = yaml.safe_load(text)
    lines = [HEAD]
    for key in keys(text):
        said = f": {key.comment}" if key.comment else ""
        if key.depth == 0:
            lines.append(f"\n**`{key.path}`**{default(config, key.path)}{said}\n")
        elif key.comment or key.depth == 1:
            lines.append(f"- `{key.path}`{default(config, key.path)}{said}\n")
    return "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(config_page(), encoding="utf-8")
