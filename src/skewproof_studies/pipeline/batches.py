"""Batches of a study's levels and metrics, which later starts keep.

A job takes longer to start than to compute a metric, so that many metrics share one. Jobs of many
batches can run in parallel, also on many machines. If a later start of the study finds new levels
or metrics, these make batches of their own: the jobs of the earlier batches are the same as before,
and none of their results is computed again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

Batches = dict[str, list[str]]
"""Members by the batch's name. Names are numbers from 1 and are never reused."""


LARGEST = {"levels": 50, "metrics": 200}
"""Largest numbers of members of a new batch. Larger batches save little: a job that computes the
exact indices of so many metrics at so many levels runs a hundred times as long as it takes to
start."""


def batched(
    wanted: Sequence[str], recorded: Mapping[str, Sequence[str]], *, largest: int
) -> Batches:
    """Assign members to the batches of earlier starts, and put new ones into further batches.

    Parameters
    ----------
    wanted
        Levels or metrics, each once.
    recorded
        Batches of earlier starts.
    largest
        Largest number of members of a new batch.

    Returns
    -------
    Batches with at least one of these members, without any others.
    """
    all_wanted = set(wanted)
    known = {member for members in recorded.values() for member in members}
    batches = {
        name: [member for member in members if member in all_wanted]
        for name, members in recorded.items()
    }
    new = [member for member in wanted if member not in known]
    for number, first in enumerate(range(0, len(new), largest), start=1 + len(recorded)):
        batches[str(number)] = new[first : first + largest]
    return {name: members for name, members in batches.items() if members}


def parted(
    batches: Batches, recorded: Mapping[str, Sequence[str]], *, largest: int
) -> dict[str, Batches]:
    """Split batches into parts, one per job, at least two so that two cores have work.

    Parameters
    ----------
    batches, recorded
        Result of :func:`batched`, and the batches of earlier starts. A member that is no longer
        needed leaves its part and changes no other part.
    largest
        Largest number of members of a part.

    Returns
    -------
    The non-empty parts of each batch by name, numbers from 1.

    Examples
    --------
    >>> parted({"1": ["1:1", "1:2", "1:10", "1:100", "1:1000"]}, {}, largest=16)
    {'1': {'1': ['1:1', '1:2', '1:10'], '2': ['1:100', '1:1000']}}
    """
    parts = {}
    for name, members in batches.items():
        whole = recorded.get(name, members)
        count = math.ceil(len(whole) / min(largest, math.ceil(len(whole) / 2)))
        size = math.ceil(len(whole) / count)
        firsts = enumerate(range(0, len(whole), size), start=1)
        as_recorded = {str(number): whole[first : first + size] for number, first in firsts}
        parts[name] = batched(members, as_recorded, largest=largest)
    return parts


def merged(recorded: Mapping[str, Sequence[str]], batches: Batches) -> Batches:
    """Return the batches to record: earlier ones unchanged, and the new ones."""
    return {name: list(members) for name, members in {**batches, **recorded}.items()}


def read_batches(path: Path | None) -> dict[str, Batches]:
    """Read the batches of levels and of metrics that a file records; without a file there are none.

    Raises
    ------
    ValueError
        If the file was not written by a run.
    """
    if path is None or not path.is_file():
        return {"levels": {}, "metrics": {}}
    try:
        recorded = json.loads(path.read_text(encoding="utf-8"))
        return {kind: _as_batches(recorded[kind]) for kind in ("levels", "metrics")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(
            f"{path}: not a record of batches; remove it, and all results are computed again"
        ) from None


def _as_batches(recorded: Mapping[str, Sequence[str]]) -> Batches:
    if any(not isinstance(member, str) for members in recorded.values() for member in members):
        raise TypeError
    return {str(int(name)): list(members) for name, members in recorded.items()}
