"""The survey's decision trees for a measure, and the project's evidence on what they advise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from skewproof.audits.card import contours_as_png
from skewproof.audits.choosing.catalog import CatalogEntry, load_catalog, read_yaml
from skewproof.audits.choosing.evidence import Evidence, evidence
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.core.registry import nearest
from skewproof.metrics import METRICS
from skewproof.reporting.shown_formula import set_in_math, typed, typed_matrix
from skewproof.reporting.summary import Summarized, Summary
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import INVARIANT

Answers = Mapping[str, str]
"""Answers by the key of their question."""


@dataclass(frozen=True)
class Advice:
    """A leaf of the tree: the survey's advice and its source."""

    measures: tuple[str, ...]
    advice: str
    source: str
    origin: str
    """Origin of the questions that lead to it."""


class Answer(NamedTuple):
    """A possible answer in words, and the node that follows."""

    text: str
    following: Question | Advice


@dataclass(frozen=True)
class Question:
    """A question with its possible answers."""

    key: str
    text: str
    answers: Mapping[str, Answer]


class Examined(NamedTuple):
    """A measure with its evidence, or with None if nothing was examined."""

    entry: CatalogEntry
    evidence: Evidence | None


@dataclass(frozen=True, repr=False)
class Recommendation(Summarized):
    """Advice with the measures that it names, by their keys, and their evidence."""

    answers: Answers
    advice: Advice
    measures: Mapping[str, Examined]

    @property
    def warnings(self) -> list[str]:
        """Warnings on the survey's measures for imbalanced data that imbalance changes."""
        return [
            render(
                "skewproof.audits.choosing", "warning.md.jinja", entry=entry, evidence=examined
            ).strip()
            for entry, examined in self.measures.values()
            if examined is not None and entry.balance == "imbalanced" and examined.type != INVARIANT
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the recommendation as a dictionary for JSON."""
        measures = [
            {
                "measure": key,
                "name": entry.name,
                "function": entry.function,
                "options": dict(entry.options),
                "evidence": None if examined is None else examined.to_dict(),
            }
            for key, (entry, examined) in self.measures.items()
        ]
        return {
            "answers": dict(self.answers),
            "advice": self.advice.advice,
            "source": self.advice.source,
            "origin": self.advice.origin,
            "measures": measures,
            "warnings": self.warnings,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each measure that the advice names."""
        rows = [_row(entry, examined) for entry, examined in self.measures.values()]
        return pd.DataFrame(rows)

    def to_markdown(self) -> str:
        """Return the recommendation as Markdown."""
        rows = [
            _row(entry, examined) | {"function": entry.function_with_options}
            for entry, examined in self.measures.values()
        ]
        return render(
            "skewproof.audits.choosing",
            "recommendation.md.jinja",
            advice=self.advice,
            measures=list(self.measures.values()),
            rows=pd.DataFrame(rows),
            warnings=self.warnings,
        )

    def _repr_html_(self) -> str:
        formulas = {
            name: set_in_math(metric(typed_matrix())) for name, metric in self._metrics().items()
        }
        pictures = [
            png
            for metric in self._metrics().values()
            for png in contours_as_png(metric, DEFAULT_LEVELS)
        ]
        return self.summary().to_html(formulas=formulas, pictures=pictures)

    def _metrics(self) -> dict[str, Metric]:
        """Return those of the measures that are metrics of two classes, by their names."""
        functions = {
            entry.name: (entry.function or ":").split(":") for entry, _ in self.measures.values()
        }
        return {
            name: METRICS[key]
            for name, (module, key) in functions.items()
            if module.startswith("skewproof.metrics.") and key in METRICS
        }

    def summary(self) -> Summary:
        """Return the summary of the recommendation."""
        entries = [entry for entry, _ in self.measures.values()]
        warnings = [f"Warning. {warning}" for warning in self.warnings]
        functions = [
            f"Function of {entry.name}: {entry.function_with_options}" for entry in entries
        ]
        legend = " ".join(render("skewproof.audits.choosing", "legend.md.jinja").split())
        rows = pd.DataFrame([_row(*measure) for measure in self.measures.values()])
        filled = rows.loc[:, (rows != "").any()]
        examined = [
            {"measure": entry.name, "examined": evidence.examined}
            for entry, evidence in self.measures.values()
            if evidence is not None and evidence.examined
        ]
        return Summary(
            ", ".join(entry.name for entry in entries),
            verdict=f"{self.advice.advice} (Survey, {self.advice.source})",
            paragraphs=[*warnings, *functions, self.advice.origin, legend],
            facts=[
                (name, typed(metric(typed_matrix()))) for name, metric in self._metrics().items()
            ],
            tables={"Effect of imbalance": filled.to_dict("records")}
            | ({"Examined": examined} if examined else {}),
        )


def _row(entry: CatalogEntry, examined: Evidence | None) -> dict[str, str]:
    return {
        "measure": entry.name,
        "type": "not examined" if examined is None else str(examined.type),
        "shift": "" if examined is None else f"{examined.shift:.3f}",
        "Condition 1": "" if examined is None else examined.condition_1,
        "Condition 2": (examined and examined.condition_2) or "",
        "Condition 3": (examined and examined.condition_3) or "",
    }


def load_tree() -> Question:
    """Load the survey's questions.

    The file has the origin of the questions below each answer to the first one, the text of each
    question by its key, and the first question.
    """
    data = read_yaml("tree.yaml")
    root = _node(data["tree"], data, origin="")
    assert isinstance(root, Question)
    return root


def _node(node: Any, data: Any, origin: str) -> Question | Advice:
    """Return a node with all below it; the root has no origin, and gives each answer its own."""
    if "question" not in node:
        return Advice(tuple(node["measures"]), node["advice"], node["source"], origin)
    answers = {
        answer: Answer(below["text"], _node(below, data, origin or data["origins"][answer]))
        for answer, below in node["answers"].items()
    }
    return Question(node["question"], data["questions"][node["question"]], answers)


def leaves(node: Question | Advice) -> Iterator[tuple[Answers, Advice]]:
    """Yield every path through the questions, with the advice at its end."""
    if isinstance(node, Advice):
        yield {}, node
        return
    for name, answer in node.answers.items():
        for answers, advice in leaves(answer.following):
            yield {node.key: name} | dict(answers), advice


def choose(**answers: str) -> Recommendation:
    """Recommend measures by the survey's questions, and examine them.

    Parameters
    ----------
    **answers
        The answer to each question by its key. The first question is `problem`, and the answers
        determine which questions follow. The error for a question without an answer lists those
        that are possible.

    Raises
    ------
    ValueError
        If a question has no answer or not one of the possible ones, or if an answer is to a
        question that the others do not lead to.
    MissingExtraError
        If PyYAML or Jinja is not installed.

    Examples
    --------
    >>> from skewproof import choose
    >>> choose(problem="ranking")
    Traceback (most recent call last):
    ...
    ValueError: goal is not given: What should the measure put first? expected one of \
false-positives, false-negatives, high-ranks
    >>> list(choose(problem="ranking", goal="false-negatives").measures)
    ['recall_at_k']
    """

    def refuse(question: Question) -> str:
        raise ValueError(
            f"{question.key} is not given: {question.text} expected one of"
            f" {', '.join(question.answers)}"
        )

    return recommend(*follow(load_tree(), answers, refuse))


def follow(
    tree: Question, given: Answers, ask: Callable[[Question], str]
) -> tuple[Answers, Advice]:
    """Follow answers, and ask the questions without one, until there is advice.

    Raises
    ------
    ValueError
        If an answer is not one of the possible ones, or its question is not among those that the
        others lead to.
    """
    node: Question | Advice = tree
    answers: dict[str, str] = {}
    while isinstance(node, Question):
        answer = given[node.key] if node.key in given else ask(node)
        answers[node.key] = check_answer(node, answer)
        node = node.answers[answer].following
    unused = [key for key in given if key not in answers]
    if unused:
        raise ValueError(
            f"{', '.join(unused)}: not among the questions, which were {', '.join(answers)}"
        )
    return answers, node


def check_answer(question: Question, answer: str) -> str:
    """Refuse an answer that is not one of the possible ones.

    Raises
    ------
    ValueError
        If it is not; the message lists the possible answers and suggests the nearest.
    """
    if not isinstance(answer, str) or answer not in question.answers:
        raise ValueError(
            f"{question.key} = {shown(answer)}: expected one of {', '.join(question.answers)}"
            + nearest(answer, question.answers)
        )
    return answer


def examine(keys: Iterable[str]) -> dict[str, Examined]:
    """Return measures of the catalog with their evidence, by key; each takes at most a second."""
    catalog = load_catalog()
    return {key: Examined(catalog[key], evidence(catalog[key])) for key in keys}


def recommend(answers: Answers, advice: Advice) -> Recommendation:
    """Examine the measures of a leaf."""
    return Recommendation(answers, advice, examine(advice.measures))
