"""A sample of the hostile formulas of tests/fuzz/formulas.py, which detects faults.

Time is limited by :data:`fuzz.formulas.HANGS` here, since other tests share the processor and its
memory; the script itself measures it.
"""

import time

import pytest

from fuzz import formulas
from skewproof.core.formulas.metrics import FormulaError


@pytest.mark.slow
def test_every_text_is_read_or_refused():
    random = formulas.Random(0)
    large = [make(random) for make in (formulas.long, formulas.deep) for _ in range(3)]
    assert sum(len(text) > 9000 for text in large) > 2
    texts = [*formulas.texts(100, seed=0), *large]
    faults = {text: fault for text in texts if (fault := formulas.fault(text, formulas.HANGS))}
    assert not faults


def test_the_same_seed_gives_the_same_texts():
    once, again, other = (list(formulas.texts(50, seed)) for seed in (1, 1, 2))
    assert once == again != other


def raises(error):
    def read(text, *, key):
        raise error

    return read


def takes_its_time(text, *, key):
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (raises(OverflowError("too large")), "OverflowError: too large"),
        (raises(SystemExit(1)), "SystemExit: 1"),
        (raises(FormulaError("é" * 1001)), "a message of 2002 bytes"),
        (takes_its_time, "0.0 s"),
    ],
)
def test_what_is_wrong_is_told(monkeypatch, read, message):
    monkeypatch.setattr(formulas, "parse_metric", read)
    monkeypatch.setattr(formulas.pickle, "dumps", lambda metric: b"")
    monkeypatch.setattr(formulas.pickle, "loads", lambda text: None)
    assert formulas.fault("tp", 0.01) == message
