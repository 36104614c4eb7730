import copy
import io
import json

import numpy as np
import pytest

from skewproof.cli import main
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.multiclass import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.practice.audit import audit
from skewproof.sensitivity.ranges import LEVELS
from skewproof.studies.survey.catalog import CatalogError, load_catalog, read_yaml
from skewproof.studies.survey.choosing import choose, leaves, load_tree, parse_tree, recommend
from skewproof.studies.survey.choosing_figure import tree_figure
from skewproof.studies.survey.evidence import RANKING, evidence
from skewproof.studies.survey.ranking_imbalance import ranking_shifts
from skewproof.studies.survey.two_clusters import CLUSTER_MEASURES

MEASURES, TREE = load_catalog(), load_tree()
LEAVES = list(leaves(TREE))

WITHOUT_EVIDENCE = {
    "bleu", "dcg", "det_curve", "exact_match", "heq", "meteor", "rouge", "silhouette",
}  # fmt: skip
"""What is no function of one confusion matrix or of the ranks of relevant items, or unbounded."""

ARGUMENTS = ["choose", "--answer", "problem=classification", "--answer", "balance=imbalanced"]
TO_MCC = [*ARGUMENTS, "--answer", "classes=two", "--answer", "goal=overall"]


def found_at(**answers):
    for way, advice in LEAVES:
        if way == answers:
            return recommend(way, advice)
    raise AssertionError(answers)


def test_every_leaf_is_reached_by_its_answers():
    assert len(LEAVES) == 28
    for answers, advice in LEAVES:
        found = choose(TREE, lambda question, answers=answers: answers[question.key])
        assert found == (answers, advice)


def test_the_trees_have_every_measure_that_is_advised():
    """All of Sections 2 to 4 but complements, micro averages, and what stands for both."""
    named = {key for _, advice in LEAVES for key in advice.measures}
    without = {key for key, one in MEASURES.items() if one.problem in ("clustering", "ranking")}
    assert without <= named
    assert set(MEASURES) - named == {
        "error_rate", "false_discovery_rate", "false_positive_rate", "false_negative_rate",
        "micro_precision", "micro_recall",
    }  # fmt: skip


def test_the_tree_of_ranking_is_the_printed_one():
    """Its text: Type-1 P@k AP@k, Type-2 R@k, Emphasizing High Ranking MRR nDCG DCG."""
    (_, ranking) = TREE.answers["ranking"]
    found = {}
    for answers, advice in leaves(ranking):
        found.setdefault(answers["goal"], set()).update(advice.measures)
    assert found == {
        "false-positives": {"precision_at_k", "average_precision_at_k"},
        "false-negatives": {"recall_at_k"},
        "high-ranks": {"mean_reciprocal_rank", "ndcg", "dcg"},
    }


@pytest.mark.parametrize("key", sorted(MEASURES))
def test_evidence_is_that_of_the_audit(key):
    found = evidence(MEASURES[key])
    if found is None:
        assert key in WITHOUT_EVIDENCE
        return
    assert key not in WITHOUT_EVIDENCE
    assert found.type in (1, 5)
    invariant = found.type == 5
    assert (found.condition_1 == "holds") == invariant
    assert (found.shift < 1e-12) == invariant
    if key in METRICS and MEASURES[key].function == f"skewproof.metrics:{key}":
        assert found.shift == audit(METRICS[key]).sigma[-1]["mean_shift"]
        assert LEVELS[-1] == "1:1000"


def test_conditions_2_and_3_are_those_of_indices_of_many_classes():
    for key, measure in MEASURES.items():
        found = evidence(measure)
        many = (measure.function or "").startswith("skewproof.multiclass.measures:")
        if found is not None:
            assert (found.condition_2 is not None) == many, key
            assert (found.condition_3 is not None) == many, key
    accuracy = evidence(MEASURES["average_accuracy"])
    assert (accuracy.condition_2, accuracy.condition_3) == ("fails", "fails")


def test_the_survey_is_contradicted_on_mcc_and_auc_pr():
    overall = found_at(
        problem="classification", balance="imbalanced", classes="two", goal="overall"
    )
    assert [found.type for _, found in overall.measures.values()] == [1, 1, 1]
    assert len(overall.warnings) == 3
    assert "MCC is among the most reliable" in overall.to_markdown()
    assert "it is of Type 1. From 1:1 to 1:1000 its value moves by 0.16" in overall.warnings[0]
    area = found_at(
        problem="classification", balance="imbalanced", classes="two", goal="positive-class"
    )
    (warning,) = area.warnings
    assert "(examined: precision_recall_mean, the area of a single threshold)" in warning
    assert area.measures["auc_pr"][1].shift == pytest.approx(
        audit(METRICS["precision_recall_mean"]).sigma[-1]["mean_shift"]
    )


def test_no_warning_where_nothing_is_contradicted():
    fine = found_at(
        problem="classification", balance="imbalanced", classes="two", goal="each-class"
    )
    assert fine.warnings == []
    assert "**Warning.**" not in fine.to_markdown()
    balanced = found_at(
        problem="classification", balance="balanced", classes="two", error="both", thresholds="one"
    )
    assert balanced.measures["f1"][1].type == 1
    assert balanced.warnings == []


def test_the_surveys_balanced_accuracy_of_many_classes_is_moved_though_that_of_two_is_not():
    many = evidence(MEASURES["multiclass_balanced_accuracy"])
    assert (many.type, many.condition_1) == (1, "fails")
    rates = np.random.default_rng(1).dirichlet(np.ones(3), (100_000, 3))
    equal, imbalanced = (
        MEASURES["auroc_ova"](MulticlassConfusionMatrix(rates * np.array(sizes)[:, np.newaxis]))
        for sizes in ([1, 1, 1], [1, 1000, 1000])
    )
    assert many.shift == pytest.approx(np.abs(imbalanced - equal).mean(), rel=0.05)
    two = evidence(MEASURES["balanced_accuracy"])
    assert (two.type, two.condition_1) == (5, "holds")


def test_clusters_are_examined_as_tables():
    found = evidence(MEASURES["adjusted_rand"])
    assert found.shift == audit(CLUSTER_MEASURES["adjusted_rand"]).sigma[-1]["mean_shift"]


def test_the_h_measure_is_examined_at_one_threshold():
    found = evidence(MEASURES["h_measure"])
    assert found.examined == "h_of_one_threshold, the case of a single threshold"
    assert (found.type, found.condition_1) == (1, "fails")
    assert found.shift == pytest.approx(0.1, abs=0.001)


def test_rankings_are_examined_as_lists():
    found = evidence(MEASURES["precision_at_k"])
    assert (found.type, found.condition_1) == (1, "fails")
    assert found.examined == "lists of 10010 items on average, k = 10, binormal scores"
    table = ranking_shifts(RANKING, [Level(1, 1), Level(1, 1000)], Level(1, 1))
    assert found.shift == table.loc[table["measure"] == "precision_at_k", "mean_shift"].iloc[-1]


def run(capsys, monkeypatch, *arguments, typed=""):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(arguments)
    return code, *capsys.readouterr()


def test_answers_on_the_command_line(capsys, monkeypatch):
    code, output, errors = run(capsys, monkeypatch, *TO_MCC)
    assert (code, errors) == (0, "")
    assert output.startswith("# Matthews correlation coefficient")
    assert output.count("**Warning.**") == 3
    code, output, _ = run(capsys, monkeypatch, *TO_MCC, "--json")
    assert code == 0
    found = json.loads(output)
    assert found["answers"]["goal"] == "overall"
    assert [one["evidence"]["type"] for one in found["measures"]] == [1, 1, 1]


def test_questions_on_the_terminal(capsys, monkeypatch):
    typed = "ranking\n 9\nfalse_negatives\nfalse-negatives\n"
    code, output, errors = run(capsys, monkeypatch, "choose", typed=typed)
    assert code == 0
    assert output.startswith("# recall@k")
    assert "What does the model do?\n  1. classification: assigns" in errors
    assert "goal = '9': expected one of false-positives, false-negatives, high-ranks" in errors
    assert "goal = 'false_negatives'" in errors
    assert "did you mean 'false-negatives'?" in errors
    by_number = run(capsys, monkeypatch, "choose", typed="3\n2\n")
    assert by_number[:2] == (code, output)


def test_what_is_answered_is_not_asked(capsys, monkeypatch):
    arguments = ["choose", "--answer", "problem=ranking"]
    code, output, errors = run(capsys, monkeypatch, *arguments, typed="2\n")
    assert (code, "problem?" in errors) == (0, False)
    assert output.startswith("# recall@k")


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        (["problem=rankin"], "", "problem = 'rankin': expected one of classification, clustering,"
         " ranking, domain; did you mean 'ranking'?"),
        (["problem"], "", "--answer problem: expected QUESTION=ANSWER"),
        (["problem=ranking", "problem=domain"], "", "expected one answer to a question"),
        (["problem=domain", "data=images", "goal=overall"], "", "goal: not asked here; the"
         " questions were problem, data"),
        ([], "", "no answer to problem: expected one of classification, clustering"),
        (["problem=ranking"], "nothing\n", "no answer to goal: expected one of false-positives"),
    ],
)  # fmt: skip
def test_bad_answers(capsys, monkeypatch, arguments, typed, message):
    options = [part for answer in arguments for part in ("--answer", answer)]
    code, output, errors = run(capsys, monkeypatch, "choose", *options, typed=typed)
    assert (code, output) == (2, "")
    assert f"skewproof: {message}" in errors or message in errors


def changed(change):
    data = copy.deepcopy(read_yaml("choosing.yaml"))
    return change(data) or data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda data: data.pop("questions") and None,
            "the file has tree: expected questions, tree",
        ),
        (lambda data: [1], r"the file has \[1\]: expected questions, tree"),
        (
            lambda data: data["tree"]["answers"]["ranking"].update(question="gaol"),
            r"tree.ranking: no question 'gaol'; did you mean 'goal'\?",
        ),
        (
            lambda data: (
                data["tree"]["answers"]["domain"]["answers"]["images"].pop("source") and None
            ),
            "tree.domain.images has text, measures, advice: expected text, measures",
        ),
        (
            lambda data: data["tree"]["answers"]["domain"]["answers"]["images"].update(
                measures=["iou"]
            ),
            "tree.domain.images: no measure 'iou'",
        ),
        (
            lambda data: data | {"tree": data["tree"]["answers"]["domain"]["answers"]["images"]},
            "tree is advice: expected a question",
        ),
        (
            lambda data: data["tree"]["answers"].update(regression=None),
            "tree.regression has None: expected text, measures",
        ),
    ],
)
def test_bad_trees(change, message):
    with pytest.raises(CatalogError, match=message):
        parse_tree(changed(change), MEASURES)


def test_figure_has_every_answer_and_measure():
    (_, branch) = TREE.answers["clustering"]
    keys = {key for _, advice in leaves(branch) for key in advice.measures}
    figure = tree_figure(branch, MEASURES, {key: evidence(MEASURES[key]) for key in keys})
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"known", "unknown", "corrected", "uncorrected", "instances", "pairs"} <= set(texts)
    assert {MEASURES[key].name for key in keys} <= set(texts)
    shift = evidence(MEASURES["adjusted_rand"]).shift
    assert f"{shift:.2f}" in texts
