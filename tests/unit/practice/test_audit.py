import json

import numpy as np
import pytest
from known_values import INVARIANT

from skewproof.cli import main
from skewproof.core.formulas import FormulaError, parse_metric
from skewproof.metrics import METRICS
from skewproof.practice.audit import audit, audit_figure, identities, undefined_edges
from skewproof.sensitivity.ranges import normalized_range


@pytest.mark.parametrize("key", sorted(METRICS))
def test_every_registered_metric_has_a_card(key):
    card = audit(METRICS[key])
    invariant = key in INVARIANT
    assert card.type == (5 if invariant else 1)
    assert {row["verdict"] for row in card.invariance} == {"same" if invariant else "differs"}
    low, high = METRICS[key].bounds
    assert low <= card.low < card.high <= high
    assert np.isfinite([card.low, card.high]).all() == np.isfinite([low, high]).all()
    assert f"equals {key}" not in card.identities
    assert key not in {row["metric"] for row in card.nearest}
    correlations = [abs(row["rank_correlation"]) for row in card.nearest]
    assert correlations == sorted(correlations, reverse=True)
    assert all(row["s1_tp"] is not None for row in card.indices)
    json.loads(json.dumps(card.to_dict(), allow_nan=False))
    assert card.to_markdown().startswith(f"# {key}\n")


def test_ranges():
    assert normalized_range(METRICS["laplace"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert audit("tp/P - fp/N").low == -1
    # u (1 - u) is largest inside the square.
    assert audit("tp*fn/P**2").high == 0.25
    card = audit("(2*tp/P - 1)**2 + fp/N")
    assert (card.low, card.high) == (0, 2)


def test_the_normalized_formula_is_that_of_the_paper():
    """Eq. 46: L_i = 3 (rates' Laplace estimate) - 1."""
    assert audit("(tp + 1)/(tp + fp + 2)").normalized_latex == (
        r"\frac{3 \left(\Phi_{t_p} + 1\right)}{\Phi_{f_p} + \Phi_{t_p} + 2} - 1"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tp/P", []),
        ("tp/(tp + fp)", ["tp = 0 and fp = 0"]),
        ("(tp/(tp+fp) + tn/(tn+fn))/2", ["tp = 0 and fp = 0", "tp = P and fp = N"]),
        ("tp/P + 0*fp/fp", ["fp = 0"]),
    ],
)
def test_where_it_is_undefined(text, expected):
    assert undefined_edges(parse_metric(text, key="own")) == expected


def test_identities_are_found():
    assert identities(METRICS["cohen_kappa_i"]) == [
        "equals balanced_accuracy",
        "equals 0.5·youden_j +0.5",
        "equals -1·balanced_error_rate +1",
    ]
    youden = identities(parse_metric("tp/P + tn/N - 1", key="own"))
    assert "equals 2·balanced_accuracy -1" in youden
    assert identities(parse_metric("tp/P*tn", key="own")) == []


def test_a_kink_on_the_diagonal_is_resolved_and_another_said():
    assert audit("max(tp/P, tn/N)").indices[0]["s1_tp"] == pytest.approx(0.4)
    assert audit("abs(tp/P - fp/N)").indices[0]["s1_tp"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tp/fp", "metric is unbounded above at 1:1, near tp/P = 1 and fp/N = 3.41e-22"),
        ("log(tp/P)", "metric is unbounded below at 1:1"),
        ("sqrt(tp/P - fp/N)", "metric is undefined inside the square"),
    ],
)
def test_unbounded_and_undefined_metrics(text, message):
    with pytest.raises(FormulaError, match=message):
        audit(text)


def test_the_figure_is_scaled():
    figure = audit_figure(parse_metric("tp/P - fp/N", key="own"))
    assert [axes.get_title() for axes in figure.axes[:5]] == [
        "1:1", "1:2", "1:10", "1:100", "1:1000",
    ]  # fmt: skip


def run(capsys, *arguments):
    code = main(arguments)
    return code, *capsys.readouterr()


def test_audit_on_the_command_line(capsys, tmp_path):
    figure = tmp_path / "card.png"
    code, output, errors = run(capsys, "audit", "tp/P - fp/N", "--json", "--figure", str(figure))
    assert (code, errors) == (0, "")
    assert json.loads(output) == audit("tp/P - fp/N").to_dict()
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert "| gilbert_ratio   |           1        |" in run(capsys, "audit", "f1")[1]


def test_list_on_the_command_line(capsys):
    code, output, _ = run(capsys, "list", "--json")
    assert code == 0
    assert [row["metric"] for row in json.loads(output)] == list(METRICS)
    assert "Matthews" in run(capsys, "list")[1]


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("truth,model\nyes,yes\nno,yes\nyes,no\nno,no\n")
    return str(path)


def test_score_on_the_command_line(capsys, predictions):
    columns = ["--true", "truth", "--predicted", "model", "--pos-label", "yes"]
    code, output, _ = run(
        capsys, "score", predictions, *columns, "--json", "--metrics", "accuracy", "mcc"
    )
    assert code == 0
    values = {row["metric"]: row["value"] for row in json.loads(output)}
    assert values == {"accuracy": 0.5, "mcc": 0.5}
    assert len(json.loads(run(capsys, "score", predictions, *columns, "--json")[1])) == len(METRICS)


def test_undefined_scores_on_the_command_line(capsys, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\n1,0\n0,0\n")
    code, output, errors = run(capsys, "score", str(path), "--json", "--metrics", "mcc")
    assert code == 0
    assert json.loads(output)[0]["value"] is None
    assert "0 divided by 0: mcc" in errors


def test_infinite_scores_on_the_command_line(capsys, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\n1,1\n1,0\n0,0\n")
    keys = ["positive_likelihood_ratio", "discriminant_power"]
    code, output, errors = run(capsys, "score", str(path), "--json", "--metrics", *keys)
    assert (code, errors) == (0, "")
    assert [row["value"] for row in json.loads(output)] == ["inf", "inf"]


def test_an_unbounded_metric_on_the_command_line(capsys):
    code, output, _ = run(capsys, "audit", "discriminant_power", "--json")
    card = json.loads(output)
    assert (code, card["low"], card["high"]) == (0, "-inf", "inf")
    assert card["scale"] == "logistic function, 1/(1 + exp(-x))"
    assert card["nearest"][0] == {"metric": "diagnostic_odds_ratio", "rank_correlation": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "tpr/2"], "expected one of tp, fp, fn, tn, P, N"),
        (["audit", "tp/fp"], "unbounded above"),
        (["score", "absent.csv"], "No such file"),
        (["score", "PREDICTIONS"], "has no column 'y_true': it has truth, model"),
        (["score", "PREDICTIONS", "--true", "truth", "--predicted", "model"], "pos_label = '1'"),
        (
            ["score", "PREDICTIONS", "--true", "truth", "--predicted", "model", "--metrics", "f3"],
            "no metric 'f3'",
        ),
    ],
)
def test_bad_input_on_the_command_line(capsys, predictions, arguments, message):
    arguments = [predictions if part == "PREDICTIONS" else part for part in arguments]
    code, output, errors = run(capsys, *arguments)
    assert (code, output) == (2, "")
    assert message in errors


def test_nothing_depends_on_chance():
    assert audit("tp/(tp + fp)") == audit("tp/(tp + fp)")
    assert np.isfinite([row["sigma"] for row in audit("tp/(tp + fp)").sigma]).all()
