"""The report on clusterings and rankings."""

from skewproof.studies.survey.report import survey_report


def test_report(cluster_tables, ranking_tables, model):
    text = survey_report(*cluster_tables, *ranking_tables, model=model)
    assert "Lists of 60 items on average with binormal scores, k = 5." in text
    assert "| purity          | 0.75" in text
    assert "sampled indices beside them in `cluster_indices.csv`" in text


def test_sampled_indices_far_from_the_exact_ones_are_named(cluster_tables, ranking_tables, model):
    indices, shifts = cluster_tables
    far = indices.assign(sampled_s1=2.0, sampled_st=indices["st"])
    text = survey_report(far, shifts, *ranking_tables, model=model)
    assert (
        "Of the 48 sampled indices beside them in `cluster_indices.csv` 24 are within 4 standard"
        " errors; the others are purity 1:1 smaller s1, purity 1:1 larger s1" in text
    )
    far.loc[1:, "sampled_s1"] = indices["s1"]
    text = survey_report(far, shifts, *ranking_tables, model=model)
    assert "47 are within 4 standard errors; the other is purity 1:1 smaller s1. Standard" in text
    exact = far.assign(sampled_s1=indices["s1"])
    text = survey_report(exact, shifts, *ranking_tables, model=model)
    assert "`cluster_indices.csv` 48 are within 4 standard errors.\n" in text
