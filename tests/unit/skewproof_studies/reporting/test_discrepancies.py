"""The report of a paper's discrepancies, which has only those that the evidence shows."""

from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies


def test_the_whole_text_of_a_report():
    texts = {"printed": "p < q.", "meant": "q & p.", "evidence": "0.5."}
    found = [Discrepancy(place=f"Eq. {one}", shown=one != 2, **texts) for one in (1, 2, 3)]
    text = report_of_discrepancies(
        found, title="a paper", kind="it errs", sources=", from its digits", meant="So"
    )
    assert text == (
        "# Discrepancies in a paper\n\nThis report lists 2 places where it errs. Each number below"
        " is computed when the report is made, from its digits. A place that the numbers do not"
        " confirm is left out.\n"
        "\n## 1. Eq. 1\n\n- Printed: p < q.\n- So: q & p.\n- Evidence: 0.5.\n"
        "\n## 2. Eq. 3\n\n- Printed: p < q.\n- So: q & p.\n- Evidence: 0.5.\n"
    )
    without_sources = report_of_discrepancies([], title="a paper", kind="it errs")
    sentence = "0 places where it errs. Each number below is computed when the report is made. A "
    assert sentence in without_sources
