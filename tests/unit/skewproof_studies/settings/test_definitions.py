"""Functions from files that are not functions of a confusion matrix, refused in one sentence."""

import sys

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.levels import Level
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof_studies.settings.definitions import read_definition

IMPORTED = {
    "raise RuntimeError('no')": "RuntimeError: no",
    "def f(c:": "SyntaxError: '(' was never closed",
    "import sys; sys.exit(3)": "SystemExit: 3",
    "class E(BaseException): pass\nraise E('out')": "E: out",
    "x = '\0'": "SyntaxError: source code",
    "import no_such_module": "ModuleNotFoundError: No module named 'no_such_module'",
    "raise ValueError('x' * 10**6)": "ValueError: xxxxx",
}

CALLED = {
    "raise RuntimeError('no')": "fails on confusion matrices: RuntimeError: no",
    "import sys; sys.exit('out')": "fails on confusion matrices: SystemExit: out",
    "raise GeneratorExit": "fails on confusion matrices: GeneratorExit",
    "raise type('E', (Exception,), {'__str__': lambda self: exit(3)})": "matrices: E",
    "raise type('E', (Exception,), {'__str__': lambda self: 1/0})": "matrices: E",
    "return type('R', (), {'__repr__': lambda self: 1/0})()": "gives a R that can't be shown",
    "return f(c)": "fails on confusion matrices: RecursionError: maximum recursion depth",
    "return c.tpr + 0j": "gives array([0.75      +0.j, 0.16666667+0.j]), an ndarray of complex128",
    "return 'abc'": "gives 'abc', a str: expected a NumPy array of real numbers",
    "return None": "gives None, a NoneType",
    "return list(c.tpr)": "a list: expected a NumPy array",
    "return np.array(['a', 'b'])": "an ndarray of <U1",
    "return c.tpr.astype(object)": "an ndarray of object",
    "return np.ma.array(c.tpr)": "a MaskedArray of float64",
    "import pandas; return pandas.Series(c.tpr)": "a Series: expected a NumPy array",
    "return c.tpr[:1]": "gives the shape (1,) for matrices of the shape (2,)",
    "return c.tp.sum()": "gives the shape () for matrices of the shape (2,)",
    "return c.tpr[::-1].T if c.tp.ndim == 1 else c.tpr.T": "for matrices of the shape (2, 3)",
    "x = c.tp; x += 1; return c.tpr": "changes tp of the matrix",
    "x = c.positives; x += 1; return c.tpr": "changes positives of the matrix",
    "object.__setattr__(c, 'fn', c.tp); return c.tpr": "changes fn of the matrix",
    "c.rates.tp[0] = 0; return c.tnr": "changes tpr of the matrix",
    "c.tp = 3; return c.tpr": "FrozenInstanceError: cannot assign to field 'tp'",
    "CALLS.append(0); return c.tpr * len(CALLS)": "gives [0.75, 0.16666666666666666], and [1.5,",
    "return c.tpr + np.random.random()": "the second time: expected the same values",
}


def refused(tmp_path, source, function="f"):
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(FormulaError) as caught:
        read_definition("own", f"{path}:{function}")
    message = str(caught.value)
    assert str(path)[:60] in message
    assert "\n" not in message
    assert len(message.encode()) < 2000
    return message


@pytest.mark.parametrize(("source", "message"), IMPORTED.items())
def test_what_can_t_be_imported(tmp_path, source, message):
    assert f"mine.py can't be imported: {message}" in refused(tmp_path, source)


@pytest.mark.parametrize(("body", "message"), CALLED.items())
@pytest.mark.slow
def test_what_is_no_function_of_a_matrix(tmp_path, body, message):
    source = f"import numpy as np\n\nCALLS = []\n\n\ndef f(c):\n    {body}\n"
    found = refused(tmp_path, source)
    assert message in found
    assert "mine.py:f" in found


def test_names_of_files_and_functions(tmp_path):
    assert "mine.py has no function g" in refused(tmp_path, "def f(c): return c.tpr", "g")
    assert "mine.py has no function f" in refused(tmp_path, "f = 3")
    for file in ("absent.py", "a\0.py", "x" * 5000 + ".py", "..py"):
        with pytest.raises(FormulaError, match="there is no file") as caught:
            read_definition("own", f"{file}:f")
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("body", ["c.tpr", "c.tp / c.positives", "c.tp > c.fp", "c.fpr"])
def test_good_functions(tmp_path, body):
    (tmp_path / "mine.py").write_text(f"def f(c):\n    'Its text.'\n    return {body}\n")
    metric = read_definition("own", f"{tmp_path}/mine.py:f")
    matrix = ConfusionMatrix(tp=[9.0, 1.0], fp=4.0, fn=3.0, tn=20.0)
    assert metric.formula.__doc__ == "Its text."
    expected = {"c.tp > c.fp": [1, 0], "c.fpr": [4 / 24, 4 / 24]}.get(body, [9 / 12, 1 / 4])
    np.testing.assert_allclose(metric(matrix), expected, rtol=1e-15)


def test_a_file_s_later_errors_name_it_too(tmp_path):
    (tmp_path / "mine.py").write_text("def f(c):\n    return c.tpr if c.tp.size < 9 else 1 / 0\n")
    metric = read_definition("own", f"{tmp_path}/mine.py:f")
    with pytest.raises(FormulaError, match=r"mine.py:f fails .*: ZeroDivisionError"):
        metric(ConfusionMatrix(tp=np.ones(9), fp=1, fn=1, tn=1))


def test_whether_sizes_matter_is_undecided_for_a_function_that_fails_on_symbols(tmp_path):
    """A function that behaves like one of NumPy's own."""
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\n\ndef least(c):\n    return np.fmin(c.tpr, c.tnr)\n"
    )
    metric = read_definition("own", f"{tmp_path}/mine.py:least")
    assert float(metric(ConfusionMatrix(tp=50, fp=75, fn=50, tn=25))) == 0.25
    assert invariance(metric, Level(1, 2), Level(1, 1), 100).verdict == "undecided"


def test_the_keyboard_still_interrupts(tmp_path):
    (tmp_path / "mine.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        read_definition("own", f"{tmp_path}/mine.py:f")
    assert "mine" not in sys.modules
