"""Every measure of the survey is examined: ten of many classes take half of the time."""

import pytest

from skewproof.audits.auditing import audit
from skewproof.audits.choosing.catalog import load_catalog, resolve
from skewproof.audits.choosing.evidence import evidence
from skewproof.core.metric import Metric

CATALOG = load_catalog()

WITHOUT_EVIDENCE = {
    "bleu", "dcg", "det_curve", "exact_match", "heq", "meteor", "rouge", "silhouette",
}  # fmt: skip
"""Measures that are unbounded, or not a function of a confusion matrix or of ranks of relevant
items."""


@pytest.mark.parametrize("key", sorted(CATALOG))
def test_evidence(key):
    entry = CATALOG[key]
    found = evidence(entry)
    if found is None:
        assert key in WITHOUT_EVIDENCE
        return
    assert key not in WITHOUT_EVIDENCE
    assert found.type in (1, 5)
    invariant = found.type == 5
    assert (found.condition_1 == "holds") == invariant
    assert (found.shift < 1e-12) == invariant
    many = (entry.function or "").startswith("skewproof.multiclass.measures:")
    assert (found.condition_2 is not None) == many
    assert (found.condition_3 is not None) == many
    if key == "average_accuracy":
        assert (found.condition_2, found.condition_3) == ("fails", "fails")
    function = resolve(entry.function)
    if isinstance(function, Metric) and not entry.examined:
        assert found.shift == audit(function).sigma[-1]["mean_shift"]
