"""SALib's numbers and the package's, compared."""

import pandas as pd
import pytest

from skewproof_studies.van_zyl.salib.agreement import (
    AGREEMENT_COLUMNS,
    DisagreementError,
    refuse_disagreement,
    salib_agreement,
)


def indices(s1=0.25, s1_skewproof=0.25, s1_conf=0.02, s1_conf_salib=0.02):
    return pd.DataFrame(
        {
            "metric": "f1",
            "level": "1:10",
            "input": ["tp", "fp"],
            "s1": [s1, 0.5],
            "s1_skewproof": [s1_skewproof, 0.5],
            "s1_conf_skewproof": [s1_conf, 0.01],
            "s1_conf_salib": [s1_conf_salib, 0.01],
        }
    )


def test_every_quantity_has_a_row_and_its_difference():
    agreement = salib_agreement(indices(s1_skewproof=0.3))
    assert list(agreement) == AGREEMENT_COLUMNS
    assert agreement[["input", "quantity"]].to_numpy().tolist() == [
        ["tp", "s1"], ["fp", "s1"], ["tp", "s1_conf"], ["fp", "s1_conf"],
    ]  # fmt: skip
    assert agreement["difference"].to_list() == pytest.approx([0.05, 0, 0, 0])


def test_half_widths_that_salib_did_not_compute_have_no_row():
    agreement = salib_agreement(indices(s1_conf_salib=float("nan")))
    assert agreement["quantity"].to_list() == ["s1", "s1", "s1_conf"]


@pytest.mark.parametrize(
    ("difference", "own", "refused"),
    [(9e-13, [], False), (2e-12, [], True), (2e-12, ["f1"], False), (2e-8, ["f1"], True)],
)
def test_a_difference_too_large_is_refused(difference, own, refused):
    for column in ("s1_skewproof", "s1_conf"):
        start = {"s1_skewproof": 0.25, "s1_conf": 0.02}[column]
        agreement = salib_agreement(indices(**{column: start + difference}))
        if not refused:
            refuse_disagreement(agreement, own)
            continue
        name = column.removesuffix("_skewproof")
        with pytest.raises(DisagreementError, match=rf"{name}\(tp\) of f1 at 1:10 is 0\.\d+"):
            refuse_disagreement(agreement, own)


def test_a_missing_number_agrees_with_nothing():
    for missing in ("s1", "s1_skewproof"):
        with pytest.raises(DisagreementError, match="nan"):
            refuse_disagreement(salib_agreement(indices(**{missing: float("nan")})), [])
