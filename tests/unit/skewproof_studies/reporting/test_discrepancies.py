"""The report of a paper's discrepancies, which has only those that the evidence shows."""

from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies


def test_what_is_not_shown_is_not_in_the_report():
    texts = {"printed": "p < q.", "meant": "q & p.", "evidence": "0.5."}
    found = [Discrepancy(place=f"Eq. {one}", shown=one != 2, **texts) for one in (1, 2, 3)]
    text = report_of_discrepancies(found, title="a paper", kind="it errs")
    assert "This report lists 2 places where it errs." in text
    assert "## 2. Eq. 3\n" in text
    assert "Eq. 2" not in text
