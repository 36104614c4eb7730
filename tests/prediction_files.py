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


def roles(
    true: str | None, predicted: str | None, score: str | None, pos_label: str | None, **more: Any
) -> dict[str, Any]:
    """Return the expected roles by name."""
    return {"true": true, "predicted": predicted, "score": score, "pos_label": pos_label} | more


PLAIN = roles("y_true", "y_pred", "y_score", "1")


def write(folder: Path) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Write the files with clear columns; each has its path and the expected roles."""
    cancer = predicted(load_breast_cancer, 1.5, CLASSIFIERS)
    true, called = 1 - cancer.true, 1 - cancer.labels()  # malignant is 0 there
    models = {name: rows[:, 0].round(6) for name, rows in cancer.probabilities.items()}
    chance = models["logistic"]
    files = two_classes(true, called, chance) | beside_the_labels(true, called, chance)
    files |= many_classes()
    scores = {name: models[name] for name in ("logistic", "forest")} | {
        "naive_bayes": models["bayes"]
    }
    files["models"] = (
        pd.DataFrame({"y_true": true, **scores}),
        roles("y_true", None, "logistic", "1", models=list(scores)),
    )
    word = np.array(["benign", "malignant"])
    said = {f"pred_{name}": word[1 - cancer.labels(name)] for name in CLASSIFIERS}
    files["model_labels"] = (
        pd.DataFrame({"truth": word[true], **said}),
        roles("truth", "pred_logistic", None, "malignant", models=list(said)),
    )
    paths = {}
    for name, (frame, expected) in files.items():
        path = folder / f"{name}.csv"
        frame.to_csv(path, index=False)
        paths[name] = (path, expected)
    plain, month = files["sklearn"][0], pd.to_datetime(files["months"][0]["month"])
    plain.assign(month=month).to_parquet(folder / "typed.parquet")
    paths["typed"] = (folder / "typed.parquet", PLAIN | {"time": "month"})
    paths["json"] = (folder / "true.json", roles("actual", "predicted", None, "true"))
    truths = pd.DataFrame({"actual": true == 1, "predicted": called == 1})
    truths.to_json(paths["json"][0], orient="records")
    iris_rows, expected = files["caret_iris"]
    iris_rows.assign(y=1).to_csv(folder / "index.csv", sep=";")
    paths["index"] = (folder / "index.csv", expected | {"row_id": "column0"})
    return paths


def two_classes(true: Any, called: Any, chance: Any) -> dict[str, Any]:
    """Make the layouts of tools for two classes."""
    n, other, rng = len(true), 1 - chance, np.random.default_rng(1)
    word, yes, spam = (
        np.array(names) for names in (["benign", "malignant"], ["no", "yes"], ["ham", "spam"])
    )
    caret = {"pred": yes[called], "obs": yes[true], "no": other, "yes": chance}
    caret |= {"rowIndex": np.arange(1, n + 1), "mtry": 2}
    caret["Resample"] = np.array(["Fold1", "Fold2"])[np.arange(n) % 2]
    tidymodels = {"diagnosis": word[true], ".pred_benign": other, ".pred_malignant": chance}
    mlr3 = {"row_ids": np.arange(n), "truth": yes[true], "response": yes[called]}
    h2o = {"predict": word[called], "benign": other, "malignant": chance, "Diagnosis": word[true]}
    features = {"mean radius": rng.normal(14, 3, n), "texture": rng.normal(19, 4, n)}
    pycaret = {"Diagnosis": true, "prediction_label": called}
    pycaret["prediction_score"] = np.where(called == 1, chance, other)
    raw = {"target": true, "prediction_label": called}
    azure = {"Age": 30 + np.arange(n) % 50, "Diagnosis": word[true], "Scored Labels": word[called]}
    layouts = {
        "sklearn": ({"y_true": true, "y_pred": called, "y_score": chance}, PLAIN),
        "caret": (caret, roles("obs", "pred", "yes", "yes", split="Resample", row_id="rowIndex")),
        "tidymodels": (
            tidymodels | {".pred_class": word[called]},
            roles("diagnosis", ".pred_class", ".pred_malignant", "malignant"),
        ),
        "mlr3": (
            mlr3 | {"prob.yes": chance, "prob.no": other},
            roles("truth", "response", "prob.yes", "yes", row_id="row_ids"),
        ),
        "h2o": (
            {"Malignant": true, "predict": called, "p0": other, "p1": chance},
            roles("Malignant", "predict", "p1", "1"),
        ),
        "h2o_names": (h2o, roles("Diagnosis", "predict", "malignant", "malignant")),
        "pycaret": (
            features | pycaret,
            roles("Diagnosis", "prediction_label", None, "1", confidence="prediction_score"),
        ),
        "pycaret_raw": (
            raw | {"prediction_score_0": other, "prediction_score_1": chance},
            roles("target", "prediction_label", "prediction_score_1", "1"),
        ),
        "azure": (
            azure | {"Scored Probabilities": chance},
            roles("Diagnosis", "Scored Labels", "Scored Probabilities", "malignant"),
        ),
        "strings": (
            {"label": spam[true], "prediction": spam[called], "score": chance},
            roles("label", "prediction", "score", "spam"),
        ),
        "booleans": (
            {"actual": true == 1, "predicted": called == 1, "probability": chance},
            roles("actual", "predicted", "probability", "True"),
        ),
    }
    return {name: (pd.DataFrame(frame), expected) for name, (frame, expected) in layouts.items()}


def many_classes() -> dict[str, Any]:
    """Make the layouts of tools for more than two classes."""
    iris, wine, digits = (
        predicted(load, noise)
        for load, noise in ((load_iris, 0.5), (load_wine, 1), (load_digits, 1))
    )
    species = load_iris().target_names
    cultivars = np.array(["barolo", "grignolino", "barbera"])
    layouts = {
        "caret_iris": (iris, "obs", "pred", species, "{}"),
        "mlr3_digits": (digits, "truth", "response", np.arange(10), "prob.{}"),
        "azure_wine": (
            *(wine, "Cultivar", "Scored Labels", cultivars),
            'Scored Probabilities for Class "{}"',
        ),
    }
    files = {}
    for name, (rows, true, said, classes, column) in layouts.items():
        labels = {true: classes[rows.true], said: classes[rows.labels()]}
        columns = {str(one): column.format(one) for one in classes}
        probabilities = dict(zip(columns.values(), rows.probabilities["logistic"].T, strict=True))
        expected = roles(true, said, None, None, probabilities=columns)
        files[name] = (pd.DataFrame(labels | probabilities), expected)
    return files


def beside_the_labels(true: Any, called: Any, chance: Any) -> dict[str, Any]:
    """Make files with missing labels or with columns of months, patients, sites or weights."""
    place = np.arange(len(true))
    plain = pd.DataFrame({"y_true": true, "y_pred": called, "y_score": chance})
    month = np.array([f"2026-{number:02d}" for number in place * 8 // len(true) + 1])
    site, sex = np.array(["Bonn", "Graz", "Oslo"]), np.array(["f", "m"])
    word, quarters = np.array(["benign", "malignant"]), np.array(["Q1", "Q2", "Q3", "Q4"])
    weighted = plain.assign(weight=place % 3 + 1, quarter=quarters[place * 4 // len(true)])
    patients = {"patient_id": place // 3 + 1000, "image": [f"{row:05d}.png" for row in place]}
    patients |= {"truth": word[true], "pred": word[called], "sex": sex[place // 3 % 2]}
    gaps = plain.assign(y_true=np.where(place % 13, true, np.nan))
    return {
        "missing": (gaps.assign(y_score=np.where(place % 17, chance, np.nan)), PLAIN),
        "tenth": (plain.assign(y_true=np.where(place % 10, np.nan, true)), PLAIN),
        "alarms": (
            plain.assign(y_true=np.where((called == 1) | (place % 5 == 0), true, np.nan)),
            PLAIN,
        ),
        "months": (
            plain.assign(month=month, site=site[place % 3]),
            PLAIN | {"time": "month", "by": ["site"]},
        ),
        "patients": (
            pd.DataFrame(patients),
            roles("truth", "pred", None, "malignant", groups="patient_id", by=["sex"]),
        ),
        "no_labels": (
            plain.drop(columns="y_true").assign(id=place, month=month),
            roles(None, "y_pred", "y_score", "1", row_id="id", time="month"),
        ),
        "weights": (
            weighted.drop(columns="y_score"),
            roles("y_true", "y_pred", None, "1", weight="weight", time="quarter"),
        ),
    }


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
    listed = rows.assign(y_score=[[s, 1 - s] for s in score])
    listed.to_json(folder / "lists.json", orient="records")
    files["lists"] = (folder / "lists.json", "has a list or an object")
    listed.to_parquet(folder / "lists.parquet")
    files["lists in parquet"] = (folder / "lists.parquet", "scores of the class (--score)")
    (folder / "nothing.csv").write_text("")
    files["nothing"] = (folder / "nothing.csv", "has nothing in its first line")
    return files
