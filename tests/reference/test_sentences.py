"""The sentences of results, all on one page, to be read aloud after a change.

``python tests/reference/test_sentences.py`` writes sentences.txt again.
"""

import textwrap
from pathlib import Path

import numpy as np
import pandas as pd

import skewproof as sp

WRITTEN = Path(__file__).with_name("sentences.txt")


def said():
    """Pair calls with what their results say; the first model calls more positive in month 8."""
    random = np.random.default_rng(7)
    y = (random.random(4000) < 0.1).astype(int)
    scores, others = random.normal(1.5 * y), random.normal(1.2 * y)
    month = np.repeat([5, 6, 7, 8], 1000)
    called = (scores > np.where(month == 8, 0.5, 1)).astype(int)
    called_by_others = (others > 1).astype(int)
    p = 1 / (1 + np.exp(3.3 - 1.5 * scores))
    who = random.integers(0, 400, 4000)
    counts = sp.count_slices(
        pd.DataFrame({"y": y, "p": called, "month": month}), y_true="y", y_pred="p", by="month"
    )
    for at in ("population", "test set", 0.001, "1:1000", "12/4000", "0.001..0.01", "beta(2, 500)"):
        yield f'interval("f1", y, called, at={at!r})', sp.interval("f1", y, called, at=at)
    yield 'interval("f1", y, called, groups=who)', sp.interval("f1", y, called, groups=who)
    yield 'area_interval("auc", y, scores)', sp.area_interval("auc", y, scores)
    for at in ("population", "1:1000"):
        yield (
            f'compare("f1", y, called, called_by_others, at={at!r})',
            sp.compare("f1", y, called, called_by_others, at=at),
        )
    yield 'compare("auc", y, scores, others)', sp.compare("auc", y, scores, others)
    yield 'best_threshold("f1", y, scores)', sp.best_threshold("f1", y, scores)
    for require in ("recall >= 0.5", "precision >= 0.05", "precision >= 0.9"):
        yield (
            f'choose_threshold(y, scores, at="1:100", require={require!r})',
            sp.choose_threshold(y, scores, at="1:100", require=require),
        )
    yield "calibration_error(y, p)", sp.calibration_error(y, p)
    changes = sp.explain_change(counts, metrics=["f1", "recall"], reference={"month": 5})
    for row in changes.itertuples():
        yield f"explain_change(counts, ...), {row.metric} in month {row.month}", row.sentence
    yield (
        'watch_drift(counts, time="month")',
        sp.watch_drift(counts, time="month", metrics="f1").verdict,
    )
    yield (
        'plan("f1", tpr=0.8, fpr=0.05, at=0.01, width=0.2)',
        sp.plan("f1", tpr=0.8, fpr=0.05, at=0.01, width=0.2, rng=1).sentence,
    )


def page():
    lines = {call: textwrap.fill(str(result), 96) for call, result in said()}
    parts = [f"{call}\n{textwrap.indent(text, '    ')}" for call, text in lines.items()]
    return "\n\n".join(parts) + "\n"


def test_results_say_what_is_written():
    assert page() == WRITTEN.read_text()


if __name__ == "__main__":
    WRITTEN.write_text(page())
