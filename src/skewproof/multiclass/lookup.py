"""The declared measures of any number of classes, and the search for them."""

from typing import Any

from skewproof.core.arguments import expect
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.core.registry import ALIKE, Registry, declared_in, nearest
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import as_metric, each_once, simplified
from skewproof.multiclass import measures
from skewproof.multiclass.declaration import Measure

MEASURES: Registry[Measure] = Registry("measure", declared_in(Measure, measures))
"""The declared measures by key."""

EXPECTED = "a measure of any number of classes, its key or name"


def measures_named(word: str) -> list[Measure]:
    """Find the measures that have a word as key, name or alias, in any spelling.

    Examples
    --------
    >>> [measure.key for measure in measures_named("macro recall")]
    ['acsa']
    """
    form = simplified(word)
    return [
        measure
        for measure in MEASURES.values()
        if form in map(simplified, (measure.key, measure.name, *measure.aliases))
    ]


def as_measure(measure: Any) -> Measure:
    """Convert a user's argument to a measure: a measure, its key, or a name in any spelling.

    Raises
    ------
    KeyError
        If there is no such measure; the message offers a similar key.
    ValueError
        If it is neither a measure nor text.

    Examples
    --------
    >>> as_measure("Macro F1").key
    'macro_f1'
    """
    if isinstance(measure, Measure):
        return measure
    expect(isinstance(measure, str), "metric", measure, EXPECTED)
    if measure in MEASURES:
        return MEASURES[measure]
    named = measures_named(measure)
    if not named:
        longer = [f"; did you mean {key!r}?" for key in MEASURES if measure in key]
        near = longer[0] if longer else nearest(measure, MEASURES, ALIKE)
        raise KeyError(f"no measure of any number of classes {shown(measure)}{near}")
    return named[0]


def as_measures(measures: Any) -> list[Measure]:
    """Convert one or several arguments of :func:`as_measure` to measures without repetition.

    Raises
    ------
    KeyError, ValueError
        As :func:`as_measure`, or if `measures` is empty.
    """
    return each_once(measures, as_measure, EXPECTED)


def as_metric_or_measure(metric: Any) -> Metric | Measure:
    """Convert a user's argument to a metric or measure.

    A key or name that both have, such as "mcc", stands for the metric of two classes.

    Raises
    ------
    KeyError
        If there is neither; the message offers a similar key or name.
    ValueError
        If it is neither a metric, a measure nor text.
    """
    if isinstance(metric, Measure):
        return metric
    if isinstance(metric, str) and metric in MEASURES and metric not in METRICS:
        return MEASURES[metric]
    try:
        return as_metric(metric)
    except KeyError as error:
        measures = measures_named(metric)
        if measures:
            return measures[0]
        message = str(error.args[0])
        near = "" if message.endswith("?") else nearest(metric, MEASURES, ALIKE)
        raise KeyError(f"{message}{near}") from None
