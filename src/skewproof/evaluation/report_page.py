"""A report on a classifier: one page that a team reads before it ships it."""

from __future__ import annotations

import base64
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof import __version__
from skewproof.core.arguments import expect, expect_number, expect_several
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import (
    check_pos_label,
    checked_labels,
    has_more_than_two,
    positives_of,
)
from skewproof.core.messages import shown
from skewproof.decisions.requirements import parsed_requirements
from skewproof.evaluation.chapters import REQUIREMENTS, VALUES, Chapter, chapters_of, how_to
from skewproof.evaluation.predictions import Predictions, is_area
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.multiclass.lookup import as_metric_or_measure
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.result_table import rows_for_machines
from skewproof.reporting.summary import Summarized, Summary, html_table, shown_cell
from skewproof.reporting.templates import render

TWO = ("true_positive_rate", "false_positive_rate", "precision", "f1", "mcc", "balanced_accuracy")
MANY = ("accuracy", "macro_f1", "mcc", "cohen_kappa", "true_positive_rate", "precision")
OF_SCORES = ("auc", "average_precision")
"""Default metrics of labels, of two classes and of more, and of scores."""

NAME = "this model"

FORMATS = (".html", ".md", ".json")
"""Suffixes of the files of a report."""


@dataclass(frozen=True, repr=False)
class Report(Summarized):
    """A report of :func:`skewproof.report`, as a page, a table and text.

    It is displayed as a page in a notebook, and as the first sentences of its chapters elsewhere.

    Examples
    --------
    >>> from skewproof import report
    >>> page = report([1] * 50 + [0] * 500, [1] * 40 + [0] * 490 + [1] * 20, at="1:1000")
    >>> page.to_frame().loc[2, ["value_in_test_set", "value"]].astype(float).round(3).tolist()
    [0.667, 0.02]
    >>> [chapter.title for chapter in page.chapters][:2]
    ['What was counted', 'What the scores are, and what they will be']
    """

    title: str
    where: str
    """The words for the prevalence of the values."""
    chapters: list[Chapter]
    """The chapters for which there are data."""

    @property
    def requirements(self) -> list[dict[str, Any]]:
        """Requirements with their status.

        It is "met", "broken" or "not shown" at the cut-off in use, or, if none is in use,
        "promised" or "not promised".
        """
        tables = [c.tables[REQUIREMENTS] for c in self.chapters if REQUIREMENTS in c.tables]
        return [row for table in tables for row in rows_for_machines(table)]

    @property
    def met(self) -> bool:
        """True if all requirements are met or promised."""
        return all(row["status"] in ("met", "promised") for row in self.requirements)

    def summary(self) -> Summary:
        """Return the first sentences of the chapters."""
        sentences = [(chapter.title, chapter.sentence) for chapter in self.chapters]
        return Summary(self.title, sentences=sentences)

    def to_frame(self) -> pd.DataFrame:
        """Return the values of all metrics, where the classifier will run and in the test set."""
        return next((c.tables[VALUES] for c in self.chapters[1:]), pd.DataFrame())

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the figures for JSON."""
        chapters = []
        for chapter in self.chapters:
            tables = {name: rows_for_machines(table) for name, table in chapter.tables.items()}
            chapters.append({**vars(chapter), "tables": tables})
            del chapters[-1]["figures"]
        versions = {"skewproof": __version__, "Python": platform.python_version()}
        return {
            "title": self.title,
            "met": self.met,
            "requirements": self.requirements,
            "chapters": chapters,
            "versions": versions | {"NumPy": np.__version__},
        }

    def to_html(self) -> str:
        """Return the page, which needs no other file."""
        shown = {"report": self, "rows_of": self._shown_rows, "table_of": html_table}
        return render("skewproof.evaluation", "report.html.jinja", picture=_data_of, **shown)

    def to_markdown(self) -> str:
        """Return the page without its figures, for a comment on a pull request."""
        parts = [f"# {self.title}"]
        for row in self.requirements:
            parts.append(f"**{row['requirement']} {self.where}: {row['status']}**")
        for number, chapter in enumerate(self.chapters, 1):
            parts += [f"## {number}. {chapter.title}", f"**{chapter.sentence}**", *chapter.notes]
            for title, table in chapter.tables.items():
                parts += [title, _markdown(self._shown_rows(title, table))]
        parts.append(f"```python\n{self.chapters[-1].lines}\n```\n")
        return "\n\n".join(filter(None, parts))

    def save(self, path: str | Path) -> None:
        """Write the page as HTML, Markdown or JSON, by the suffix of the file.

        Raises
        ------
        ValueError
            If the file has another suffix.
        """
        file = Path(path)
        suffix = file.suffix.lower()
        expect(suffix in FORMATS, "path", shown(str(path)), f"a suffix of {', '.join(FORMATS)}")
        if suffix == ".json":
            text = json.dumps(self.to_dict(), indent=2) + "\n"
        else:
            text = self.to_html() if suffix == ".html" else self.to_markdown()
        file.write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.to_html()

    def _shown_rows(self, title: str, table: pd.DataFrame) -> list[dict[str, str]]:
        """Write the cells of a table, with the ends of an interval beside its value."""
        rows = []
        where = self.where if title in (VALUES, REQUIREMENTS) else "value"
        if "name" in table:
            told = ["metric", "score", "class", "changes_with_prevalence"]
            table = table.drop(columns=told, errors="ignore").rename(columns={"name": "score"})
        for row in table.to_dict("records"):
            cells = {}
            for name, value in row.items():
                ends = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
                head = str(name).removeprefix("value_").replace("_", " ")
                head = where if name == "value" else head
                if ends[0] in row and not pd.isna(row[ends[0]]):
                    numbers = in_digits_of_width(value, *(row[end] for end in ends))
                    cells[head] = "{} ({} to {})".format(*numbers)
                elif not str(name).endswith(("low", "high")):
                    cells[head] = "" if pd.isna(value) else shown_cell(value)
            rows.append(cells)
        return rows


def report(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    at: At | None = None,
    groups: Any = None,
    time: Any = None,
    slices: Mapping[str, Any] | pd.DataFrame | None = None,
    threshold: float | None = None,
    models: Mapping[str, Any] | pd.DataFrame | None = None,
    metrics: Sequence[str] | None = None,
    require: str | Sequence[str] | None = None,
    pos_label: Any = 1,
    facts: Mapping[str, str] | None = None,
) -> Report:
    """Write a report on a classifier: what its scores are, and what they will be where it runs.

    Every number comes from another function of the package; the last chapter has its call. A
    chapter without data is left out: curves, cut-off and net benefit need scores of two classes,
    reliability needs probabilities, and slices and months need predicted labels or a cut-off.

    Parameters
    ----------
    y_true
        True labels, shape (rows,), of any number of classes.
    y_pred
        Predicted labels, shape (rows,).
    y_score
        Scores of the positive class, shape (rows,), higher if more positive; they count as
        probabilities if all are in [0, 1]. For more than two classes, probabilities of each class,
        shape (rows, classes), as for :func:`skewproof.probability_scores`.
    at
        Prevalence where the classifier will run, as for :func:`skewproof.interval`; by default that
        of the population from which the rows were drawn at random.
    groups
        Label of each row's group if rows belong together, such as the patient.
    time
        Period of each row, as for :func:`skewproof.watch_drift`. The name of a Series is shown.
    slices
        Values that define slices, by the names of the slices, each of shape (rows,).
    threshold
        Cut-off in use: rows with at least this score are called positive. By default it is between
        the scores of the positive and of the negative calls, if these do not overlap.
    models
        Scores of further models by their names, or, without `y_score`, their predicted labels.
    metrics
        Metrics of labels, and kinds of areas as for :func:`skewproof.area_interval`. By default
        recall, false positive rate, precision, F1, MCC, balanced accuracy, AUC and average
        precision; for more than two classes accuracy, macro F1, MCC, kappa, and recall and
        precision of each class.
    require
        Requirements such as "precision >= 0.5". At the cut-off in use, each is met,
        broken or not shown, by the interval of its metric. If none is in use, a cut-off that meets
        all of them can be promised or not, as by :func:`skewproof.choose_threshold`. Counts such as
        "alarms <= 10" are those in 1,000 rows. Of more classes, metrics such as "mcc" are those of
        :func:`skewproof.interval`.
    pos_label
        Label of the positive class, of two classes.
    facts
        Facts for the first chapter, such as the name of a file.

    Raises
    ------
    KeyError
        If there is no such metric.
    ValueError
        If an argument is refused, by the function that takes it.
    MissingExtraError
        If Jinja, Matplotlib or, for slices, narwhals is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import report
    >>> y_true = np.repeat([1, 0], [100, 1000])
    >>> y_score = np.random.default_rng(0).normal(3 * y_true)
    >>> page = report(
    ...     y_true, y_score=y_score, threshold=2, at="1:100", require="precision >= 0.5"
    ... )
    >>> page.requirements[0]["status"], page.met
    ('broken', False)
    >>> page.save("report.html")  # doctest: +SKIP
    """
    where = Prevalence.given("population" if at is None else at).for_any_rates()
    required = () if require is None else parsed_requirements(require)
    known = facts is None or isinstance(facts, Mapping)
    expect(known, "facts", facts, "a mapping from each fact to its text")
    check_pos_label(pos_label)
    true = checked_labels(y_true, "y_true")
    expect(not (y_pred is None and y_score is None), "y_pred", None, "y_pred or y_score")
    called = None if y_pred is None else checked_labels(y_pred, "y_pred")
    period = str(getattr(time, "name", None) or "time")
    by = {} if time is None else _columns("time", {period: time}, len(true))
    by |= _columns("slices", slices, len(true))
    several: dict[str, Any] = dict(_columns("models", models, len(true)))
    score = y_score
    many = pos_label == 1 and has_more_than_two(
        y_true=true, y_pred=true if called is None else called
    )
    if many:
        expect(threshold is None, "threshold", threshold, "none with more than two classes")
    else:
        where = where.for_two_classes()
        if called is not None:
            ConfusionMatrix.from_labels(true, called, pos_label=pos_label, groups=groups)
            called = np.asarray(called == pos_label).astype(int)
        true = positives_of(true, pos_label).astype(int)
        if score is not None:
            score = checked_numbers(score, "y_score")
            expect(score.shape == true.shape, "y_score", score, "a number for each row")
            for name, said in several.items():
                several[name] = checked_numbers(said, f"models[{name!r}]")
        else:
            for name, said in several.items():
                ConfusionMatrix.from_labels(y_true, said, pos_label=pos_label)
                several[name] = (said == pos_label).astype(int)
        called, threshold = _cut(called, score, threshold)
    if several:
        main, values = (y_pred, called) if many or score is None else (y_score, score)
        several = {str(getattr(main, "name", None) or NAME): values} | several
    default = [*(MANY if many else TWO), *OF_SCORES]
    expected = "metrics and kinds of areas"
    names = default if metrics is None else expect_several("metrics", metrics, expected)
    of_labels = [as_metric_or_measure(name) for name in names if not is_area(name)]
    usable = bool(of_labels if called is not None else len(names) > len(of_labels) or many)
    expect(usable, "metrics", names, "one of labels if these are given, or an area of scores")
    predictions = Predictions(
        true=true,
        called=called,
        score=score,
        at=where,
        pos_label=None if many else pos_label,
        groups=groups,
        threshold=threshold,
        slices=by,
        time=None if time is None else period,
        models=several,
        metrics=names,
        require=required,
    )
    dated = {str(name): str(fact) for name, fact in (facts or {}).items()} | {
        "Date": datetime.now(UTC).date().isoformat()
    }
    chapters = list(chapters_of(predictions, dated))
    chapters.append(how_to(predictions, chapters))
    return Report("Report on a classifier", predictions.where, chapters)


def _columns(name: str, value: Any, rows: int) -> dict[str, NDArray[Any]]:
    """Return the columns of a mapping or frame by their names."""
    known = value is None or isinstance(value, Mapping | pd.DataFrame)
    expect(known, name, value, "a mapping or data frame of columns")
    columns = {str(key): np.asarray(value[key]) for key in ([] if value is None else value)}
    for key, column in columns.items():
        expect(column.shape == (rows,), f"{name}[{key!r}]", column, f"{rows} values, one a row")
    return columns


def _cut(
    called: NDArray[Any] | None, score: Any, threshold: float | None
) -> tuple[NDArray[Any] | None, float | None]:
    """Return the calls and the cut-off in use, as far as they are known."""
    if threshold is not None:
        expect_number("threshold", threshold)
        expect(score is not None, "threshold", threshold, "y_score as well")
        cut = (score >= threshold).astype(int)
        same = called is None or np.array_equal(called, cut)
        expect(same, "threshold", threshold, "the cut-off of the scores that y_pred has")
        return cut, threshold
    if called is None or score is None or not 0 < called.sum() < called.size:
        return called, None
    lowest, highest = score[called == 1].min(), score[called == 0].max()
    return called, float((lowest + highest) / 2) if lowest > highest else None


def _markdown(rows: list[dict[str, str]]) -> str:
    """Write a table in Markdown, whose cells keep their signs and are on one line."""
    cells = pd.DataFrame(rows).replace({r"\|": r"\\|", r"\s+": " "}, regex=True)
    return cells.to_markdown(index=False, disable_numparse=True)


def _data_of(picture: bytes) -> str:
    """Write a picture as the address of an image."""
    kind = "png" if picture.startswith(b"\x89PNG") else "svg+xml"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
