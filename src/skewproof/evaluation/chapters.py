"""The chapters of a report: each asks functions of the package, and says what they answer."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from skewproof import __version__
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.label_texts import slice_name
from skewproof.core.extras import extra, matplotlib
from skewproof.curves.areas.area import AREAS
from skewproof.curves.areas.area_interval import area_interval
from skewproof.decisions.net_benefit import decision_curve, useful_thresholds
from skewproof.decisions.promised_threshold import choose_threshold
from skewproof.decisions.threshold_search import best_threshold
from skewproof.evaluation.predictions import Predictions
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.intervals.metric_interval import interval
from skewproof.multiclass.lookup import MEASURES, as_metric_or_measure
from skewproof.plot.curves import CurveDisplay
from skewproof.plot.decision_curves import DecisionCurveDisplay
from skewproof.plot.differences import DifferencesDisplay
from skewproof.plot.forest import ForestDisplay
from skewproof.plot.reliability import ReliabilityDisplay
from skewproof.probabilities.reliability import reliability_curve
from skewproof.probabilities.scores import probability_scores
from skewproof.reporting.style import STYLE, VERMILION
from skewproof.reporting.templates import render
from skewproof.scoring.model_comparison import compare
from skewproof.scoring.score_comparison import KINDS
from skewproof.scoring.scoring import score
from skewproof.slices.changes import explain_change, largest_changes
from skewproof.slices.counting import count_slices
from skewproof.slices.over_time.drift import watch_drift
from skewproof.slices.pictures import plot_changes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNCHANGED = {"auc", "partial_auc", "balanced_average_precision", "calibrated_average_precision"}
"""Areas that are the same at every prevalence."""

PROBABILITY_SCORES = ["brier", "log_loss", "calibration_intercept", "calibration_slope"]

BEST = "f1"
"""Metric whose best cut-off is compared with the cut-off in use."""

ENDS = ("value", "low", "high")
"""Columns of a value and its interval."""

PARTS = ("difference", "prevalence_part", "classifier_part")
"""Columns of a difference and of its parts."""

VALUES, REQUIREMENTS = "Values", "Requirements"
"""Titles of tables of values where the classifier will run."""

DIFFERENCES = "Differences, the second model less the first"

IMPORTS = """import pandas as pd
from skewproof import *
from skewproof.plot import CurveDisplay

# Columns of the file: true labels y_true, predicted labels y_pred, scores y_score, and so on."""

MOST_DRAWN = 40
"""Most values in a figure."""

LARGEST_PICTURE = 200_000
"""Most characters of a picture as SVG; a larger one is PNG."""


@dataclass(frozen=True)
class Chapter:
    """A chapter of a report."""

    title: str
    sentence: str
    """The answer, with its number and its interval."""
    notes: list[str] = field(default_factory=list)
    """Further sentences."""
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    """Tables by their titles, with the ends of the interval of `value` in `low` and `high`."""
    figures: dict[str, bytes] = field(default_factory=dict)
    """Pictures by their captions, as SVG or PNG."""
    lines: str = ""
    """Lines of Python that compute the numbers."""


def chapters_of(p: Predictions, facts: dict[str, str]) -> Iterator[Chapter]:
    """Compute the chapters for which there are data."""
    yield counted(p, facts)
    if p.called is not None or (p.score is not None and not p.many):
        yield scores(p)
    if p.score is not None and not p.many:
        yield curves(p)
    if p.require or (p.score is not None and not p.many):
        yield cutoff(p)
    if p.probable:
        yield probabilities(p)
    if p.slices and p.called is not None:
        yield changes(p)
    if p.models:
        yield models(p)


def how_to(p: Predictions, chapters: list[Chapter]) -> Chapter:
    """Collect the lines of all chapters."""
    lines = [f"# {chapter.title}\n{chapter.lines}" for chapter in chapters if chapter.lines]
    last = _chapter("lines", "How to get each number", p, version=__version__)
    return replace(last, lines="\n\n".join([IMPORTS, *lines]))


def _chapter(name: str, title: str, p: Predictions, **values: Any) -> Chapter:
    """Write a chapter from its template: the sentence in the first line, and notes in others."""
    parts = {part: values.pop(part, {}) for part in ("tables", "figures")}
    values |= {"chapter": name, "p": p, "text": _text, "named": _named}
    text = render("skewproof.evaluation", "sentences.txt.jinja", **values)
    sentence, *notes = filter(None, text.splitlines())
    lines = "\n".join(dict.fromkeys(p.lines))
    p.lines.clear()
    return Chapter(title, sentence, notes, lines=lines, **parts)


def _of_labels(p: Predictions, metric: Any, at: Any) -> Any:
    return p.ask(interval, metric, "y_true", "y_pred", at=at)


def _text(estimate: Any, by: float = 1) -> str:
    """Write an estimate, multiplied by a number, with its ends."""
    ends = (estimate.value, estimate.low, estimate.high)
    return "{} ({} to {})".format(*in_digits_of_width(*(by * end for end in ends)))


def _named(key: str) -> str:
    """Return the name of a metric, a measure or an area."""
    if key in AREAS:
        return "AUC" if key == "auc" else key.replace("_", " ")
    return as_metric_or_measure(key).name


def picture(figure: Figure) -> bytes:
    """Return a figure as SVG, or as PNG if that is large, and close it."""
    with extra("a report"):
        import matplotlib.pyplot as plt

    for kind in ("svg", "png"):
        file = io.BytesIO()
        with matplotlib.rc_context(STYLE | {"svg.fonttype": "none", "savefig.dpi": 120}):
            figure.savefig(file, format=kind, metadata={"Date": None} if kind == "svg" else None)
        if len(file.getvalue()) < LARGEST_PICTURE:
            break
    plt.close(figure)
    return file.getvalue()


def counted(p: Predictions, facts: dict[str, str]) -> Chapter:
    """Say what was counted and what is assumed."""
    labels, counts = np.unique(p.true, return_counts=True)
    rare = labels[counts.argmin()] if p.many else 1
    everyone = np.ones(len(p.true), dtype=int)
    of_rare = ConfusionMatrix.from_labels(everyone, (p.true == rare).astype(int), groups=p.groups)
    share = interval("true_positive_rate", of_rare)
    numbers = dict(zip(labels.tolist(), counts.tolist(), strict=True))
    units = "instances" if p.groups is None else "groups"
    chosen = {
        "Values hold": p.where,
        "Intervals": f"95 %, {p.at.assumption(units)}",
        "Cut-off in use": "" if p.threshold is None else f"{p.threshold:.4g}",
    }
    table = pd.DataFrame((facts | chosen).items(), columns=["fact", "is"])
    tables = {"": table[table["is"] != ""]}
    values = {"share": share, "rare": rare, "numbers": numbers, "tables": tables}
    return _chapter("counted", "What was counted", p, **values)


def values_of(p: Predictions) -> pd.DataFrame:
    """Compute all metrics where the classifier will run, and in the test set if that differs."""
    frames = []
    for at in p.places:
        rows = []
        if p.called is not None and p.labels:
            rows.append(p.ask(score, "y_true", "y_pred", metrics=p.labels, at=at))
        if p.score is not None:
            areas = [
                p.ask(area_interval, kind, "y_true", "y_score", at=at, draws=p.draws)
                for kind in p.areas
            ]
            rows.append(
                pd.DataFrame(
                    {"metric": area.metric, "name": _named(area.metric)}
                    | {"value": area.value, "low": area.low, "high": area.high}
                    | {"changes_with_prevalence": area.metric not in UNCHANGED}
                    for area in areas
                )
            )
        frames.append(pd.concat(rows, ignore_index=True))
    frame = frames[0][["metric", "name", *(["class"] if p.many else []), "value", "low", "high"]]
    for end in ("", "_low", "_high") if len(frames) > 1 else ():
        frame = frame.assign(**{f"value_in_test_set{end}": frames[1][end[1:] or "value"]})
    frame = frame.assign(name=frame["name"].replace("true positive rate", "recall"))
    return frame.assign(changes_with_prevalence=frames[0]["changes_with_prevalence"])


def scores(p: Predictions) -> Chapter:
    """Say what the scores are, and what they will be."""
    frame = values_of(p)
    values: dict[str, Any] = {"rows": list(frame.itertuples(index=False))}
    if p.called is not None and not p.many:
        asked = {"precision": "precision", "recall": "true_positive_rate", "alarms": "fp/tp"}
        values |= {name: _of_labels(p, key, p.at) for name, key in asked.items()}
        values["before"] = _of_labels(p, "precision", p.places[-1])
    drawn = frame
    if p.many:
        drawn = frame.assign(name=[_of_class(*row) for row in frame[["name", "class"]].to_numpy()])
        recalls = frame[(frame["metric"] == "true_positive_rate") & frame["class"].notna()]
        values["worst"] = list(recalls.sort_values("value").head(1).itertuples(index=False))
    sets = {p.where: drawn}
    if len(p.places) > 1:
        ends = {f"value_in_test_set{end}": end[1:] or "value" for end in ("", "_low", "_high")}
        tested = drawn.drop(columns=["value", "low", "high"]).rename(columns=ends)
        sets = {"in the test set": tested} | sets
    forest = ForestDisplay(values={name: rows.head(MOST_DRAWN) for name, rows in sets.items()})
    values |= {
        "figures": {"Values with their 95 % intervals": picture(forest.plot().figure_)},
        "tables": {VALUES: frame},
    }
    return _chapter("scores", "What the scores are, and what they will be", p, **values)


def _of_class(name: str, label: Any) -> str:
    return name if pd.isna(label) else f"{name} of {label}"


def curves(p: Predictions) -> Chapter:
    """Draw the ROC curve, and precision and recall at both prevalences."""
    area = p.ask(area_interval, "auc", "y_true", "y_score", at=p.at, draws=p.draws)
    figures = {}
    drawn = [("roc", p.at), *(("precision_recall", at) for at in p.places[::-1])]
    for curve, at in drawn:
        from_predictions = CurveDisplay.from_predictions
        display = p.ask(from_predictions, "y_true", "y_score", curve=curve, at=at)
        if p.threshold is not None:
            point = [_of_labels(p, "true_positive_rate", p.at).value]  # the same at each prevalence
            if curve == "roc":
                point.insert(0, _of_labels(p, "false_positive_rate", p.at).value)
            else:
                point.append(_of_labels(p, "precision", at).value)
            display.ax_.plot(*point, "o", color=VERMILION, label="cut-off in use", clip_on=False)
            display.ax_.legend()
        place = p.where if at is p.at else "in the test set"
        name = "ROC curve" if curve == "roc" else f"Precision and recall {place}"
        figures[name] = picture(display.figure_)
    return _chapter("curves", "Curves", p, area=area, figures=figures)


def cutoff(p: Predictions) -> Chapter:
    """Say whether requirements are met, and compare the cut-off in use with the best one."""
    values: dict[str, Any] = dict.fromkeys(["promise", "best", "in_use", "useful"])
    problems: list[str] = []
    tables, figures = {}, {}
    if p.score is not None:
        try:
            values["best"] = p.ask(best_threshold, BEST, "y_true", "y_score", at=p.at)
            if p.require:
                texts = list(map(str, p.require))
                values["promise"] = p.ask(
                    choose_threshold, "y_true", "y_score", at=p.at, require=texts
                )
        except ValueError as error:
            problems.append(str(error))
    if p.threshold is not None:
        values["in_use"] = _of_labels(p, BEST, p.at)
    rows = []
    for requirement in p.require:
        if p.called is None:
            promised = values["promise"] is not None and values["promise"].promised
            rows.append({"status": "promised" if promised else "not promised"})
        else:
            estimate = _of_labels(p, requirement.name, p.at)
            rows.append({key: getattr(estimate, key) for key in ENDS})
            sign = 1 if requirement.at_least else -1
            ends = (sign * (end - requirement.bound) for end in (estimate.low, estimate.high))
            least, most = sorted(ends)
            rows[-1]["status"] = "met" if least >= 0 else "broken" if most < 0 else "not shown"
            rows[-1]["said"] = _text(estimate)
        rows[-1] = {"requirement": str(requirement)} | rows[-1]
    if rows:
        tables[REQUIREMENTS] = pd.DataFrame(rows).drop(columns="said", errors="ignore")
    if p.probable:
        curve = p.ask(decision_curve, "y_true", "y_score", at=p.at)
        values["useful"] = next(useful_thresholds(curve).itertuples())
        figures[f"Net benefit {p.where}"] = picture(
            DecisionCurveDisplay(curve=curve).plot().figure_
        )
    values |= {"rows": rows, "problems": problems, "tables": tables, "figures": figures}
    return _chapter("cutoff", "Cut-off", p, **values)


def probabilities(p: Predictions) -> Chapter:
    """Score probabilities as they are and adjusted to the prevalence, and show reliability."""
    labels, counts = np.unique(p.true, return_counts=True)
    shares = dict(zip(labels.tolist(), (counts / counts.sum()).tolist(), strict=True))
    trained: Any = shares if p.many else p.share
    forecasts = {"as they are": (p.at, None)}
    if len(p.places) > 1:
        forecasts = {
            "in the test set": (p.places[1], None),
            f"{p.where}, as they are": (p.at, None),
            f"{p.where}, adjusted": (p.at, trained),
        }
    frames, figures = [], dict[str, bytes]()
    for name, (at, before) in forecasts.items():
        options: dict[str, Any] = {"at": at} | ({} if before is None else {"trained": before})
        keys = PROBABILITY_SCORES[: 2 if p.many else 4]
        asked: dict[str, Any] = {"scores": keys, "draws": p.draws} | options
        scored = p.ask(probability_scores, "y_true", "y_score", **asked)
        frames.append(scored[["score", "name", "value", "low", "high"]].assign(forecasts=name))
        if not p.many and (before is not None or not figures):
            curve = p.ask(reliability_curve, "y_true", "y_score", **options)
            figures[f"Reliability {name}"] = picture(ReliabilityDisplay(curve).plot().figure_)
    frame = pd.concat(frames, ignore_index=True)
    values: dict[str, Any] = {
        f"{row.score}_{list(forecasts).index(row.forecasts)}": row
        for row in frame.itertuples(index=False)
    }
    shown = frame[["forecasts", "score", "name", "value", "low", "high"]]
    values = {"scored": values, "tables": {"Scores of the probabilities": shown}}
    return _chapter("probabilities", "Probabilities", p, figures=figures, **values)


def changes(p: Predictions) -> Chapter:
    """Say what part of each difference is prevalence, and when the classifier changed."""
    metric = "macro_f1" if p.many else BEST
    verdict, sentences, tables, figures = "", [], {}, {}
    p.data["data"] = pd.DataFrame(p.slices | {"y_true": p.true, "y_pred": p.called})
    groups: dict[str, Any] = {}
    if p.groups is not None:
        groups = {"groups": "row_groups"}
        p.data["data"]["row_groups"] = np.asarray(p.groups)
    for name, values in p.slices.items():
        if pd.Series(values).nunique(dropna=False) < 2:
            continue
        labels = {"y_true": "y_true", "y_pred": "y_pred"}
        p.ask(count_slices, "data", name="counts", by=name, **labels, **groups)
        reference = None
        if name == p.time:
            drift = p.ask(watch_drift, "counts", time=name, metrics=metric, **groups)
            verdict, reference = drift.verdict, {name: drift.table[name].iloc[0]}
            figures[f"Rates and {_named(metric)} over {name}"] = picture(drift.plot())
        asked = {"metrics": metric, "reference": reference} | groups
        changed = p.ask(explain_change, "counts", **asked)
        shown = largest_changes(changed)
        figures[f"{_named(metric)} by {name}"] = picture(plot_changes(changed))
        parts = [f"{part}{end}" for part in PARTS for end in ("", "_low", "_high")]
        columns_shown = [name, "instances", "value", "low", "high", *parts, "p_adjusted"]
        tables[f"{_named(metric)} by {name}"] = shown[columns_shown].astype({"instances": int})
        known = changed.dropna(subset=["difference"])
        if len(known):
            largest = known.loc[known["difference"].abs().idxmax()]
            other = "all others" if reference is None else slice_name(reference.values())
            sentence = f"{name} {slice_name([largest[name]])}, against {other}: "
            sentences.append(f"{sentence}{largest['sentence']}.")
    texts = {"verdict": verdict, "sentences": sentences, "tables": tables, "figures": figures}
    return _chapter("changes", "Slices and months", p, **texts)


def models(p: Predictions) -> Chapter:
    """Compare models: values side by side, and differences with their intervals."""
    of_labels = next(iter(p.models.values())).dtype.kind not in "f"
    metrics = p.labels if of_labels else p.areas
    metrics = [key for key in metrics if key in MEASURES or not p.many]
    compute = interval if of_labels else area_interval
    shared: dict[str, Any] = {"groups": p.groups, "at": p.at}
    rows, pairs, problems = [], [], []
    drawn: dict[str, DifferencesDisplay] = {}
    for key in [key for key in metrics if of_labels or key in KINDS]:
        values = {name: compute(key, p.true, said, **shared) for name, said in p.models.items()}
        rows += [
            {"metric": key, "name": _named(key), "model": name}
            | {end: getattr(value, end) for end in ENDS}
            for name, value in values.items()
        ]
        try:
            differences = p.ask(compare, key, "y_true", "models", at=p.at)
        except ValueError as error:
            problems.append(f"{key}: {error}")
            continue
        differences = differences.assign(name=_named(key))
        pairs.append(differences[["metric", "name", "first", "second", *ENDS, "p_adjusted"]])
        drawn = drawn or {key: DifferencesDisplay(differences=differences, values=values)}
    tables = {VALUES: pd.DataFrame(rows)}
    if pairs:
        tables[DIFFERENCES] = pd.concat(pairs, ignore_index=True)
    figures = {
        f"{_named(key)} {p.where}": picture(display.plot().figure_)
        for key, display in drawn.items()
    }
    said: dict[str, Any] = {"problems": problems, "drawn": list(drawn.values())}
    return _chapter("models", "Two or more models", p, tables=tables, figures=figures, **said)
