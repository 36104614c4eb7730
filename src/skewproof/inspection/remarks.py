"""Remarks on the rows that change conclusions, each with a number."""

from __future__ import annotations

from skewproof.inspection.facts import Facts

REMARKS = (
    ("one_class", "All labels ({f.labeled:,}) are {f.rarest}: metrics need rows of another class."),
    ("one_prediction", "All predictions ({f.predicted.known:,}) are {f.predicted.example}."),
    ("equal", "{p} equals {t} in all {f.labeled:,} labeled rows: is one a copy of the other?"),
    ("perfect", "The AUC of {s} is 1: does it know the labels (a leak)?"),
    (
        "chosen",
        "Both classes have exactly {f.chosen:,} rows, as if they were chosen: state the share of"
        " {f.label} where the classifier will run (--at).",
    ),
    ("partly_labeled", "{f.labeled:,} of {f.number:,} rows have a label."),
    (
        "labeled_shares",
        "A label is known for {f.labeled_shares[0]:.0%} of the rows called {f.label}, and for"
        " {f.labeled_shares[1]:.0%} of the others.",
    ),
    (
        "flattered",
        "Counted together, labeled rows flatter recall; score-labels estimates that of all rows.",
    ),
    (
        "width",
        "{f.least:,} rows of {f.rarest}, the rarest class: the interval of"
        " {f.metric} is {f.width:.2f} wide, from {f.interval.low:.2f} to {f.interval.high:.2f}.",
    ),
    ("groups", "{f.groups.name} has {f.groups.distinct:,} values in {f.groups.known:,} rows."),
    (
        "effect",
        "The design effect of the {f.effect[rate]} is {f.effect[value]:.2f}: {f.effect[rows]:,.0f}"
        " rows count as {f.effect[worth]:,.0f}. The commands have --groups.",
    ),
    ("copies", "{f.copies:,} of {f.number:,} rows are copies of others in all columns."),
    (
        "confidence",
        "{f.confidence.name} is at least {f.confidence.low:.2g} in each row: it is the probability"
        " of the predicted class, whichever that is.",
    ),
    ("few_scores", "{s} has no more than {f.score.distinct} different values, or cut-offs."),
    (
        "backwards",
        "The AUC of {s} is {f.auc:.2f}: low scores belong to {f.label}. Is another class of"
        " interest (--pos-label), or has the score the wrong sign?",
    ),
    (
        "means",
        "The mean of {s} is {f.means[1]:.2g}, and the share of {f.label} is {f.means[0]:.2g}.",
    ),
    (
        "balanced",
        "Adjusted from 1:1, the mean is {f.means[2]:.2g}, as after training on balanced data"
        " (decide --trained 1:1).",
    ),
    ("unexplained", "No cut-off of {s} explains {p}: {f.unexplained:,} rows or more differ."),
    ("equal_models", "{f.equal_models} are equal in all {f.number:,} rows."),
    (
        "split",
        "{f.split.name} has {f.split.distinct:,} values: rows of folds come from several models,"
        " and rows of a training set flatter the classifier.",
    ),
)
"""Facts, each with the remark if it is not empty, in the order of the output."""


def remarks(facts: Facts) -> list[str]:
    """Return the remarks on the rows, those that question the rows themselves first."""
    names = {"t": facts.roles.true, "p": facts.roles.predicted, "s": facts.roles.score}
    return [text.format(f=facts, **names) for fact, text in REMARKS if getattr(facts, fact)]
