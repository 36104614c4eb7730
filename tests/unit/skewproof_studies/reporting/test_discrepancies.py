"""The report of a paper's discrepancies, which has only those that the evidence shows."""

from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies


def place(number, *, shown):
    return Discrepancy(
        place=f"Eq. {number}", printed="p < q.", meant="q & p.", evidence="0.5.", shown=shown
    )


def test_the_whole_text_of_a_report():
    found = [place(1, shown=True), place(2, shown=False), place(3, shown=True)]
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


def test_without_sources_the_sentence_goes_on():
    text = report_of_discrepancies([], title="a paper", kind="it errs")
    assert (
        "0 places where it errs. Each number below is computed when the report is made. A place"
        in text
    )
