"""Card of a metric as JSON, Markdown, text on a terminal, and HTML in a notebook."""

from __future__ import annotations

import dataclasses
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skewproof.core.algebra import Value
from skewproof.core.extras import MissingExtraError
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.operating_points.demands import worth_in_words
from skewproof.reporting.shown_formula import set_in_math
from skewproof.reporting.summary import Summarized, Summary, json_number
from skewproof.sensitivity.behavior_types import DIFFERS, ROUNDED_SHIFT, SAME, UNDECIDED
from skewproof.sensitivity.surfaces.grid import surface

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GRID = 100
"""Points along each axis of contours and deviations."""

PROVED, FOUND, DECLARED = "proved", "found by search", "declared"
"""Support for a range: a proof by interval arithmetic that no value lies beyond it, a search, or
the metric's declaration, where a bound is infinite or values cannot be searched."""

DOTS_PER_INCH = 100
"""Resolution of the contours in a notebook: about 50 kB."""

HEADERS = {
    "s1_tp": "index of tp",
    "s1_fp": "index of fp",
    "s12": "interaction",
    "sigma": "Sigma",
    "mean_shift": "mean shift",
    "mean_shift_error": "its error",
    "hit_is_worth": "false alarms worth a hit",
    "best_tpr": "TPR",
    "best_fpr": "FPR",
    "rank_correlation": "rank correlation",
}
"""Headers of a card's tables in Markdown."""


@dataclass(frozen=True, repr=False)
class Card(Summarized):
    """Result of the audit of a metric; every list is in the order of the levels.

    A notebook shows it with its formula typeset and, if Matplotlib is installed, its contours;
    ``print(card.to_text())`` is for a terminal.

    Examples
    --------
    >>> from skewproof import audit
    >>> card = audit("f1")
    >>> card.formula, card.low, card.high
    ('2*tp/(2*tp + fp + fn)', 0.0, 1.0)
    """

    key: str
    title: str
    """The formula if one was given, else the key."""
    formula: str
    """The formula as it is typed."""
    latex: str
    positives: float
    """Number of positives at every level; everything below is computed for it."""
    levels: list[str]
    """The levels, the baseline first."""
    at: str | None
    """Level of the stated prevalence `at`, one of the levels; None if none was given."""
    low: float
    """Smallest value over all classifiers at all levels, to about 1e-9; -inf without a bound."""
    high: float
    """Largest value; inf without a bound."""
    range_support: str
    """"proved", "found by search" or "declared"."""
    scale: str
    """The map to [0, 1] after which indices and deviations are computed."""
    undefined: list[str]
    """Edges and corners of the square of all (tp, fp) on which the metric divides 0 by 0."""
    normalized: str
    """The metric of the rates, rescaled to [0, 1] if it is bounded, as it is typed."""
    normalized_latex: str
    invariance: list[dict[str, str]]
    """A row for each level but the baseline: level, verdict, and the proof or counterexample."""
    indices: list[dict[str, Any]]
    """A row for each level: level, exact s1_tp and s1_fp, s12. If any of them is None, a further
    column gives the reason."""
    sigma: list[dict[str, Any]]
    """A row for each level but the baseline, for the metric scaled to [0, 1]: level; sigma; points,
    the number of grid points that it adds up; mean_shift, the integral of
    :func:`skewproof.sensitivity.mean_shift`; and mean_shift_error, its error estimate. If any of
    them is None, a further column gives the reason."""
    type: int | str
    """Type by the contours on a grid of 100 by 100 points, 1 to 5 or mixed (Table 4 of van Zyl and
    Engelbrecht)."""
    demands: list[dict[str, Any]]
    """Consequences of optimizing the metric: a row for each level and one for the limit of rare
    positives, with hit_is_worth, the number of false alarms that it trades for a hit at the TPR 0.9
    and the FPR 0.1, and best_tpr and best_fpr, its best point on
    :class:`skewproof.operating_points.BinormalCurve` with the mean 2."""
    identities: list[str]
    """Registered metrics that it equals or is a linear function of. One without a proof says on how
    many matrices it holds."""
    nearest: list[dict[str, Any]]
    """The registered metrics that order confusion matrices most alike: metric, rank_correlation;
    empty for a metric that is constant where every cell is filled."""
    metric: Metric | None = field(repr=False, compare=False)
    """The metric with its bounds, whose contours a notebook shows; None in a card that was pickled,
    since not every metric can be."""
    expressions: tuple[Value, Value] = field(repr=False, compare=False)
    """The formula and the normalized formula, in SymPy."""

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"metric": None}

    @property
    def verdict(self) -> str:
        """Effect of imbalance on the metric, in a sentence with the evidence."""
        verdicts = [row["verdict"] for row in self.invariance]
        if DIFFERS in verdicts:
            moved = [row for row in self.invariance if row["verdict"] == DIFFERS]
            (row,) = [row for row in moved if row["level"] == self.at] or moved[-1:]
            evidence = f"{row['evidence']} (u = tp/P, v = fp/N)"
            return f"Imbalance changes it, as at {row['level']}: {evidence}."
        if UNDECIDED in verdicts:
            return (
                "Undecided: neither a proof that imbalance does not change it nor a counterexample."
            )
        return f"Imbalance does not change it: it is {self.invariance[-1]['evidence']}."

    @property
    def there(self) -> str:
        """Behavior of the metric at the level `at`, in sentences; empty without such a level."""
        if self.at is None:
            return ""
        (index,) = [row for row in self.indices if row["level"] == self.at]
        hits, false_alarms = index["s1_tp"], index["s1_fp"]
        said = f"At {self.at} the indices are not resolved."
        if hits is not None and false_alarms is not None:
            said = (
                f"At {self.at} the true positives alone explain {hits:.1%} of its variance over all"
                f" classifiers, and the false positives alone explain {false_alarms:.1%}."
            )
        baseline = self.levels[0]
        for verdict, row in zip(self.invariance, self.sigma, strict=True):
            if row["level"] == self.at and verdict["verdict"] == SAME:
                said += f" The same rates give the same values there as at {baseline}."
            elif row["level"] == self.at and row["mean_shift"] is not None:
                said += (
                    f" The same rates give values that differ from those at {baseline} by"
                    f" {row['mean_shift']:.2g} on average, scaled to [0, 1]."
                )
        return said

    @property
    def _setting(self) -> str:
        return f"{self.positives:g} positives at {', '.join(self.levels)}"

    @property
    def _type_in_words(self) -> str:
        """Type, and the levels at which it misses the difference that the verdict shows."""
        unseen = [
            shown["level"]
            for shown, row in zip(self.invariance, self.sigma, strict=True)
            if shown["verdict"] == DIFFERS and row["sigma"] <= ROUNDED_SHIFT * row["points"]
        ]
        text = f"{self.type}, by contours on a grid of {GRID} by {GRID} points"
        return f"{text}; at {', '.join(unseen)} it differs between these points" if unseen else text

    def to_dict(self) -> dict[str, Any]:
        """Return the card as a dictionary for JSON, with infinities as text."""
        facts = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del facts["metric"], facts["expressions"]
        return facts | {end: json_number(facts[end]) for end in ("low", "high")}

    def to_markdown(self) -> str:
        """Return the card as Markdown."""
        import pandas as pd  # takes longer than the rest of a card on a terminal

        lines = [
            f"# {f'`{self.title}`' if self.title != self.key else self.key}",
            f"- Formula: ${self.latex}$",
            *([f"- {self.there}"] if self.at else []),
            f"- Computed for: {self._setting}",
            f"- Range over these levels: {self._range()}",
            f"- Indices and deviations are on the scale: {self.scale}",
            f"- Undefined: {'; '.join(self.undefined) or 'nowhere'}",
            f"- Normalized: ${self.normalized_latex}$",
            f"- Type: {self._type_in_words}",
            f"- Exchange rate: {worth_in_words(self.demands)}",
            *(f"- Identity: {identity}" for identity in self.identities),
        ]
        sections = ["\n".join([lines[0], "", *lines[1:]])]
        for title, rows in self._tables().items():
            shown = pd.DataFrame(
                [
                    {HEADERS.get(name, name): _shown(cell) for name, cell in row.items()}
                    for row in rows
                ]
            )
            table = shown.to_markdown(index=False, disable_numparse=True)
            sections += [f"## {title}", table] if rows else []
        return "\n\n".join(sections) + "\n"

    def plot(self) -> Figure:
        """Draw the contours of the metric, scaled to [0, 1], at the levels of the card.

        Raises
        ------
        MissingExtraError
            If Matplotlib is not installed.
        ValueError
            If the card was pickled, which leaves out its metric.
        """
        if self.metric is None:
            raise ValueError(f"the card of {self.key} was pickled: expected a new audit to plot")
        return contours(self.metric, list(map(Level.parse, self.levels)))

    def _repr_html_(self) -> str:
        levels = list(map(Level.parse, self.levels))
        pictures = [] if self.metric is None else contours_as_png(self.metric, levels)
        formulas = dict(
            zip(("Formula", "Normalized"), map(set_in_math, self.expressions), strict=True)
        )
        return self.summary().to_html(formulas=formulas, pictures=pictures)

    def _range(self) -> str:
        return f"{self.low:.6g} to {self.high:.6g} ({self.range_support})"

    def summary(self) -> Summary:
        """Return the summary of the card."""
        facts = [
            ("Formula", self.formula),
            ("Computed for", self._setting),
            ("Range", f"{self._range()}, over these levels"),
            ("Scale", f"{self.scale} (of indices and deviations)"),
            ("Undefined", "; ".join(self.undefined) or "nowhere"),
            ("Normalized", self.normalized),
            ("Type", self._type_in_words),
            ("Exchange", worth_in_words(self.demands)),
            *(("Identity", identity) for identity in self.identities),
        ]
        there = [self.there] if self.at else []
        return Summary(
            self.title,
            verdict=self.verdict,
            paragraphs=there,
            facts=facts,
            tables=self._tables(),
        )

    def _tables(self) -> dict[str, list[dict[str, Any]]]:
        return {
            "Does it depend on the class sizes?": self.invariance,
            "Exact indices": self.indices,
            "Contour deviation, scaled to [0, 1]": self.sigma,
            "Best point if positives score N(2, 1) and negatives N(0, 1)": self.demands,
            "Nearest known metrics": self.nearest,
        }


def _shown(cell: object) -> str:
    """Write a cell of a table: numbers with three significant digits, nothing for no value."""
    if isinstance(cell, float):
        return "" if math.isnan(cell) else f"{cell:.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return "" if cell is None else str(cell)


def contours(metric: Metric, levels: Sequence[Level]) -> Figure:
    """Draw the contours of a metric with known bounds, scaled to [0, 1], at some levels.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.
    """
    from skewproof.plot.level_contours import contour_figure  # needs Matplotlib

    scaled = bounded(metric)
    surfaces = {
        str(level): surface(scaled, level, DEFAULT_POSITIVES, grid=GRID) for level in levels
    }
    return contour_figure(scaled, surfaces)


def contours_as_png(metric: Metric, levels: Sequence[Level]) -> list[bytes]:
    """Return the contours as a small PNG file; the list is empty without Matplotlib."""
    file = io.BytesIO()
    try:
        contours(metric, levels).savefig(file, format="png", dpi=DOTS_PER_INCH)
    except MissingExtraError:
        return []
    return [file.getvalue()]
