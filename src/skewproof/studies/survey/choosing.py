"""Which measure the survey advises, by its decision trees, and what this project measured of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from skewproof.core.registry import nearest
from skewproof.studies.survey.catalog import CatalogEntry, CatalogError, load_catalog, read_yaml
from skewproof.studies.survey.evidence import INVARIANT, Evidence, evidence

_LEGEND = """\
Type 5 is the same at every level from 1:1 to 1:1000, Type 1 at none but the first. The shift is the
mean over all classifiers, clusterings or rankings of the change from 1:1 to 1:1000, in ranges of
the measure. Condition 1: the class sizes leave the value as it is. Conditions 2 and 3 of Mullick et
al. are on more than two classes and are not examined here."""

Answers = Mapping[str, str]
"""What was answered, by the key of the question."""

Ask = Callable[["Question"], str]
"""Gives the answer to a question."""


@dataclass(frozen=True)
class Advice:
    """A leaf: what the survey advises, and where."""

    measures: tuple[str, ...]
    advice: str
    source: str


@dataclass(frozen=True)
class Question:
    """A question with its possible answers; each has a text and leads to a question or advice."""

    key: str
    text: str
    answers: Mapping[str, tuple[str, Question | Advice]]


@dataclass(frozen=True)
class Recommendation:
    """Advice with its evidence; the evidence is None where there is none."""

    answers: Answers
    advice: Advice
    measures: Mapping[str, tuple[CatalogEntry, Evidence | None]]

    @property
    def warnings(self) -> list[str]:
        """Where the survey has a measure for imbalanced data that imbalance changes."""
        return [
            f"{measure.name}: the survey has it for imbalanced data, and it is of Type"
            f" {found.type}{found.examined and f' (examined: {found.examined})'}. From 1:1 to"
            f" 1:1000 its value moves by {found.shift:.2f} of its range in the mean, though the"
            " model errs as before."
            for measure, found in self.measures.values()
            if found is not None and measure.balance == "imbalanced" and found.type != INVARIANT
        ]

    def to_dict(self) -> dict[str, Any]:
        """The recommendation as JSON has it."""
        measures = [
            {
                "measure": key,
                "name": measure.name,
                "function": measure.function,
                "evidence": None if found is None else found.to_dict(),
            }
            for key, (measure, found) in self.measures.items()
        ]
        return {
            "answers": dict(self.answers),
            "advice": self.advice.advice,
            "source": self.advice.source,
            "measures": measures,
            "warnings": self.warnings,
        }

    def to_markdown(self) -> str:
        """The recommendation as Markdown."""
        rows = [_row(*of_one) for of_one in self.measures.values()]
        examined = [
            f"- {measure.name}: {found.examined}"
            for measure, found in self.measures.values()
            if found is not None and found.examined
        ]
        parts = [
            f"# {', '.join(measure.name for measure, _ in self.measures.values())}",
            f"{self.advice.advice} (Survey, {self.advice.source})",
            pd.DataFrame(rows).to_markdown(index=False, disable_numparse=True),
            _LEGEND,
        ]
        if examined:
            parts.append("\n".join(["What was examined:", "", *examined]))
        parts += [f"**Warning.** {warning}" for warning in self.warnings]
        return "\n\n".join(parts) + "\n"


def _row(measure: CatalogEntry, found: Evidence | None) -> dict[str, str]:
    return {
        "measure": measure.name,
        "type": "not examined" if found is None else str(found.type),
        "shift": "" if found is None else f"{found.shift:.3f}",
        "Condition 1": "" if found is None else found.condition_1,
        "Condition 2": (found and found.condition_2) or "",
        "Condition 3": (found and found.condition_3) or "",
        "function": measure.function or "none",
    }


def load_tree() -> Question:
    """The survey's questions."""
    return parse_tree(read_yaml("choosing.yaml"), load_catalog())


def parse_tree(data: Any, measures: Mapping[str, CatalogEntry]) -> Question:
    """Check the data of the questions.

    Parameters
    ----------
    data
        As YAML has it: `questions`, the text of each by its key, and `tree`, the first of them.
    measures
        The measures that advice may name.

    Raises
    ------
    CatalogError
        If a field is missing or unknown, or a question or a measure is.
    """
    _check_fields(data, ["questions", "tree"], "the file")
    root = _parse_node(data["tree"], "tree", data["questions"], measures)
    if isinstance(root, Advice):
        raise CatalogError("tree is advice: expected a question")
    return root


def _parse_node(
    data: Any, place: str, questions: Mapping[str, str], measures: Mapping[str, CatalogEntry]
) -> Question | Advice:
    if isinstance(data, Mapping) and "question" in data:
        _check_fields(data, ["text", "question", "answers"], place)
        key = _known(data["question"], questions, "question", place)
        answers = {}
        for answer, node in data["answers"].items():
            following = _parse_node(node, f"{place}.{answer}", questions, measures)
            answers[answer] = node["text"], following
        return Question(key, questions[key], answers)
    _check_fields(data, ["text", "measures", "advice", "source"], place)
    keys = tuple(_known(key, measures, "measure", place) for key in data["measures"])
    return Advice(keys, data["advice"], data["source"])


def _check_fields(data: Any, fields: list[str], place: str) -> None:
    if not isinstance(data, Mapping) or set(data) != set(fields):
        found = ", ".join(map(str, data)) if isinstance(data, Mapping) else repr(data)
        raise CatalogError(f"{place} has {found}: expected {', '.join(fields)}")


def _known(key: str, known: Mapping[str, Any], kind: str, place: str) -> str:
    if key not in known:
        raise CatalogError(f"{place}: no {kind} {key!r}{nearest(str(key), known)}")
    return key


def leaves(node: Question | Advice) -> Iterator[tuple[Answers, Advice]]:
    """Every way through the questions, with the advice at its end."""
    if isinstance(node, Advice):
        yield {}, node
        return
    for answer, (_, following) in node.answers.items():
        for answers, advice in leaves(following):
            yield {node.key: answer} | dict(answers), advice


def choose(tree: Question, ask: Ask) -> tuple[Answers, Advice]:
    """Ask questions until there is advice.

    Parameters
    ----------
    tree
        The first question.
    ask
        Gives the answer to a question.

    Raises
    ------
    ValueError
        If an answer is not one of the possible ones.
    """
    node: Question | Advice = tree
    answers: dict[str, str] = {}
    while isinstance(node, Question):
        answer = ask(node)
        answers[node.key] = check_answer(node, answer)
        node = node.answers[answer][1]
    return answers, node


def check_answer(question: Question, answer: str) -> str:
    """Refuse an answer that is not one of the possible ones.

    Raises
    ------
    ValueError
        It names the possible answers, and the nearest.
    """
    if answer not in question.answers:
        raise ValueError(
            f"{question.key} = {answer!r}: expected one of {', '.join(question.answers)}"
            + nearest(answer, question.answers)
        )
    return answer


def recommend(answers: Answers, advice: Advice) -> Recommendation:
    """Examine the measures of a leaf; a second each at most."""
    measures = load_catalog()
    found = {key: (measures[key], evidence(measures[key])) for key in advice.measures}
    return Recommendation(answers, advice, found)
