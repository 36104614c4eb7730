"""Files of real predictions in the layouts of tools, and broken ones, with what is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

CLASSIFIERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.01)),
    "forest": RandomForestClassifier(20, max_depth=3, random_state=0),
    "bayes": GaussianNB(),
    "neighbors": KNeighborsClassifier(15),
}


class Predicted(NamedTuple):
    """The true labels of test rows, and the probabilities of each classifier."""

    true: np.ndarray
    probabilities: dict[str, np.ndarray]

    def labels(self, classifier: str = "logistic") -> np.ndarray:
        return self.probabilities[classifier].argmax(axis=1)


def predicted(load: Any, noise: float, classifiers: Any = ("logistic",)) -> Predicted:
    """Train on half of a data set with noise, and predict the other half."""
    x, y = load(return_X_y=True)
    x = x + np.random.default_rng(0).normal(size=x.shape) * x.std(axis=0) * noise
    x_train, x_test, y_train, y_test = train_test_split(
        x, y, test_size=0.7, random_state=0, stratify=y
    )
    fitted = {name: CLASSIFIERS[name].fit(x_train, y_train) for name in classifiers}
    return Predicted(y_test, {name: model.predict_proba(x_test) for name, model in fitted.items()})


def write(folder: Path) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Write the files with clear columns; each has its path and the expected roles."""
    cancer = predicted(load_breast_cancer, 1.5, CLASSIFIERS)
    iris, wine, digits = (
        predicted(load, noise)
        for load, noise in ((load_iris, 0.5), (load_wine, 1), (load_digits, 1))
    )
    true, called = 1 - cancer.true, 1 - cancer.labels()  # malignant is 0 there
    chances = {name: rows[:, 0].round(6) for name, rows in cancer.probabilities.items()}
    chance = chances["logistic"]
    n = len(true)
    word, yes = np.array(["benign", "malignant"]), np.array(["no", "yes"])
    rng = np.random.default_rng(1)
    month = np.array([f"2026-{number:02d}" for number in np.arange(n) * 8 // n + 1])
    patient = np.arange(n) // 3 + 1000
    site = np.array(["Bonn", "Graz", "Oslo"])[np.arange(n) % 3]
    plain = pd.DataFrame({"y_true": true, "y_pred": called, "y_score": chance})
    names = load_iris().target_names
    iris_rows = pd.DataFrame({"obs": names[iris.true], "pred": names[iris.labels()]})
    for column, label in enumerate(names):
        iris_rows[label] = iris.probabilities["logistic"][:, column]
    cultivar = np.array(["barolo", "grignolino", "barbera"])
    digit_rows = pd.DataFrame({"truth": digits.true, "response": digits.labels()})
    for column in range(10):
        digit_rows[f"prob.{column}"] = digits.probabilities["logistic"][:, column]
    some = plain.assign(y_true=np.where(np.arange(n) % 10 == 0, true.astype(float), np.nan))
    alarms = plain.assign(y_true=np.where((called == 1) | (np.arange(n) % 5 == 0), true, np.nan))
    gaps = plain.assign(y_true=np.where(np.arange(n) % 13, true.astype(float), np.nan))
    gaps["y_score"] = np.where(np.arange(n) % 17, chance, np.nan)
    sure = np.where(called == 1, chance, 1 - chance)
    frames = {
        "sklearn": (
            plain,
            {"true": "y_true", "predicted": "y_pred", "score": "y_score", "pos_label": "1"},
        ),
        "caret": (
            pd.DataFrame(
                {
                    "pred": yes[called],
                    "obs": yes[true],
                    "no": 1 - chance,
                    "yes": chance,
                    "rowIndex": np.arange(1, n + 1),
                    "mtry": 2,
                    "Resample": np.array(["Fold1", "Fold2"])[np.arange(n) % 2],
                }
            ),
            {
                "true": "obs",
                "predicted": "pred",
                "score": "yes",
                "pos_label": "yes",
                "split": "Resample",
                "row_id": "rowIndex",
            },
        ),
        "caret_iris": (
            iris_rows,
            {
                "true": "obs",
                "predicted": "pred",
                "score": None,
                "pos_label": None,
                "probabilities": {name: name for name in names},
            },
        ),
        "tidymodels": (
            pd.DataFrame(
                {
                    "diagnosis": word[true],
                    ".pred_benign": 1 - chance,
                    ".pred_malignant": chance,
                    ".pred_class": word[called],
                }
            ),
            {
                "true": "diagnosis",
                "predicted": ".pred_class",
                "score": ".pred_malignant",
                "pos_label": "malignant",
            },
        ),
        "mlr3": (
            pd.DataFrame(
                {
                    "row_ids": np.arange(n),
                    "truth": yes[true],
                    "response": yes[called],
                    "prob.yes": chance,
                    "prob.no": 1 - chance,
                }
            ),
            {
                "true": "truth",
                "predicted": "response",
                "score": "prob.yes",
                "pos_label": "yes",
                "row_id": "row_ids",
            },
        ),
        "mlr3_digits": (
            digit_rows,
            {
                "true": "truth",
                "predicted": "response",
                "pos_label": None,
                "probabilities": {str(d): f"prob.{d}" for d in range(10)},
            },
        ),
        "h2o": (
            pd.DataFrame({"Malignant": true, "predict": called, "p0": 1 - chance, "p1": chance}),
            {"true": "Malignant", "predicted": "predict", "score": "p1", "pos_label": "1"},
        ),
        "h2o_names": (
            pd.DataFrame(
                {
                    "predict": word[called],
                    "benign": 1 - chance,
                    "malignant": chance,
                    "Diagnosis": word[true],
                }
            ),
            {
                "true": "Diagnosis",
                "predicted": "predict",
                "score": "malignant",
                "pos_label": "malignant",
            },
        ),
        "pycaret": (
            pd.DataFrame(
                {
                    "mean radius": rng.normal(14, 3, n),
                    "texture": rng.normal(19, 4, n),
                    "Diagnosis": true,
                    "prediction_label": called,
                    "prediction_score": sure,
                }
            ),
            {
                "true": "Diagnosis",
                "predicted": "prediction_label",
                "score": None,
                "confidence": "prediction_score",
                "pos_label": "1",
            },
        ),
        "pycaret_raw": (
            pd.DataFrame(
                {
                    "target": true,
                    "prediction_label": called,
                    "prediction_score_0": 1 - chance,
                    "prediction_score_1": chance,
                }
            ),
            {
                "true": "target",
                "predicted": "prediction_label",
                "score": "prediction_score_1",
                "pos_label": "1",
            },
        ),
        "azure": (
            pd.DataFrame(
                {
                    "Age": 30 + np.arange(n) % 50,
                    "Diagnosis": word[true],
                    "Scored Labels": word[called],
                    "Scored Probabilities": chance,
                }
            ),
            {
                "true": "Diagnosis",
                "predicted": "Scored Labels",
                "score": "Scored Probabilities",
                "pos_label": "malignant",
            },
        ),
        "azure_wine": (
            pd.DataFrame(
                {
                    "Cultivar": cultivar[wine.true],
                    "Scored Labels": cultivar[wine.labels()],
                    **{
                        f'Scored Probabilities for Class "{name}"': wine.probabilities["logistic"][
                            :, column
                        ]
                        for column, name in enumerate(cultivar)
                    },
                }
            ),
            {
                "true": "Cultivar",
                "predicted": "Scored Labels",
                "pos_label": None,
                "probabilities": {
                    name: f'Scored Probabilities for Class "{name}"' for name in cultivar
                },
            },
        ),
        "strings": (
            pd.DataFrame(
                {
                    "label": np.array(["ham", "spam"])[true],
                    "prediction": np.array(["ham", "spam"])[called],
                    "score": chance,
                }
            ),
            {"true": "label", "predicted": "prediction", "score": "score", "pos_label": "spam"},
        ),
        "booleans": (
            pd.DataFrame({"actual": true == 1, "predicted": called == 1, "probability": chance}),
            {
                "true": "actual",
                "predicted": "predicted",
                "score": "probability",
                "pos_label": "True",
            },
        ),
        "missing": (
            gaps,
            {"true": "y_true", "predicted": "y_pred", "score": "y_score", "pos_label": "1"},
        ),
        "months": (
            plain.assign(month=month, site=site),
            {
                "true": "y_true",
                "predicted": "y_pred",
                "score": "y_score",
                "time": "month",
                "by": ["site"],
                "pos_label": "1",
            },
        ),
        "patients": (
            pd.DataFrame(
                {
                    "patient_id": patient,
                    "image": [f"{row:05d}.png" for row in range(n)],
                    "truth": word[true],
                    "pred": word[called],
                    "sex": np.array(["f", "m"])[np.arange(n) // 3 % 2],
                }
            ),
            {
                "true": "truth",
                "predicted": "pred",
                "score": None,
                "groups": "patient_id",
                "by": ["sex"],
                "pos_label": "malignant",
            },
        ),
        "models": (
            pd.DataFrame(
                {
                    "y_true": true,
                    "logistic": chances["logistic"],
                    "forest": chances["forest"],
                    "naive_bayes": chances["bayes"],
                }
            ),
            {
                "true": "y_true",
                "predicted": None,
                "score": "logistic",
                "models": ["logistic", "forest", "naive_bayes"],
                "pos_label": "1",
            },
        ),
        "model_labels": (
            pd.DataFrame(
                {
                    "truth": word[true],
                    **{f"pred_{name}": word[1 - cancer.labels(name)] for name in CLASSIFIERS},
                }
            ),
            {
                "true": "truth",
                "score": None,
                "models": [f"pred_{name}" for name in CLASSIFIERS],
                "pos_label": "malignant",
            },
        ),
        "no_labels": (
            pd.DataFrame({"id": np.arange(n), "y_pred": called, "y_score": chance, "month": month}),
            {
                "true": None,
                "predicted": "y_pred",
                "score": "y_score",
                "row_id": "id",
                "time": "month",
                "pos_label": "1",
            },
        ),
        "tenth": (
            some,
            {"true": "y_true", "predicted": "y_pred", "score": "y_score", "pos_label": "1"},
        ),
        "alarms": (
            alarms,
            {"true": "y_true", "predicted": "y_pred", "score": "y_score", "pos_label": "1"},
        ),
        "weights": (
            plain.assign(
                weight=rng.integers(1, 4, n),
                quarter=np.array(["Q1", "Q2", "Q3", "Q4"])[np.arange(n) * 4 // n],
            ).drop(columns="y_score"),
            {
                "true": "y_true",
                "predicted": "y_pred",
                "weight": "weight",
                "time": "quarter",
                "pos_label": "1",
            },
        ),
    }
    files = {}
    for name, (frame, roles) in frames.items():
        path = folder / f"{name}.csv"
        frame.to_csv(path, index=False)
        files[name] = (path, roles)
    plain.assign(month=pd.to_datetime(month)).to_parquet(folder / "typed.parquet")
    files["typed"] = (folder / "typed.parquet", frames["sklearn"][1] | {"time": "month"})
    pd.DataFrame({"actual": true == 1, "predicted": called == 1}).to_json(
        folder / "true.json", orient="records"
    )
    files["json"] = (
        folder / "true.json",
        {"true": "actual", "predicted": "predicted", "pos_label": "true"},
    )
    iris_rows.assign(y=1).to_csv(folder / "index.csv", sep=";")
    files["index"] = (folder / "index.csv", frames["caret_iris"][1] | {"row_id": "column0"})
    return files


def write_broken(folder: Path) -> dict[str, tuple[Path, str]]:
    """Write the files that are broken or not clear; each has a part of the message or remark."""
    rng = np.random.default_rng(2)
    n = 200
    true = rng.integers(0, 2, n)
    score = (rng.random(n) + true).round(4) / 2
    called = (score > 0.5).astype(int)
    rows = pd.DataFrame({"y_true": true, "y_pred": called, "y_score": score})
    words = np.array(["0", "yes", "1.5", "no"])
    frames = {
        "equal": (rows.assign(y_pred=true), "is one a copy of the other?"),
        "two truths": (
            rows.rename(columns={"y_true": "label"}).assign(target=true),
            "'label' or 'target'",
        ),
        "constant": (rows.assign(y_score=0.5), "no more than 1 different values"),
        "one class": (rows.assign(y_true=0), "All labels (200) are 0"),
        "million": (
            pd.DataFrame({"y_true": np.arange(10**5), "y_pred": np.arange(10**5) + 1}),
            "expected at most 200 labels",
        ),
        "empty": (rows.head(0), "has no rows"),
        "one row": (rows.head(1), "All labels (1) are 1"),
        "percent": (rows.assign(y_score=[f"{100 * s:.1f}%" for s in score]), "no %"),
        "comma": (
            rows.assign(y_score=[f"{s:.3f}".replace(".", ",") for s in score]),
            "decimal point",
        ),
        "mixed": (rows.assign(y_true=words[np.arange(n) % 4]), "numbers and text"),
        "no role": (pd.DataFrame({"age": rng.integers(20, 90, n), "sick": true}), "may be 'sick'"),
        "backwards": (rows.assign(y_score=1 - score), "low scores belong to 1"),
        "unexplained": (
            rows.assign(y_score=rng.random(n).round(3)),
            "No cut-off of y_score explains y_pred",
        ),
        "balanced": (
            rows.assign(y_true=(np.argsort(np.argsort(score)) >= n // 2).astype(int)),
            "Both classes have exactly 100 rows",
        ),
        "same models": (
            rows.assign(score_old=score, score_new=score).drop(columns="y_score"),
            "are equal in all 200 rows",
        ),
        "two patients": (
            rows.assign(patient=np.arange(n) // 2, user=np.arange(n) // 4),
            "'patient' or 'user'",
        ),
    }
    files = {}
    for name, (frame, said) in frames.items():
        path = folder / f"{name}.csv"
        frame.to_csv(path, index=False)
        files[name] = (path, said)
    lists = folder / "lists.json"
    rows.assign(y_score=[[s, 1 - s] for s in score]).to_json(lists, orient="records")
    files["lists"] = (lists, "has a list or an object")
    parquet = folder / "lists.parquet"
    rows.assign(y_score=[[s, 1 - s] for s in score]).to_parquet(parquet)
    files["lists in parquet"] = (parquet, "scores of the class (--score)")
    (folder / "nothing.csv").write_text("")
    files["nothing"] = (folder / "nothing.csv", "has nothing in its first line")
    return files
