"""Refusals of commands: one line that names the option, before files are read where it can be.

The exit status tells a wrong command line, 2, from an error in a file, 1.
"""

import shlex

import pytest

pytestmark = pytest.mark.slow

ROWS = [
    f"{month},{row % 3},{row % 2},{int(row % 5 > 1)},{row / 40},r{row}-{month},{row % 4}"
    for row in range(40)
    for month in (5, 6)
]
FILES = {
    "rows.csv": ["month,shop,y_true,y_pred,y_score,id,who", *ROWS],
    "words.csv": ["truth,model", "yes,yes", "no,yes", "yes,no", "no,no"],
    "pets.csv": [
        "month,y_true,y_pred",
        *(f"{month},{pet},{pet}" for month in (5, 6) for pet in ("cat", "dog", "owl")),
    ],
    "unlabeled.csv": ["y_score", *("0.25", "0.75") * 9],
    "two.csv": ["y_true,yhat,y_hat", *("1,1,0", "0,0,1") * 9],
    "long.csv": ["y,p", "1,1", "0,1,2"],
    "short.csv": ["y,p", "1,1,2", "0,1,2"],
    "latin.csv": ["y,p", "\xff,1"],
    "header.csv": ["y,p"],
    "twice.csv": ["y,y", "1,1"],
}

PLAN = "plan f1 --tpr 0.7 --fpr 0.01"
MODELS = "plan f1 --tpr 0.7 0.85 --fpr 0.1 --at 1:10"
EXPLAIN = "explain-change absent.csv --by month"
WATCH = "watch absent.csv --time month --reference 5"
LABELED = "score absent.csv --reference none.csv"
WORDS = "words.csv --true truth --predicted model"
LABELS = "plan-labels f1 rows.csv --row-id id --labels 20"
PRINTED = "printed --positives 100 --negatives 200"
REPORT = "report rows.csv --predicted y_pred"
TWICE = "expected at most one change of each rate"

REFUSED = [
    ("audit mccc", 2, "did you mean 'mcc'?"),
    ("audit f1 --at 12/4000", 2, "--at = '12/4000': expected a stated prevalence"),
    ("audit log_loss --figure card.png", 2, "--figure = 'card.png': expected no figure"),
    ("choose --worth 20", 2, "--worth: expected --at as well, the prevalence of deployment"),
    ("choose --at 1:10", 2, "--at: expected --worth as well"),
    ("choose --rates 0.9 0.1", 2, "--rates: expected --worth as well"),
    ("choose --worth 20 --answer a=b", 2, "--answer: expected no answers with --worth"),
    ("choose --worth 2 --at 1:10 --rates 1 0.1", 2, "--rates = [1.0, 0.1]: expected"),
    (
        "compare rows.csv --models who shop --threshold 0.5",
        1,
        "--threshold 0.5: expected none",
    ),
    ("compare rows.csv --models a b --metrics auc brier --figure f.png", 2, "a single metric"),
    ("decide rows.csv --threshold 1", 1, "--threshold = 1.0: expected threshold probabilities"),
    ("decide absent.csv --at 2", 2, "--at = 2.0: expected a prevalence above 0 and below 1"),
    ("decide rows.csv --score p", 1, "--score = 'p': expected one of the columns month, shop"),
    ("decide absent.csv --figure curve.txt", 2, "--figure 'curve.txt': expected a suffix of"),
    ("decide absent.csv --csv --json", 2, "--csv and --json: expected only one of them"),
    ("decide absent.csv --cutoff 2", 2, "--cutoff = 2.0: expected a number from 0 to 1"),
    ("decide absent.csv --trained 0", 2, "--trained = 0.0: expected a prevalence above 0"),
    (f"{EXPLAIN} --metrics f11", 2, "f11"),
    (f"{EXPLAIN} --metrics 'tp/('", 2, "tp/("),
    (f"{EXPLAIN} --at all", 2, "--at = 'all': expected a prevalence above 0 and below 1 (0.1 for"),
    (f"{EXPLAIN} --confidence 95", 2, "--confidence = 95.0: expected"),
    (f"{EXPLAIN} --negligible 1.5", 2, "--negligible = 1.5: expected a number of at least 0 and"),
    (f"{EXPLAIN} --threshold 0.5", 2, "--threshold is given alone: expected --score and"),
    (f"{EXPLAIN} --figure nowhere/drift.png", 2, "expected a folder that exists"),
    ("explain-change rows.csv --by month --reference 7", 1, "expected one of 5, 6"),
    ("explain-change rows.csv --by mont", 1, "'mont'"),
    ("explain-change rows.csv --by month --pos-label yes", 1, "yes"),
    ("explain-change rows.csv --by month shop --order 5", 1, "--order with 2 columns --by: exp"),
    ("explain-change pets.csv --by month --at 0.1", 1, "for each class by name: cat, dog, owl"),
    ("explain-change pets.csv --by month --at cat=0.5,ox=0.5", 1, "'ox': expected one of cat, d"),
    ("absent.csv", 1, "'absent.csv' is not a file: expected a file, or a glob that matches some"),
    ("long.csv", 1, "or broken: expected a CSV file in UTF-8"),
    ("short.csv", 1, "or broken: expected a CSV file in UTF-8"),
    ("latin.csv", 1, "or broken: expected a CSV file in UTF-8"),
    ("header.csv", 1, "has no rows: expected predictions"),
    ("twice.csv", 1, "has two columns 'y': expected one"),
    ("two.csv", 2, "--predicted is not given: expected 'yhat' or 'y_hat', as both names fit"),
    ("list heidkee", 2, "no metric has 'heidkee' in its names; did you mean 'cohen_kappa'"),
    (f"{PLAN} --at 1/9 --width .1", 2, "--at = '1/9': expected a stated prevalence "),
    (f"{PLAN} --at 0.01 --width 1 --power 0.8", 2, "--power 0.8: remove it for one"),
    ("plan f1 --tpr 0.7 --at 0.1", 2, "--fpr is missing: expected it for f1"),
    (f"{PLAN} --at 0.1 --auc 0.8", 2, "--auc 0.8: remove it for f1, which has rates"),
    ("plan auc --tpr 0.7 --at 0.1", 2, "--tpr 0.7: remove it for auc, a statistic of scores"),
    ("plan auc --auc 0.8 --width 0.1", 2, "--at is not given: expected a stated"),
    (f"{MODELS} --width 0.1", 2, "--width 0.1: remove it for two models"),
    (f"{MODELS} --fpr 0.2 1", 2, "--fpr 0.1 0.2 1: expected one rate, or two"),
    (f"{LABELS} --score y_score", 2, "--score is given alone"),
    (f"{LABELS} --output nowhere/rows.csv", 2, "expected a folder that exists"),
    (f"{LABELS} --seed -1", 2, "--seed = -1: expected a whole number of at least 0"),
    ("plan-labels f1 rows.csv --row-id who --labels 20", 1, "--row-id = 'who': expected"),
    (f"{PRINTED} accuracy", 2, "accuracy: expected METRIC=VALUE, each metric once"),
    (f"{PRINTED} recall=0.9 recall=0.8", 2, "recall=0.8: expected METRIC=VALUE, each metric once"),
    (f"{PRINTED} recall=0.9 --positives some", 2, "--positives = 'some': expected a whole number"),
    (f"{PRINTED} accuracy=0.9 --at often", 2, "--at"),
    (f"{PRINTED} f1=0.9 --folds 5 --total 9", 2, "--folds and --total: expected only one"),
    (f"{PRINTED} f1=0.9 --folds 5 --metrics mcc", 2, "--folds and --metrics"),
    ("report unlabeled.csv", 1, "expected a column of true labels"),
    (f"{REPORT} --score absent", 1, "absent"),
    (f"{REPORT} --at 1:x", 2, "1:x"),
    (f"{REPORT} --require precision", 2, "expected a metric, >= or <=, and a number"),
    (f"{REPORT} -o report.pdf", 2, "report.pdf"),
    (f"{REPORT} --output no/report.md", 2, "expected a folder"),
    ("score absent.csv", 1, "'absent.csv' is not a file"),
    ("score - -", 2, "FILE = '-': expected standard input once"),
    ("score words.csv", 1, "has no column 'y_true': expected it once"),
    (f"score {WORDS}", 1, "--pos-label = '1'"),
    ("score absent.csv --at 1:x", 2, "--at = '1:x'"),
    ("score rows.csv --groups whom", 1, "has no column 'whom'"),
    ("score rows.csv --confidence 2", 1, "--confidence = 2.0: expected"),
    ("score rows.csv --score y_score", 2, "--score = 'y_score': expected it only with --reference"),
    ("score rows.csv --threshold 0", 2, "--threshold = 0.0: expected it only with --reference"),
    ("score rows.csv --by month", 2, "--by = ['month']: expected it only with --reference"),
    ("score rows.csv --these-instances", 2, "--these-instances = True: expected it only with"),
    ("score rows.csv --figure f1.png", 2, "expected it only with --reference"),
    (f"{LABELED} --at 1:1000", 2, "--at = '1:1000': expected no value with --reference"),
    (f"{LABELED} --total 500", 2, "--total = 500.0: expected no value with --reference"),
    (f"{LABELED} --groups who", 2, "--groups = 'who': expected none with --reference, since no"),
    (f"{LABELED} --score s", 2, "--score is given alone: expected --score and --threshold tog"),
    (f"{LABELED} --figure f1.xyz", 2, "--figure 'f1.xyz': expected a suffix of"),
    (f"{LABELED} --metrics f11", 2, "f11"),
    (f"{LABELED} --confidence 95", 2, "--confidence = 95.0"),
    (f"{LABELED} --predicted p --score s", 2, "--predicted and --score: expected only one of them"),
    ("score rows.csv --reference rows.csv --by mont", 1, "'mont'"),
    ("score rows.csv --reference rows.csv --pos-label yes", 1, "yes"),
    ("score rows.csv --reference rows.csv --score id --threshold 1", 1, "'r"),
    ("score-labels rows.csv", 1, "has no column 'called': expected it once"),
    ("score-labels rows.csv --strata shop", 2, "column 'shop' without --predicted: expected it"),
    ("threshold absent.csv --require 'recall > 0.5'", 2, "expected a metric, >= or <=, and a num"),
    ("threshold absent.csv --require 'alarms <= 5'", 2, "--per is not given: expected the number"),
    ("threshold absent.csv --require recall", 2, "--require = 'recall': expected a metric"),
    (
        "threshold absent.csv --require 'f1 >= 0' --start high",
        2,
        "--start has 'high': expected a",
    ),
    ("threshold absent.csv --require 'f1 >= 0' --confidence 1", 2, "--confidence = 1.0: expected"),
    ("threshold rows.csv --require 'f1 >= 0' --score s", 1, "--score = 's': expected one of the c"),
    ("threshold rows.csv --require 'f1 >= 0' --pos-label yes", 1, "--pos-label = 'yes'"),
    (f"{WATCH} --alpha 5", 2, "--alpha = 5.0: expected a number above 0 and below 1"),
    (f"{WATCH} --planned 0", 2, "--planned = 0: expected a whole number of at least 1"),
    (f"{WATCH} --metrics f11", 2, "f11"),
    (f"{WATCH} --figure drift", 2, "expected a suffix of"),
    (f"{WATCH} --power tpr=-0.1 tpr=-0.2", 2, f"--power tpr=-0.1 tpr=-0.2: {TWICE}"),
    (f"{WATCH} --power tpr=.1 --power fpr=0 tpr=.2", 2, f"--power tpr=0.1 fpr=0 tpr=0.2: {TWICE}"),
    *(
        (f"{WATCH} --power {power}", 2, f"'--power': '{power}': expected tpr=CHANGE or fpr=CHANGE")
        for power in ("tpr", "tpr=x", "tpr=nan", "f1=0.1", "fpr=2")
    ),
    ("watch absent.csv --time month --by shop --reference-file x", 2, "--reference-file with --by"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, lines in FILES.items():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="latin-1")
    return folder


@pytest.mark.parametrize(("line", "status", "message"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_a_command_refuses(run, folder, monkeypatch, line, status, message):
    monkeypatch.chdir(folder)
    code, output, errors = run(*shlex.split(line))
    assert (code, output) == (status, "")
    assert message in errors
    said = errors.splitlines()[errors.startswith("Usage: ") :]
    assert len(said) == 1
    assert said[0].startswith("skewproof: ")
    assert len(errors.encode()) < 700


@pytest.mark.parametrize(
    ("arguments", "usage", "message"),
    [
        ("scor", "skewproof [OPTIONS] [COMMAND] [ARGS]...", "'scor'. Did you mean 'score'?"),
        ("audit f1 --figur x.png", "skewproof audit [OPTIONS] METRIC", "Did you mean '--figure'?"),
        ("plan f1 --fpr x", "skewproof plan [OPTIONS] METRIC", "'--fpr': 'x' is not a"),
        ("list --output a.xls", "skewproof list [OPTIONS] [WORD]", "'a.xls': expected a"),
        ("audit", "skewproof audit [OPTIONS] METRIC", "Missing argument 'METRIC'"),
        (f"audit {'f' * 9999} f1", "skewproof audit [OPTIONS] METRIC", "unexpected extra"),
        (f"find --{'f' * 9999}", "skewproof find [OPTIONS] NAME", "No such option"),
    ],
)
def test_wrong_words_are_one_message_below_the_usage(run, arguments, usage, message):
    code, output, errors = run(*arguments.split())
    assert (code, output) == (2, "")
    first, second = errors.splitlines()
    assert first == f"Usage: {usage}"
    assert second.startswith("skewproof: ")
    assert message in second
    assert len(errors.encode()) <= 2100
