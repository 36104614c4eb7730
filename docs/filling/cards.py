"""The pages of metrics: what a metric is for, its contours and its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from skewproof import audit, find
from skewproof.audits.card import Card
from skewproof.audits.finding import Meaning
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.operating_points import exchange_rate

MOST_NAMES = 6

GRID_CARD = """\
:::{{grid-item-card}} {name}
:link: cards/{key}
:link-type: doc
:img-top: cards/{key}.png
`{key}`
:::
"""


def grid_of_cards(cards: Iterable[str]) -> str:
    """Return the grid that leads to the pages, given the card of each page in it."""
    return f"::::{{grid}} 1 1 2 2\n:gutter: 3\n\n{''.join(cards)}::::\n"


def write_card(folder: Path, key: str) -> str:
    """Write the page and the picture of a metric, and return its card in the grid."""
    metric = METRICS[key]
    card = audit(metric)
    card.plot().savefig(folder / f"{key}.png", dpi=100)
    _, _, _, *rest = card.to_markdown().split("\n")  # the head has the formula
    page = "\n".join([card_head(metric, card), "\n## In numbers\n", *rest])
    (folder / f"{key}.md").write_text(page, encoding="utf-8")
    return GRID_CARD.format(key=key, name=_sentence(metric.name))


def card_head(metric: Metric, card: Card) -> str:
    """Return the head of a page, in Markdown, computed from the card and from the atlas."""
    (meaning,) = (each for each in find(metric.key).meanings if each.key == metric.key)
    last = card.sigma[-1]
    verdicts = {row["verdict"] for row in card.invariance}
    lines = [
        f"# {_sentence(metric.name)}",
        f"$$\n{card.latex}\n$$",
        f"`{metric.key}`, from {metric.source}. {_other_names(metric, meaning)}",
        "[All metrics](../metrics.md) · [What the numbers mean](../theory.md) ·"
        " [Which metric to report](../../guide/which_metric.md)",
        f"![Contours of {metric.key} at five levels]({metric.key}.png)",
    ]
    if verdicts == {"same"}:
        lines.append(
            "**Verdict.** Does not change with imbalance: proved."
            "\n\n**Use it** to compare classifiers on data sets, months or places with different"
            " shares of positives."
            "\n\n**Do not use it** to say how many alarms are false where positives are rare: it"
            " gives one value to a classifier at every share of positives."
        )
    elif card.invariance[-1]["verdict"] == "differs":
        level = last["level"]
        evidence = card.invariance[-1]["evidence"].replace(" here,", f" at {level},")
        lines.append(
            f"**Verdict.** Changes with imbalance: {evidence}. The"
            f" mean shift from 1:1 to {level}, in ranges of the metric, is"
            f" {last['mean_shift']:.2f}."
            "\n\n**Use it** at the share of positives where the classifier will run:"
            f' `interval("{metric.key}", matrix, at="1:1000")`.'
            "\n\n**Do not use it** to compare data sets with different shares of positives"
            + (f"; compare `{metric.key}_i` there." if f"{metric.key}_i" in METRICS else ".")
        )
    if metric.direction not in ("target", "none"):
        negative = exchange_rate(metric).negative
        if negative not in ("nowhere", "unknown"):
            lines.append(
                f"**Beware.** It rewards a false alarm where {negative}, with u the true and v the"
                " false positive rate."
            )
    like = {
        "Equal to": meaning.equal,
        "Linear function of": meaning.linear,
        "Ranks classifiers in the same order at 1:1 as": meaning.same_order_1_1[:MOST_NAMES],
    }
    lines += [f"**{what}** {_keys(keys)}." for what, keys in like.items() if keys]
    return "\n\n".join(lines)


def _sentence(name: str) -> str:
    return f"{name[0].upper()}{name[1:]}"


def _keys(keys: list[str]) -> str:
    """Return the keys of measures, with a link to the page of each that has one."""
    return ", ".join(f"[`{key}`]({key}.md)" if key in METRICS else f"`{key}`" for key in keys)


def _other_names(metric: Metric, meaning: Meaning) -> str:
    """Return the names that most communities use."""
    names = Counter(each["name"] for each in meaning.names if each["name"] != metric.name)
    shown = [name for name, _ in names.most_common(MOST_NAMES)]
    return f"Also called {', '.join(shown)}." if shown else ""
