"""A sample of the hostile formulas of tests/fuzz/formulas.py, which detects faults.

Time is limited by :data:`fuzz.formulas.HANGS` here, since other tests share the processor and its
memory; the script itself measures it.
"""

import pytest

from fuzz import formulas


@pytest.mark.slow
def test_every_text_is_read_or_refused():
    random = formulas.Random(0)
    large = [make(random) for make in (formulas.long, formulas.deep) for _ in range(3)]
    assert sum(len(text) > 9000 for text in large) > 2
    texts = [*formulas.texts(100, seed=0), *large]
    faults = {text: fault for text in texts if (fault := formulas.fault(text, formulas.HANGS))}
    assert not faults
