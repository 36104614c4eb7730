import io

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from skewproof.reporting.style import STYLE
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.provenance import made_by


def drawn():
    figure = Figure(figsize=(2, 2), layout="constrained")
    axes = figure.subplots()
    axes.set(xlabel="far $x$", ylabel="long name\nof two lines", title="$10^{-3}$")
    axes.plot([1e-3, 1], [2, 1])
    return figure


@pytest.mark.slow
def test_a_figure_is_what_matplotlib_saves_itself(tmp_path):
    with matplotlib.rc_context(STYLE):
        drawn().savefig(file := io.BytesIO(), format="png")
        figure = drawn()
    paths = [str(tmp_path / name) for name in ("figure.png", "figure.pdf", "again.png")]
    write_figure(figure, paths, "seed 1")
    expected = np.asarray(Image.open(file))
    for path in (paths[0], paths[2]):
        assert np.array_equal(np.asarray(Image.open(path)), expected)
    assert Image.open(paths[0]).text["Comment"] == "seed 1"


@pytest.mark.slow
def test_the_same_figure_is_the_same_file_with_its_origin_and_no_date(tmp_path):
    kinds = ("png", "pdf", "svg")
    for name in ("one", "two"):
        with matplotlib.rc_context(STYLE):
            figure = drawn()
        write_figure(figure, [str(tmp_path / f"{name}.{kind}") for kind in kinds], "seed 3")
    for kind in kinds:
        first, second = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("one", "two"))
        assert first == second
        assert b"seed 3" in first
        assert made_by().encode() in first
