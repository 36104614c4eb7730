"""Terminal output of commands, all on one page, to be read after a change."""

import shlex
from pathlib import Path

import pytest

from written import check_written

COMMANDS = [
    "score rows.csv --at 1:1000000000 --total 1e6 --metrics accuracy f1 f1_i mcc youden_j",
    "score rows.csv --groups patient --metrics f1 true_positive_rate",
    "score pets.csv --metrics macro_f1 precision --at cat=0.5,dog=0.3,owl=0.2",
    "score new.csv --reference rows.csv --by month --metrics f1",
    "score new.csv --reference rows.csv --score y_score --threshold 0.5 --metrics f1",
    "score pets.csv --reference pets.csv --metrics macro_f1",
    "score-labels some.csv --predicted y_pred --metrics f1 recall",
    "plan-labels f1 rows.csv --row-id id --labels 120 --score y_score --threshold 0.5 --seed 1",
    "threshold rows.csv --require 'alarms <= 400' 'recall >= 0.2' --per 10000 --at 1:10",
    "threshold rows.csv --require 'precision >= 0.9' --at 1:1000",
    "decide rows.csv --score y_score other --at 1:9 --trained 1:4",
    "compare rows.csv --models y_score other --at 0.1 --groups patient",
    "compare rows.csv --models y_pred second --metrics f1 --at 1:100",
    "compare rows.csv --models y_pred second --metrics expected_cost --threshold 0.2",
    "compare rows.csv --models y_pred second --metrics expected_cost --threshold 0.2"
    " --groups patient",
    "explain-change rows.csv --by month --reference 1 --metrics f1 --at 12/400",
    "explain-change rows.csv --by site --reference missing --metrics f1 --groups patient",
    "explain-change pets.csv --by month --reference 5 --metrics 'Macro F1' --at whole",
    "watch rows.csv --time month --reference 1 2 --power tpr=-0.2 fpr=0.1 --alpha 0.1",
    "watch rows.csv --time month --by site --groups patient --planned 12",
    "watch pets.csv --time month --reference-file pets.csv",
    "plan f1 --tpr 0.7 --fpr 0.01 --at 0.01 --width 0.15 --total 9000 --seed 1",
    "plan f1 --tpr 0.7 0.85 --fpr 0.1 --at 1:10 --total 500 --samples separate",
    "plan f1 --tpr 0.7 --fpr 0.1 --at 0.1 --width 0.3 --total 500 --rows-per-group 5"
    " --intraclass-correlation 0.2 --size-variation 0.5 --class-correlation 0.1",
    "plan auc --auc 0.75 0.8 --at 0.1 --correlation 0.8",
    "printed --positives 100 --negatives 200 accuracy=0.9033 recall=85%"
    " --metrics precision f1 --at 1:500",
    "printed --positives 100 --negatives 200 accuracy=0.9033 recall=85% specificity=0.95 auc=0.9",
    "printed --positives 100 --negatives 200 --folds 5 accuracy=0.9033 recall=85% f1=0.70",
    "choose --answer problem=classification --answer balance=imbalanced --answer classes=two"
    " --answer goal=positive-class",
    "choose --answer problem=ranking --answer goal=false-negatives",
    "list skill",
]


@pytest.mark.slow
def test_commands_print_what_is_written(run, files, monkeypatch):
    monkeypatch.chdir(files)
    outputs = {}
    for line in COMMANDS:
        status, output, errors = run(*shlex.split(line))
        outputs[f"skewproof {line}"] = f"{errors}{output}\nexit status {status}\n"
        assert max(map(len, output.splitlines())) <= 80
    check_written(Path(__file__).with_name("outputs.txt"), **outputs)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "audit f1",
        "score new.csv --reference rows.csv --by month --metrics f1",
        "score pets.csv --reference pets.csv --metrics macro_f1",
        "compare rows.csv --models y_score other",
        "compare rows.csv --models y_pred second --metrics expected_cost --threshold 0.2",
        "decide rows.csv --threshold 0.1 0.2",
        "explain-change rows.csv --by month --reference 1 --metrics f1",
        "explain-change pets.csv --by month --metrics macro_f1",
        "watch rows.csv --time month",
    ],
)
def test_a_figure_is_drawn(run, files, tmp_path, monkeypatch, line):
    monkeypatch.chdir(files)
    figure = tmp_path / "figure.png"
    assert run(*shlex.split(line), "--figure", str(figure))[0] == 0
    assert figure.read_bytes().startswith(b"\x89PNG")
