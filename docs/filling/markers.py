"""Numbers on the pages, each with its name beside it: ``239<!-- van_zyl.exact -->``.

A reader does not see the comment. ``python docs/filling/markers.py`` says where a page has another
number than ``values.csv``, and exits with 1; with ``--fill`` it writes the number there, with as
many decimals as the page has. ``--results results`` computes the values anew from a run of the
targets, study by study as far as its tables are there.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).parents[2]
STORED = Path(__file__).with_name("values.csv")

MARKED = re.compile(
    r"(?<![\w.])(?P<shown>(?:[-+]?\d+(?: \d{3})*(?:\.\d+)?(?:e-?\d+)?|[A-Za-z]+)(?P<percent> %)?)"
    r"<!-- (?P<name>[a-z_]+\.[a-z0-9_.]+) -->"
)

WORDS = (
    "none one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)


def pages() -> list[Path]:
    """Return every page that is written by hand."""
    docs = PROJECT / "docs"
    of_reference = (f"reference/{name}" for name in ("cards", "atlas", "api"))
    made = {docs / folder for folder in ("_build", "jupyter_execute", "gallery", *of_reference)}
    found = (path for path in docs.rglob("*.md") if made.isdisjoint(path.parents))
    return [PROJECT / "README.md", *sorted(found)]


def read(page: Path) -> str:
    """Read a page."""
    return page.read_text(encoding="utf-8")


def as_shown(value: float, shown: str, *, percent: bool = False) -> str:
    """Write a value in the manner of what a page shows: its decimals, power of ten, or a word."""
    value = 100 * value if percent else value
    number = shown.removesuffix(" %")
    if number.isalpha():
        words, whole = WORDS.split(), round(value)
        word = words[whole] if 0 <= whole < len(words) else str(whole)
        text = word.capitalize() if number[0].isupper() else word
    else:
        mantissa, power, _ = number.partition("e")
        decimals = len(mantissa.partition(".")[2])
        sign = "+" if number[0] == "+" else "-"
        grouping = "," if " " in number else ""
        text = f"{value:{sign}z{grouping}.{decimals}{'e' if power else 'f'}}".replace(",", " ")
        text = re.sub(r"e([-+])0*(\d)", r"e\1\2", text).replace("e+", "e")
    return f"{text} %" if percent else text


def filled(text: str, values: Mapping[str, float]) -> str:
    """Write each value beside its name; what has another name stays."""

    def value(found: re.Match[str]) -> str:
        shown, name = found["shown"], found["name"]
        if name not in values:
            return found[0]
        number = as_shown(values[name], shown, percent=bool(found["percent"]))
        return f"{number}<!-- {name} -->"

    return MARKED.sub(value, text)


def other_numbers(text: str, values: Mapping[str, float]) -> list[str]:
    """Say of each number that is not the value of its name which it should be."""
    faults = [
        f"{name} is no name in {STORED.name}"
        for name in sorted({found["name"] for found in MARKED.finditer(text)} - set(values))
    ]
    if not faults:
        both = zip(MARKED.finditer(text), MARKED.finditer(filled(text, values)), strict=True)
        faults = [
            f"{there['shown']} where {there['name']} is {should['shown']}"
            for there, should in both
            if there["shown"] != should["shown"]
        ]
    return faults


def stored_values() -> dict[str, float]:
    """Read what the last run of each study gave."""
    with STORED.open(encoding="utf-8") as file:
        return {name: float(value) for name, value in csv.reader(file)}


def store(results: Path) -> None:
    """Compute what pages name of every study whose tables are there, and keep the others."""
    from values import VALUES  # slow to import, and not needed to check the pages

    named = {found["name"] for page in pages() for found in MARKED.finditer(read(page))}
    kept = stored_values() if STORED.exists() else {}
    for study, compute in VALUES.items():
        try:
            found = compute(results)
        except FileNotFoundError as missing:
            print(f"{study}: as it was, without {missing.filename}")
            continue
        kept = {name: value for name, value in kept.items() if not name.startswith(f"{study}.")}
        kept |= {f"{study}.{name}": float(value) for name, value in found.items()}
    with STORED.open("w", encoding="utf-8", newline="") as file:
        rows = ((name, f"{kept[name]:.12g}") for name in sorted(named & set(kept)))
        csv.writer(file, lineterminator="\n").writerows(rows)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=Path, help="the folder of a run, to compute values from")
    parser.add_argument("--fill", action="store_true", help="write the values into the pages")
    options = parser.parse_args()
    if options.results:
        store(options.results)
    values = stored_values()
    faults = []
    for page in pages():
        text = read(page)
        new = filled(text, values) if options.fill else text
        if new != text:
            page.write_text(new, encoding="utf-8")
        faults += [f"{page.relative_to(PROJECT)}: {one}" for one in other_numbers(new, values)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
