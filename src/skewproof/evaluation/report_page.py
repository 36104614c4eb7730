"""A report on a classifier: one page that a team reads before it ships it."""

from __future__ import annotations

import base64
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from skewproof import __version__
from skewproof.core.arguments import expect
from skewproof.core.data.label_texts import as_text
from skewproof.core.messages import shown
from skewproof.evaluation.chapters import REQUIREMENTS, VALUES, Chapter, chapters_of, how_to
from skewproof.evaluation.predictions import checked_predictions
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.prevalence.prevalence import At
from skewproof.reporting.summary import Summarized, Summary, html_table, json_number, shown_cell
from skewproof.reporting.templates import render

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
    requirements: list[dict[str, Any]] = field(default_factory=list)
    """Requirements with their status: "met", "broken" or "not shown" at the cut-off in use, or, if
    none is in use, "promised" or "not promised"."""

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
        return {
            "title": self.title,
            "met": self.met,
            "requirements": self.requirements,
            "chapters": [
                {
                    "title": chapter.title,
                    "sentence": chapter.sentence,
                    "notes": chapter.notes,
                    "tables": {
                        name: [
                            {key: _for_machines(cell) for key, cell in row.items()}
                            for row in table.to_dict("records")
                        ]
                        for name, table in chapter.tables.items()
                    },
                    "lines": chapter.lines,
                }
                for chapter in self.chapters
            ],
            "versions": {
                "skewproof": __version__,
                "Python": platform.python_version(),
                "NumPy": np.__version__,
            },
        }

    def to_html(self) -> str:
        """Return the page, which needs no other file."""
        return f"<!doctype html>\n{self._rendered('html', whole=True)}"

    def to_markdown(self) -> str:
        """Return the page without its figures, for a comment on a pull request."""
        return self._rendered("md", whole=True)

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
        return self._rendered("html", whole=False)

    def _rendered(self, kind: str, *, whole: bool) -> str:
        return render(
            "skewproof.evaluation",
            f"report.{kind}.jinja",
            report=self,
            whole=whole,
            rows_of=self._shown_rows,
            picture=_data_of,
            table_of=html_table,
            markdown=_markdown,
        )

    def _shown_rows(self, title: str, table: pd.DataFrame) -> list[dict[str, str]]:
        """Write the cells of a table, with the ends of an interval beside its value."""
        rows = []
        where = self.where if title in (VALUES, REQUIREMENTS) else "value"
        if "name" in table:
            told = ["metric", "score", "changes_with_prevalence"]  # by the name, and in sentences
            table = table.drop(columns=told, errors="ignore")
            table = table.rename(columns={"name": "score"})
        for row in table.to_dict("records"):
            cells = {}
            for name, value in row.items():
                ends = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
                head = (
                    where if name == "value" else str(name).removeprefix("value_").replace("_", " ")
                )
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
    require: str | Sequence[str] = (),
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
        Labels or scores of further models by their names. Without `y_pred` and `y_score` the report
        is on the first of these.
    metrics
        Metrics of labels, and kinds of areas as for :func:`skewproof.area_interval`. By default
        recall, false positive rate, precision, F1, MCC, balanced accuracy, AUC and average
        precision; for more than two classes accuracy, macro F1, MCC, kappa, and recall and
        precision of each class.
    require
        Requirements such as "precision >= 0.5", of two classes. At the cut-off in use, each is met,
        broken or not shown, by the interval of its metric. If none is in use, a cut-off that meets
        all of them can be promised or not, as by :func:`skewproof.choose_threshold`.
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
    predictions = checked_predictions(
        y_true,
        y_pred,
        y_score,
        at=at,
        groups=groups,
        time=time,
        slices=slices,
        threshold=threshold,
        models=models,
        metrics=metrics,
        require=require,
        pos_label=pos_label,
    )
    known = facts is None or isinstance(facts, Mapping)
    expect(known, "facts", facts, "a mapping from each fact to its text")
    dated = {str(name): str(fact) for name, fact in (facts or {}).items()} | {
        "Date": datetime.now(UTC).date().isoformat()
    }
    chapters = list(chapters_of(predictions, dated))
    chapters.append(how_to(predictions, chapters))
    required = [
        row
        for chapter in chapters
        for row in chapter.tables.get(REQUIREMENTS, pd.DataFrame()).to_dict("records")
    ]
    return Report("Report on a classifier", predictions.where, chapters, required)


def _for_machines(value: Any) -> Any:
    """Convert a cell for JSON."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int | float | str | None):
        return json_number(value)
    return None if pd.isna(value) else as_text(value)


def _markdown(rows: list[dict[str, str]]) -> str:
    """Write a table in Markdown, whose cells keep their signs and are on one line."""
    cells = pd.DataFrame(rows).replace({r"\|": r"\\|", r"\s+": " "}, regex=True)
    return cells.to_markdown(index=False, disable_numparse=True)


def _data_of(picture: bytes) -> str:
    """Write a picture as the address of an image."""
    kind = "png" if picture.startswith(b"\x89PNG") else "svg+xml"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
