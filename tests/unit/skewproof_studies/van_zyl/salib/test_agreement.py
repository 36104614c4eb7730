"""SALib's numbers and the package's, compared."""

import pandas as pd
import pytest

from skewproof_studies.van_zyl.salib.agreement import (
    AGREEMENT_COLUMNS,
    DisagreementError,
    refuse_disagreement,
    salib_agreement,
)


def indices(**changes):
    first = {"s1": 0.25, "s1_skewproof": 0.25, "s1_conf_skewproof": 0.02, "s1_conf_salib": 0.02}
    second = {"s1": 0.5, "s1_skewproof": 0.5, "s1_conf_skewproof": 0.01, "s1_conf_salib": 0.01}
    table = pd.DataFrame([first | changes, second])
    return table.assign(metric="f1", level="1:10", input=["tp", "fp"])


def test_every_quantity_has_a_row_and_its_difference():
    agreement = salib_agreement(indices(s1_skewproof=0.3))
    assert list(agreement) == AGREEMENT_COLUMNS
    assert agreement[["input", "quantity"]].to_numpy().tolist() == [
        ["tp", "s1"], ["fp", "s1"], ["tp", "s1_conf"], ["fp", "s1_conf"],
    ]  # fmt: skip
    assert agreement["difference"].to_list() == pytest.approx([0.05, 0, 0, 0])
    without = salib_agreement(indices(s1_conf_salib=float("nan")))
    assert without["quantity"].to_list() == ["s1", "s1", "s1_conf"]


@pytest.mark.parametrize(
    ("difference", "own", "refused"),
    [(9e-13, [], False), (2e-12, [], True), (2e-12, ["f1"], False), (2e-8, ["f1"], True)],
)
@pytest.mark.parametrize(("quantity", "start"), [("s1", 0.25), ("s1_conf", 0.02)])
def test_a_difference_too_large_is_refused(difference, own, refused, quantity, start):
    agreement = salib_agreement(indices(**{f"{quantity}_skewproof": start + difference}))
    if refused:
        with pytest.raises(DisagreementError, match=rf"{quantity}\(tp\) of f1 at 1:10 is 0\.\d+"):
            refuse_disagreement(agreement, own)
    else:
        refuse_disagreement(agreement, own)


def test_a_missing_number_agrees_with_nothing():
    for missing in ("s1", "s1_skewproof"):
        with pytest.raises(DisagreementError, match="nan"):
            refuse_disagreement(salib_agreement(indices(**{missing: float("nan")})), [])
