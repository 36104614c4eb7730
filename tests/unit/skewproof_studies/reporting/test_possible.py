"""Printed scores that are possible together, or not."""

from skewproof_studies.reporting.possible import possible_scores


def test_rows_with_and_without_a_matrix():
    # 85 of 100 and 186 of 200 are 271 of 300; a specificity of .95 would be 190.
    scores = {"accuracy": "0.9033", "recall": "0.85"}
    table = possible_scores(
        [
            ("first", scores, (100, 200)),
            ("second", scores | {"specificity": "0.95"}, (100, 200)),
            ("third", {"recall": "0.850", "specificity": "0.333"}, (100, 200)),
        ]
    )
    assert table["matrices"].tolist() == [1, 0, 0]
    assert table["printed"].tolist() == [2, 3, 2]
    assert table["possible without"].tolist() == [
        "",
        "accuracy, recall, specificity",
        "specificity",
    ]
