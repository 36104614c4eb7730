"""Strict reading of YAML: repeated keys, unknown tags, excessive aliases and ambiguous numbers are
errors."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from skewproof.core.messages import listed, shortened, shown
from skewproof_studies.settings.faults import MOST_TEXT, MOST_VALUES

MOST_NODES = 2 * MOST_VALUES
"""Largest number of keys and values in a text; values behind an alias count at each of its
places."""

WRONG_SCALAR = (
    yaml.YAMLError,
    ValueError,
    ArithmeticError,
    TypeError,
    AttributeError,
    LookupError,
)
"""Errors of PyYAML at a scalar that does not fit its tag, such as a date with a 13th month."""


EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "timestamp": "a date, such as 2001-12-31",
    "binary": "text in base64",
    "str": "text",
}
"""Description of a value by its YAML tag, for tags that do not fit every text or list."""

STANDARD = "tag:yaml.org,2002:"

OCTAL = re.compile(r"0[0-9_]+")
"""A whole number with a leading zero, which YAML reads in base 8."""


class TextError(ValueError):
    """A text that is not valid YAML, or that has something that is not accepted."""


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML's loader with errors that name the line, the value and what is expected there."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Return the value of a node.

        Raises
        ------
        TextError
            If the value does not fit its tag, or the tag is unknown.
        """
        try:
            return super().construct_object(node, deep)
        except TextError:
            raise
        except WRONG_SCALAR:
            expected = EXPECTED.get(node.tag.removeprefix(STANDARD))
            if expected is None:
                raise
            raise TextError(f"{_place(node)} read as {_tag(node)}: expected {expected}") from None

    def construct_unknown(self, node: yaml.Node) -> Any:
        """Raise an error for an unknown tag."""
        raise TextError(f"{_place(node)} tagged {_tag(node)}: expected a plain value") from None

    def construct_number(self, node: yaml.Node) -> Any:
        """Return a number, or raise an error for octal digits and base 60.

        YAML 1.1 reads 010 as 8 and 1:30 as 90, which hardly anybody means.
        """
        whole = node.tag == f"{STANDARD}int"
        text = node.value if isinstance(node, yaml.ScalarNode) else ""
        digits = text.lstrip("+-")
        if ":" in text or (whole and OCTAL.fullmatch(digits)):
            meant = "" if ":" in text else f", or {digits.lstrip('0_') or 0} for the decimal number"
            base = 60 if ":" in text else 8
            raise TextError(
                f'{_place(node)} a number in base {base}: expected "{text}" for text{meant}'
            )
        return self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)


_Loader.add_constructor(None, _Loader.construct_unknown)
for kind in ("int", "float"):
    _Loader.add_constructor(f"{STANDARD}{kind}", _Loader.construct_number)


def _place(node: yaml.Node) -> str:
    """Return the line of a node, and its value."""
    kinds = {yaml.SequenceNode: "a list", yaml.MappingNode: "a mapping"}
    value = kinds.get(type(node)) or shown(node.value)
    return f"line {node.start_mark.line + 1}: {value} is"


def _tag(node: yaml.Node) -> str:
    short = node.tag
    if short.startswith(STANDARD):
        short = f"!!{short.removeprefix(STANDARD)}"
    return shortened(short)


def read_yaml(text: str) -> Any:
    """Read YAML or JSON of plain values.

    Raises
    ------
    TextError
        If the text is too long or neither YAML nor JSON, a mapping has a key twice, or aliases
        expand to too many values. The message has one line per fault.
    """
    if len(text) > MOST_TEXT:
        raise TextError(f"more than {MOST_TEXT} characters: expected fewer")
    try:
        return json.loads(text, object_pairs_hook=_mapping)
    except json.JSONDecodeError:
        return _read_yaml(text)
    except RecursionError:
        raise TextError("lists or mappings nested too deeply") from None
    except ValueError as error:
        raise TextError(shortened(str(error), 200)) from None


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise TextError(f"key {shown(key)} occurs twice in a mapping")
    return found


def _read_yaml(text: str) -> Any:
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check_size(node)
        faults = list(_key_faults(node, set()))
        if faults:
            raise TextError(listed(faults))
        return loader.construct_document(node)
    except TextError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}: " if mark else ""
        raise TextError(f"{place}{shortened(error.problem or 'not valid YAML', 200)}") from None
    except RecursionError:
        raise TextError("lists or mappings nested too deeply") from None
    except WRONG_SCALAR as error:
        raise TextError(shortened(f"not valid YAML: {error}", 200)) from None


def _check_size(root: yaml.Node) -> None:
    """Raise an error for a node that contains itself, or for aliases that expand to too many
    values."""
    sizes: dict[int, int] = {}

    def size(node: yaml.Node, around: tuple[int, ...]) -> int:
        if id(node) in around:
            line = node.start_mark.line + 1
            raise TextError(f"line {line}: a value that contains itself: expected plain values")
        if id(node) not in sizes:
            inside = (*around, id(node))
            sizes[id(node)] = 1 + sum(size(child, inside) for child in _children(node))
        return sizes[id(node)]

    values = size(root, ())
    if values > MOST_NODES:
        raise TextError(f"{shown(values)} keys and values: expected at most {MOST_NODES}")


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def _key_faults(node: yaml.Node, seen: set[int]) -> Iterator[str]:
    """Yield faults for repeated keys, and for keys that are lists or mappings."""
    if id(node) in seen:
        return
    seen.add(id(node))
    first: dict[tuple[str, str], int] = {}
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else []:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            yield f"line {line}: a list or mapping as a key: expected text"
        elif (key.tag, key.value) in first:
            before = first[key.tag, key.value]
            yield f"line {line}: key {shown(key.value)} is already on line {before}"
        else:
            first[key.tag, key.value] = line
    for child in _children(node):
        yield from _key_faults(child, seen)
