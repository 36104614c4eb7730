"""Immutable collections of metrics and other declared items by their keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import accumulate
from types import ModuleType
from typing import Generic, Protocol, TypeVar

from skewproof.core.arguments import expect, expect_several, expect_text
from skewproof.core.messages import LONGEST_LINE, shortened, shown

LONGEST_WORD = 100
"""Largest number of characters of a word for which a similar spelling is searched."""

ALIKE = 0.8
"""Smallest similarity, by :func:`difflib.get_close_matches`, of a word and the key that is offered
for it. With less, a different word would pass for a misspelling, as informedness for markedness."""


class Keyed(Protocol):
    """An item of a registry."""

    @property
    def key(self) -> str:
        """Self-explanatory name, unique in a registry."""


Item = TypeVar("Item", bound=Keyed)
Value = TypeVar("Value")


class ByKey(Mapping[str, Value], Generic[Value]):
    """An immutable mapping that offers a similar key in place of an unknown one.

    Parameters
    ----------
    kind
        The word for a value in messages, such as "metric".
    values
        The values by key.
    """

    def __init__(self, kind: str, values: Mapping[str, Value]) -> None:
        self.kind, self._values = kind, dict(values)

    def __getitem__(self, key: str) -> Value:
        """Look up a value by its key.

        Raises
        ------
        KeyError
            If no value has the key; the message offers a similar key.

        Examples
        --------
        >>> from skewproof import get_metric
        >>> from skewproof.multiclass import MEASURES
        >>> get_metric("mcc_i").name, MEASURES["cohen_kappa"].source
        ('normalized Matthews correlation coefficient', 'Cohen 1960')
        """
        if not isinstance(key, str) or key not in self._values:
            raise KeyError(f"no {self.kind} {shown(key)}{nearest(key, self._values, ALIKE)}")
        return self._values[key]

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Registry(ByKey[Item]):
    """An immutable collection of items by key, in the given order.

    Parameters
    ----------
    kind
        The word for an item in messages, such as "metric".
    items
        The items.

    Raises
    ------
    ValueError
        If two items have the same key.

    Examples
    --------
    >>> from skewproof.metrics import METRICS, parse_metric
    >>> extended = METRICS.extended([parse_metric("tp/(tp + fp + 1)", key="cautious")])
    >>> "cautious" in extended, "cautious" in METRICS
    (True, False)
    """

    def __init__(self, kind: str, items: Iterable[Item]) -> None:
        by_key: dict[str, Item] = {}
        for item in expect_several("items", items, f"items of the kind {kind!r}"):
            expect(hasattr(item, "key"), "items", item, f"items of the kind {kind!r}, with keys")
            expect(item.key not in by_key, "key", item.key, f"a key that no other {kind} has")
            by_key[item.key] = item
        super().__init__(expect_text("kind", kind), by_key)

    def __repr__(self) -> str:
        keys = list(map(shortened, self))
        ends = accumulate(len(key) + 2 for key in keys)
        kept = sum(end <= LONGEST_LINE for end in ends)
        more = f" and {len(keys) - kept} more" if kept < len(keys) else ""
        kind = f"{self.kind}{'s' * (len(keys) != 1)}"
        return f"Registry of {len(keys)} {kind}: {', '.join(keys[:kept])}{more}"

    def extended(self, items: Iterable[Item]) -> Registry[Item]:
        """Return a new registry with further items after those of this one."""
        return Registry(self.kind, [*self.values(), *items])


def declared_in(kind: type[Item], *modules: ModuleType) -> list[Item]:
    """List the items that modules declare at their top level, in order, without repetition.

    Parameters
    ----------
    kind
        The class of the items.
    modules
        Modules; one that declares an item comes before those that import it.
    """
    items: list[Item] = []
    for module in modules:
        declared = [value for value in vars(module).values() if isinstance(value, kind)]
        items += [item for item in declared if not any(item is other for other in items)]
    return items


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Write the end of a sentence that offers the known spelling nearest to a word, or nothing.

    `alike` is the smallest similarity by :func:`difflib.get_close_matches`, from 0 to 1.
    """
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        return ""
    spellings = {str(name).casefold(): name for name in known}
    matches = get_close_matches(word.casefold(), spellings, n=1, cutoff=alike)
    return f"; did you mean {spellings[matches[0]]!r}?" if matches else ""
