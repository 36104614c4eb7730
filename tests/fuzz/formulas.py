"""Hostile formulas: each is read, or refused with a FormulaError, in 2 s and in 2 kB.

    python tests/fuzz/formulas.py --cases 100000 --seed 1

prints how many were read and refused, and each that is neither; its exit code is then 1.
"""

from __future__ import annotations

import argparse
import pickle
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType

from skewproof.core.formulas.metrics import FormulaError, parse_metric
from skewproof_studies.settings.own_metrics import resolved

SECONDS = 2.0
"""Processor time for a text; the whole check of a config has as much."""

HANGS = 30
"""Seconds after which a text is given up."""

LONGEST_MESSAGE = 2000
"""Bytes."""

VALID = [
    "tp/P",
    "2*tp/(2*tp + fn + fp)",
    "(tp*tn - fp*fn)/sqrt((tp+fp)*P*N*(tn+fn))",
    "(tp + tn)/(P + N) - abs(tn/N - tp/P)/(tn/N + tp/P)",
    "max(min(tp*N, tn*P), fn*N)/(P*N)",
    "exp(-fp/N)*log(1 + tp/P)",
    "(tp/P)**(1/3) - 0.25*(fp/N)**2",
    "1.26e-9*tp/P + 1e-10*fp/N",
]
"""Valid formulas that are changed by a character or a word."""

WORDS = [
    *("tp", "fp", "fn", "tn", "P", "N", "sqrt", "abs", "log", "exp", "min", "max", "sqrt(", "log("),
    *("exp(", "min(", "max(", "+", "-", "*", "/", "**", "(", ")", ",", " ", "0", "1", "2", "0.5"),
    *("-1", "16", "1e12", "1e-12", "1e-300", "1e300", "0.001", "1e999", "0x10", "1_000", "1j", "."),
    *("**-1", "**16", "**-16", "**0.5", "**0.001", "0**-1", "/0", "0*", "-tp", "tp-tp", "fp/fn"),
    *("True", "None", "lambda", "tpr", "TP", "__import__", "==", "<", "if", "[", "]", "{", "}"),
    *("'", '"', "\\", ";", ":", ":=", "#", "%", "//", "^", "~", "@", "\n", "\t", "\r", "\0"),
    "\x1b",
    *("ｔｐ", "p", "ｐ", "Ρ", "tр", "×", "−", "√", "²", "½", "٣", "\u200b", "\xa0", "\ufeff"),
    *("é", "e\u0301", "\U0001d461", "\ud800", "🙂"),
]
"""Inserted texts: parts of formulas and of Python, numbers at the limits, look-alike characters."""

SYMBOLS = ["tp", "fp", "fn", "tn", "P", "N"]


def texts(cases: int, seed: int) -> Iterator[str]:
    """Make a number of texts that depends on the seed alone; one of a hundred is long."""
    random = Random(seed)
    short = [mutated, words, lambda r: tree(r, r.randint(1, 5))]
    for _ in range(cases):
        yield random.choice(short if random.random() < 0.99 else [long, deep])(random)


def mutated(random: Random) -> str:
    """Change some characters and words of a valid formula."""
    text = random.choice(VALID)
    for _ in range(random.randint(1, 4)):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice([0, 0, 1, 1, 2, 5]))
        new = random.choice(
            [random.choice(WORDS), text[start:end] * 2, "", chr(random.randint(1, 255))]
        )
        text = text[:start] + new + text[end:]
    return text


def words(random: Random) -> str:
    """Join words in random order."""
    return random.choice(["", " "]).join(random.choices(WORDS, k=random.randint(0, 12)))


def number(random: Random) -> str:
    """Draw a number of any size that a formula may have, or sometimes a larger one."""
    power = random.choice([0, 0, 1, -1, 6, -6, 12, -12, -100, -300, -320, 13, 300])
    return random.choice([str(random.randint(0, 20)), f"{random.uniform(0, 10):.3g}e{power}", "0"])


def tree(random: Random, depth: int) -> str:
    """Draw a random expression that is well-formed, though not always meaningful."""
    if depth == 0:
        return number(random) if random.random() < 0.25 else random.choice(SYMBOLS)
    left, right = (tree(random, random.randint(0, depth - 1)) for _ in range(2))
    exponent = random.choice(["2", "-1", "0.5", "(1/3)", "-0.001", "16", "0", number(random)])
    return random.choice(
        [
            *(f"({left} {sign} {right})" for sign in "++--**//"),
            *(f"{name}({left}, {right})" for name in ("min", "max")),
            *(f"{name}({left})" for name in ("sqrt", "abs", "log", "exp")),
            f"({left})**{exponent}",
            f"-{left}",
            f"{left}/({right} - {right})",
        ]
    )


def long(random: Random) -> str:
    """Write up to 12,000 characters: a sum, product or list of the same or of different parts."""
    length, sign = random.choice([3000, 9990, 12000]), random.choice("+-*/")
    depth = random.randint(0, 3)
    part = tree(random, depth)
    parts = []
    while sum(map(len, parts)) + len(parts) < length - 60:
        parts.append(part if random.random() < 0.5 else tree(random, depth)[:50])
        if random.random() < 0.5:
            parts += [part] * ((length - 60) // (len(part) + 1) // 4)
    return sign.join(parts)[:length]


def deep(random: Random) -> str:
    """Write up to 12,000 characters of nested parts."""
    length = random.choice([400, 3000, 9990, 12000])
    start, end = random.choice(
        [
            *(("(", ")"), ("-", ""), ("+", ""), ("-+", ""), ("sqrt(", ")"), ("exp(-", ")")),
            *(("log(1+", ")"), ("abs(fp-", ")"), ("tp*fp+(", ")"), ("1/(", "+tp)"), ("2*(", "/3)")),
            *(("min(tp,", ")"), ("max(", ",fn)"), ("(", ")**2"), ("(", ")**0.5"), ("2**-", "")),
            *(("exp(", ")"), ("tp**", ""), ("((", ")"), ("min(", ",")),
        ]
    )
    times = length // (len(start) + len(end)) - 2
    return start * times + random.choice(["tp", "tp/P", "fp-fp", ""]) + end * times


class _HangError(BaseException):
    """A text took too long."""


@contextmanager
def _given_up(seconds: int) -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        raise _HangError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _read(text: str) -> None:
    metric = parse_metric(text, key="own")
    assert pickle.loads(pickle.dumps(metric)) == metric


def _checked_as_a_config_s(text: str) -> None:
    resolved({"own": text})


def fault(text: str, seconds: float = SECONDS) -> str | None:
    """Describe a fault in how a text is read or refused, or return None."""
    outcomes = (_outcome(way, text, seconds) for way in (_read, _checked_as_a_config_s))
    return next((wrong for _, wrong in outcomes if wrong), None)


def _outcome(
    way: Callable[[str], None], text: str, seconds: float = SECONDS
) -> tuple[str, str | None]:
    """Return "read" or "refused", and the fault if there is one."""
    start = time.process_time()
    outcome = "read"
    try:
        with _given_up(HANGS), warnings.catch_warnings():
            warnings.simplefilter("error")
            way(text)
    except FormulaError as error:
        outcome = "refused"
        size = len(str(error).encode("utf-8", "replace"))
        if size > LONGEST_MESSAGE:
            return outcome, f"a message of {size} bytes"
    except _HangError:
        return outcome, f"more than {HANGS} s"
    except BaseException as error:
        return outcome, f"{type(error).__name__}: {str(error)[:200]}"
    taken = time.process_time() - start
    return outcome, None if taken <= seconds else f"{taken:.1f} s"


def main() -> int:
    """Try the requested number of texts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    slowest = 0.0
    for text in texts(options.cases, options.seed):
        for way in (_read, _checked_as_a_config_s):
            start = time.process_time()
            outcome, wrong = _outcome(way, text)
            slowest = max(slowest, time.process_time() - start)
            counts[f"{outcome}, {'parse_metric' if way is _read else 'as a config'}"] += 1
            if wrong:
                counts["failures"] += 1
                print(f"{wrong}: {len(text)} characters, {text[:300]!r}", flush=True)
            if wrong or outcome == "refused":
                break
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")
    print(f"slowest: {slowest:.2f} s of the processor")
    return 1 if counts["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
