"""Broken configs: each is accepted, or refused in a short message and a short time.

``python tests/fuzz/configs.py --cases 100000 --seed 1`` tries 100,000 and prints the failures. They
are then added to tests/unit/skewproof_studies/test_config.py.
"""

import argparse
import collections
import copy
import functools
import random
import sys
import tempfile
import time
from pathlib import Path

import yaml

from skewproof_studies.config import ConfigError, check_config, refuse_duplicate_keys

PROJECT = Path(__file__).parents[2]
TEXT = (PROJECT / "config/paper.yaml").read_text(encoding="utf-8")
SECONDS = 2
BYTES = 2000

SCALARS = (
    *(None, True, False, 0, 1, -1, 2, 3, 10, 64, 1.0, 10.0, 0.5, -0.0, 1e-320, 1e300, 10**19),
    2**63,
    *(float("nan"), float("inf"), float("-inf"), 10**400, -(10**5000)),
    *("", " ", "1", "1:1", "1:2", "1:0", "2:2", "1:99999999999999999999", "1:" + "9" * 5000),
    "1:1\n",
    *("omit", "error", "paper", "f1", "png", "iris", "digits", "D1", "tp/fp", "tp/P", "mine.py:f"),
    *(".", "..", "../x", "/", "a/b", "a\x00b", "a\tb", "\u202e", "\ud800", "é" * 70, "x" * 100_000),
    *("https://[", "http://host", "file:///etc/passwd", "https://host/\n", "{level}", "{", "}}"),
    "%s",
    *("a" * 40, "0" * 40, "0" * 40 + "\n", "A" * 64, "!!python/name:os.system", "<<", "*a", "\\"),
    "'",
)
"""Values that stand where others are expected."""

PIECES = (
    *(":", "- ", "\n", "  ", "\t", "{", "}", "[", "]", ",", "#", "&a ", "*a", "<<: *a", "!!", "|"),
    ">",
    *("!!python/object:os.system ", "!!binary ", "!!set ", "!!timestamp x", "!!int ''", "!!bool x"),
    *("%YAML 9.9\n", "---\n", "...\n", "? ", "@", "`", '"', "'", '"\\ud800"', "\ufeff", "\x00"),
    "\x85",
    *("2001-13-01", "1:59:59", "0x", "0b2", "1_000", ".nan", "-.inf", "1e999", "~", "yes", "="),
    "[[1]]: 2",
    *("- &b [*b]", "x: &c {x: *c}", "__use_yte__: true", "? f1: 1\n", "9" * 5000, "[" * 400),
    "{a: " * 400,
    *("x: 1\nx: 2\n", "seed: 1\n", "levels: null\n", "a" * 3000, "é" * 300),
)
"""Pieces that are put into the text."""


@functools.cache
def plain():
    """Return the config without changes."""
    return yaml.safe_load(TEXT)


def shared_lists(depth):
    """Write YAML of a list of 9 lists of 9 lists and so on, with aliases."""
    lines = ["a0: &a0 [" + ", ".join("123456789") + "]"]
    for level in range(1, depth + 1):
        lines.append(f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * 9) + "]")
    return "\n".join([*lines, f"levels: *a{depth}", ""])


def mutated_text(chance):
    """Cut, double, move or insert a few pieces in the text of the config."""
    lines = [line for line in TEXT.split("\n") if not line.lstrip().startswith("#")]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        place = chance.randrange(len(lines))
        line = lines[place]
        column = chance.randrange(len(line) + 1)
        match chance.randrange(7):
            case 0:
                lines[place] = line[:column] + chance.choice(PIECES) + line[column:]
            case 1:
                lines.insert(place, line)
            case 2:
                del lines[place]
            case 3:
                lines[place] = line[:column]
            case 4:
                lines[place] = " " * chance.randrange(4) + line
            case 5:
                lines.insert(place, chance.choice(PIECES))
            case 6:
                lines[place] = line[:column] + chr(chance.randrange(0x11000)) + line[column + 1 :]
    text = "\n".join(lines)
    return text + shared_lists(chance.randrange(9)) if chance.random() < 0.01 else text


def containers(value):
    """List every list and mapping in a value, once even if it is shared or contains itself."""
    found = {id(value): value}
    waiting = [value]
    while waiting:
        one = waiting.pop()
        for part in one.values() if isinstance(one, dict) else one:
            if isinstance(part, dict | list) and id(part) not in found:
                found[id(part)] = part
                waiting.append(part)
    return list(found.values())


def junk(chance):
    """Draw a value of an unexpected type."""
    match chance.randrange(12):
        case 0:
            return []
        case 1:
            return {}
        case 2:
            return [junk(chance) for _ in range(chance.randrange(4))]
        case 3:
            return {chance.choice(("f1", "levels", "D1", 5, None, 1.5)): junk(chance)}
        case 4:
            return [chance.choice(SCALARS)] * chance.choice((1, 2, 50, 3000))
        case _:
            return chance.choice(SCALARS)


def key_junk(chance):
    return chance.choice(
        ("f1", "x", "seed", "X" * 300, "a\nb", "a.b", "a\u202eb", "", 5, None, True, 1.5, (1, 2))
    )


def mutated_value(chance):
    """Replace, remove, repeat or wrap a few values or keys of the config."""
    config = copy.deepcopy(plain())
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        place = chance.choice(containers(config))
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = chance.choice(keys) if keys else None
        choice = chance.randrange(8)
        if key is None or choice == 0:
            if isinstance(place, dict):
                place[key_junk(chance)] = junk(chance)
            else:
                place.append(junk(chance))
        elif choice == 1:
            del place[key]
        elif choice == 2:
            place[key] = [place[key]]
        elif choice == 3:
            place[key] = chance.choice((config, place, chance.choice(containers(config))))
        elif choice == 4 and isinstance(place[key], int | float):
            place[key] = chance.choice((-1, 0, 0.1, 1.0, 10, 1e6, 1e18)) * float(place[key])
        elif choice == 5 and isinstance(place, dict):
            place[key_junk(chance)] = place.pop(key)
        else:
            place[key] = junk(chance)
    return config


def mutant(seed, number):
    """Make a broken config, a text or a value, which is the same each time."""
    chance = random.Random(f"{seed} {number}")
    return mutated_text(chance) if number % 2 else mutated_value(chance)


def as_snakemake_reads(text):
    """Read the text of a config with the loader that Snakemake has, or return None if it falls."""
    try:
        config = yaml.load(text, yaml.FullLoader)
    except Exception:
        return None
    return config if isinstance(config, dict) else None


def check(mutant):
    """Check a mutant and return "accepted", "refused" or, if YAML can't be read, "unreadable".

    Raises
    ------
    AssertionError
        If its message is longer than 2 kB, or it took more than 2 seconds.
    """
    config = as_snakemake_reads(mutant) if isinstance(mutant, str) else mutant
    if config is None:
        return "unreadable"
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".yaml") as file:
        if isinstance(mutant, str):
            file.write(mutant)
            file.flush()
        began = time.perf_counter()
        try:
            if isinstance(mutant, str):
                refuse_duplicate_keys(file.name)
            config = check_config(config)
            outcome = "accepted"
        except ConfigError as error:
            message = str(error)
            outcome = "refused"
            assert len(message.encode("utf-8")) <= BYTES, f"a message of {len(message)} characters"
            assert "\n  " in message or "line " in message, f"no fault named: {message}"
        seconds = time.perf_counter() - began
    assert seconds <= SECONDS, f"took {seconds:.1f} s"
    if outcome == "accepted":
        yaml.safe_dump(config)
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts, longest = collections.Counter(), 0.0
    for number in range(options.cases):
        began = time.perf_counter()
        try:
            outcome = check(mutant(options.seed, number))
        except Exception as error:
            outcome = "fell"
            text = f"{type(error).__name__}: {error}"
            print(f"seed {options.seed}, number {number}: {text[:300]!a}")
        counts[outcome] += 1
        longest = max(longest, time.perf_counter() - began)
    print(f"{options.cases} configs: {dict(counts)}; longest {longest:.2f} s")
    return 1 if counts["fell"] else 0


if __name__ == "__main__":
    sys.exit(main())
