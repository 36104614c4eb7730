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
from skewproof.curves.areas.area_interval import area_interval
from skewproof.decisions.net_benefit import decision_curve, useful_thresholds
from skewproof.decisions.promised_threshold import choose_threshold
from skewproof.decisions.requirements import COUNTS, Requirement
from skewproof.decisions.threshold_search import best_threshold
from skewproof.evaluation.predictions import Predictions, is_area
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
from skewproof.reporting.sentences import filled_rows
from skewproof.reporting.style import STYLE, VERMILION
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

PER = 1000
"""Number of rows of required counts, such as alarms."""

ENDS = ["value", "low", "high"]
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
    if p.called is not None or p.ranked:
        yield scores(p)
    if p.ranked:
        yield curves(p)
    if p.require or p.ranked:
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
    facts = {"version": __version__, "draws": p.draws, "grouped": p.groups is not None}
    last = _chapter("lines", "How to get each number", p, facts)
    return replace(last, lines="\n\n".join([IMPORTS, *lines]))


def _chapter(
    name: str,
    title: str,
    p: Predictions,
    facts: dict[str, Any],
    tables: dict[str, pd.DataFrame] | None = None,
    figures: dict[str, bytes] | None = None,
    further: list[str] | None = None,
) -> Chapter:
    """Write a chapter with the sentences whose facts are known, and further ones."""
    facts |= {name: True, "where": p.where, "many": p.many, "probable": p.probable}
    facts |= {"elsewhere": p.at.elsewhere, "threshold": p.threshold}
    rows = filled_rows("skewproof.evaluation", "sentences", facts)
    sentence, *notes = [row["sentence"] for row in rows] + (further or [])
    lines = "\n".join(dict.fromkeys(p.lines))
    p.lines.clear()
    return Chapter(title, sentence, notes, tables or {}, figures or {}, lines)


def _of_labels(p: Predictions, metric: Any, at: Any) -> Any:
    return p.ask(interval, metric, "y_true", "y_pred", at=at)


def _ends(estimate: Any) -> dict[str, float]:
    return {end: getattr(estimate, end) for end in ENDS}


def _text(estimate: Any, by: float = 1) -> str:
    """Write an estimate, multiplied by a number, with its ends."""
    ends = (estimate.value, estimate.low, estimate.high)
    return "{} ({} to {})".format(*in_digits_of_width(*(by * end for end in ends)))


def _named(key: str) -> str:
    """Return the name of a metric, a measure or an area."""
    if is_area(key):
        return "AUC" if key == "auc" else key.replace("_", " ")
    name = as_metric_or_measure(key).name
    return "recall" if name == "true positive rate" else name


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
    units = "instances" if p.groups is None else "groups"
    cut = {} if p.threshold is None else {"Cut-off in use": f"{p.threshold:.4g}"}
    stated = {"Values hold": p.where, "Intervals": f"95 %, {p.at.assumption(units)}"} | cut
    numbers = {"rows": len(p.true), "classes": len(labels), "rarest": rare}
    numbers |= {"negatives": counts[0], "positives": counts[1], "pos_label": p.pos_label}
    numbers |= {"share": _text(share, 100), "grouping": share.grouping}
    tables = {"": pd.DataFrame((facts | stated).items(), columns=["fact", "is"])}
    return _chapter("counted", "What was counted", p, numbers, tables)


def values_at(p: Predictions, at: Any) -> pd.DataFrame:
    """Compute all metrics at a prevalence."""
    frames = []
    if p.labels:
        frames.append(p.ask(score, "y_true", "y_pred", metrics=p.labels, at=at))
    for kind in p.areas:
        area = p.ask(area_interval, kind, "y_true", "y_score", at=at, draws=p.draws)
        row = _ends(area) | {"metric": kind, "changes_with_prevalence": kind not in UNCHANGED}
        frames.append(pd.DataFrame([row]))
    frame = pd.concat(frames, ignore_index=True)
    names = frame["metric"].map(_named)
    if p.many:
        of_classes = names + " of " + frame["class"].astype(str)
        names = names.where(frame["class"].isna(), of_classes)
    columns = ["metric", "name", *(["class"] if p.many else []), *ENDS, "changes_with_prevalence"]
    return frame.assign(name=names)[columns]


def scores(p: Predictions) -> Chapter:
    """Say what the scores are, and what they will be."""
    frames = {where: values_at(p, at) for where, at in p.places.items()}
    frame = frames[p.where]
    for tested in [*frames.values()][1:]:
        of_set = ["value_in_test_set", "value_in_test_set_low", "value_in_test_set_high"]
        frame = frame.join(tested[ENDS].set_axis(of_set, axis="columns"))
    first = next(frame.itertuples())
    facts: dict[str, Any] = {"first_name": first.name[0].upper() + first.name[1:]}
    facts["first_value"] = _text(first)
    if p.many:
        recalls = frame[(frame["metric"] == "true_positive_rate") & frame["class"].notna()]
        for worst in recalls.nsmallest(1, "value").rename(columns={"class": "label"}).itertuples():
            facts |= {"worst": worst.label, "worst_recall": _text(worst)}
    elif p.called is not None:
        precision = _of_labels(p, "precision", p.at)
        facts["recall"] = _text(_of_labels(p, "true_positive_rate", p.at))
        if precision.value > 0:
            before = _of_labels(p, "precision", [*p.places.values()][-1])
            facts |= {"hits": _text(precision, 100), "hits_in_test_set": _text(before, 100)}
            facts["alarms"] = _text(_of_labels(p, "fp/tp", p.at))
    changes = frame["changes_with_prevalence"].astype(bool)
    for fact, rows in (("changing", frame[changes]), ("constant", frame[~changes])):
        facts[fact] = ", ".join(rows["metric"].map(_named).unique())
    drawn = {where: rows.head(MOST_DRAWN) for where, rows in reversed(frames.items())}
    figures = {
        "Values with their 95 % intervals": picture(ForestDisplay(values=drawn).plot().figure_)
    }
    title = "What the scores are, and what they will be"
    return _chapter("scores", title, p, facts, {VALUES: frame}, figures)


def curves(p: Predictions) -> Chapter:
    """Draw the ROC curve, and precision and recall at both prevalences."""
    area = p.ask(area_interval, "auc", "y_true", "y_score", at=p.at, draws=p.draws)
    figures = {}
    drawn = [("ROC curve", "roc", p.at)]
    for where, at in reversed(p.places.items()):
        drawn.append((f"Precision and recall {where}", "precision_recall", at))
    for title, curve, at in drawn:
        from_predictions = CurveDisplay.from_predictions
        display = p.ask(from_predictions, "y_true", "y_score", curve=curve, at=at)
        if p.threshold is not None:
            recall = _of_labels(p, "true_positive_rate", p.at).value  # the same at each prevalence
            if curve == "roc":
                point = (_of_labels(p, "false_positive_rate", p.at).value, recall)
            else:
                point = (recall, _of_labels(p, "precision", at).value)
            display.ax_.plot(*point, "o", color=VERMILION, label="cut-off in use", clip_on=False)
            display.ax_.legend()
        figures[title] = picture(display.figure_)
    return _chapter("curves", "Curves", p, {"area": _text(area)}, figures=figures)


def cutoff(p: Predictions) -> Chapter:
    """Say whether requirements are met, and compare the cut-off in use with the best one."""
    facts: dict[str, Any] = {"name": _named(BEST), "asked": len(p.require)}
    problems: list[str] = []
    tables, figures = {}, {}
    status = "not promised"
    if p.ranked:
        try:
            best = p.ask(best_threshold, BEST, "y_true", "y_score", at=p.at)
            first, last = best.thresholds
            cuts = {"best": best.threshold, "first": first, "last": last}
            facts |= {name: f"{cut:.4g}" for name, cut in cuts.items()}
            facts["best_value"] = _text(best)
            if p.require:
                asked: dict[str, Any] = {"require": [*map(str, p.require)]}
                asked |= _per(p.require)
                promise = p.ask(choose_threshold, "y_true", "y_score", at=p.at, **asked)
                facts["promise"] = promise.sentence
                status = "promised" if promise.promised else status
        except ValueError as error:
            problems.append(str(error))
    if p.threshold is not None:
        facts["in_use"] = _text(_of_labels(p, BEST, p.at))
    if p.require:
        rows = [{"requirement": str(requirement), "status": status} for requirement in p.require]
        if p.called is not None:
            rows = [_judged(p, requirement) for requirement in p.require]
            met = sum(row["status"] == "met" for row in rows)
            facts |= {"judged": "; ".join(row.pop("said") for row in rows), "met": met}
            facts["at"] = (
                "" if p.threshold is None else f" at the cut-off in use, {p.threshold:.4g}"
            )
        facts["counts"] = bool(_per(p.require))
        tables[REQUIREMENTS] = pd.DataFrame(rows)
    if p.probable and not p.many:
        curve = p.ask(decision_curve, "y_true", "y_score", at=p.at)
        useful = next(useful_thresholds(curve).itertuples())
        if useful.first_sure <= useful.last_sure:
            facts["sure"] = f"{useful.first_sure:.3g} to {useful.last_sure:.3g}"
        drawn = DecisionCurveDisplay(curve=curve).plot().figure_
        figures[f"Net benefit {p.where}"] = picture(drawn)
    return _chapter("cutoff", "Cut-off", p, facts | {"per": PER}, tables, figures, problems)


def _judged(p: Predictions, requirement: Requirement) -> dict[str, Any]:
    """Compare the interval of a requirement's metric with its bound; counts are those of 1,000."""
    formula = COUNTS.get(requirement.metric.key)
    metric = f"{PER}*({formula})/(P + N)" if formula else requirement.name
    estimate = _of_labels(p, metric, p.at)
    sign = 1 if requirement.at_least else -1
    least, most = sorted(sign * (end - requirement.bound) for end in (estimate.low, estimate.high))
    status = "met" if least >= 0 else "broken" if most < 0 else "not shown"
    said = f"{requirement} is {status}, {requirement.name} being {_text(estimate)}"
    row = {"requirement": str(requirement)} | _ends(estimate)
    return row | {"status": status, "said": said}


def _per(require: tuple[Requirement, ...]) -> dict[str, int]:
    """Return the number of rows of counts if some are required."""
    return {"per": PER} if any(row.metric.key in COUNTS for row in require) else {}


def probabilities(p: Predictions) -> Chapter:
    """Score probabilities as they are and adjusted to the prevalence, and show reliability."""
    labels, counts = np.unique(p.true, return_counts=True)
    shares = dict(zip(labels.tolist(), (counts / counts.sum()).tolist(), strict=True))
    forecasts: dict[str, dict[str, Any]] = {"as they are": {"at": p.at}}
    if p.at.elsewhere:
        trained = shares if p.many else shares[1]
        forecasts = {
            "in the test set": {"at": p.places["in the test set"]},
            f"{p.where}, as they are": {"at": p.at},
            f"{p.where}, adjusted": {"at": p.at, "trained": trained},
        }
    frames, figures = list[pd.DataFrame](), dict[str, bytes]()
    for name, options in forecasts.items():
        keys = PROBABILITY_SCORES[: 2 if p.many or frames else 4]  # calibration as they are
        asked: dict[str, Any] = {"scores": keys, "draws": p.draws} | options
        scored = p.ask(probability_scores, "y_true", "y_score", **asked)
        frames.append(scored[["score", "name", *ENDS]].assign(forecasts=name))
        if not p.many:
            curve = p.ask(reliability_curve, "y_true", "y_score", **options)
            figures[f"Reliability {name}"] = picture(ReliabilityDisplay(curve).plot().figure_)
    brier = [next(frame.itertuples()) for frame in frames]
    facts: dict[str, Any] = {"brier": _text(brier[0]), "contradicted": ""}
    if p.at.elsewhere:
        facts |= {"brier_as_they_are": _text(brier[1]), "brier_adjusted": _text(brier[2])}
    if not p.many:
        *_, intercept, slope = frames[0].itertuples()
        facts |= {"slope": _text(slope), "intercept": _text(intercept)}
        if not intercept.low <= 0 <= intercept.high:
            facts["contradicted"] = ", which the intercept contradicts"
    tables = {"Scores of the probabilities": pd.concat(frames, ignore_index=True)}
    return _chapter("probabilities", "Probabilities", p, facts, tables, figures)


def changes(p: Predictions) -> Chapter:
    """Say what part of each difference is prevalence, and when the classifier changed."""
    metric = "macro_f1" if p.many else BEST
    sentences, tables, figures = [], {}, {}
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
        reference, other = None, "all others"
        if name == p.time:
            drift = p.ask(watch_drift, "counts", time=name, metrics=metric, **groups)
            sentences.append(drift.verdict)
            reference = {name: drift.table[name].iloc[0]}
            other = slice_name(reference.values())
            figures[f"Rates and {_named(metric)} over {name}"] = picture(drift.plot())
        asked = {"metrics": metric, "reference": reference} | groups
        changed = p.ask(explain_change, "counts", **asked)
        figures[f"{_named(metric)} by {name}"] = picture(plot_changes(changed))
        parts = [f"{part}{end}" for part in PARTS for end in ("", "_low", "_high")]
        shown = largest_changes(changed)[[name, "instances", *ENDS, *parts, "p_adjusted"]]
        tables[f"{_named(metric)} by {name}"] = shown.astype({"instances": int})
        known = changed.dropna(subset=["difference"])
        if len(known):
            largest = known.loc[known["difference"].abs().idxmax()]
            said = f"{name} {slice_name([largest[name]])}, against {other}: {largest['sentence']}"
            sentences.append(f"The largest difference: {said}.")
    sentences = sentences or ["There is a single slice, so that there is nothing to compare."]
    return _chapter("changes", "Slices and months", p, {}, tables, figures, sentences)


def models(p: Predictions) -> Chapter:
    """Compare models: values side by side, and differences with their intervals."""
    compute = area_interval if p.ranked else interval
    metrics = [key for key in p.areas if key in KINDS] if p.ranked else p.labels
    shared: dict[str, Any] = {"groups": p.groups, "at": p.at}
    rows, pairs, problems = [], [], []
    facts, figures = dict[str, Any](), dict[str, bytes]()
    for key in [key for key in metrics if key in MEASURES or not p.many]:
        name = _named(key)
        values = {model: compute(key, p.true, said, **shared) for model, said in p.models.items()}
        named = {"metric": key, "name": name}
        rows += [named | {"model": model} | _ends(value) for model, value in values.items()]
        try:
            differences = p.ask(compare, key, "y_true", "models", at=p.at).assign(name=name)
        except ValueError as error:
            problems.append(f"{key}: {error}")
            continue
        pairs.append(differences[["metric", "name", "first", "second", *ENDS, "p_adjusted"]])
        if not facts:
            display = DifferencesDisplay(differences=differences, values=values)
            figures[f"{name} {p.where}"] = picture(display.plot().figure_)
            facts = {"name": name, "best": display.best, "others": ""}
            facts["value"] = _text(values[display.best])
            for row in display.to_best.itertuples():
                chance = ", which chance may explain" if row.low <= 0 <= row.high else ""
                facts["others"] += f"; {row.Index} differs from it by {_text(row)}{chance}"
    tables = {VALUES: pd.DataFrame(rows)}
    if pairs:
        tables[DIFFERENCES] = pd.concat(pairs, ignore_index=True)
    return _chapter("models", "Two or more models", p, facts, tables, figures, problems)
