"""Sentences about a change, by hand and for generated tables, recomputed from the counts."""

import functools
import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from skewproof.slices.changes import explain_change
from skewproof.slices.sentences import sentence

COUNTS = ["tp", "fp", "fn", "tn"]
ROW = {
    "metric": "f1",
    "value": 0.48,
    "reference_value": 0.62,
    "difference": -0.14,
    "difference_low": -0.18,
    "difference_high": -0.10,
    "p": 1e-7,
    "p_adjusted": 1e-6,
    "prevalence_part": -0.13,
    "prevalence_part_low": -0.16,
    "prevalence_part_high": -0.11,
    "prevalence_order_min": -0.14,
    "prevalence_order_max": -0.12,
    "classifier_part": -0.01,
    "classifier_part_low": -0.05,
    "classifier_part_high": 0.03,
    "classifier_p_adjusted": 0.7,
    "size_part": 0.0,
    "size_part_low": 0.0,
    "size_part_high": 0.0,
}
FELL = "f1 fell by 0.14 (0.10 to 0.18): "
PREVALENCE, CLASSIFIER = (
    "prevalence -0.13 (-0.16 to -0.11)",
    "the classifier -0.01 (-0.05 to +0.03)",
)
DOUBT = "; the classifier's part cannot be distinguished from 0"


def ends(low, high, part="classifier_part"):
    return {f"{part}_low": low, f"{part}_high": high}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({}, f"{FELL}{PREVALENCE}, {CLASSIFIER}{DOUBT}"),
        # The interval of this slice alone is beyond 0, the adjusted p-value is not below alpha.
        (
            ends(-0.05, -0.002) | {"classifier_p_adjusted": 0.0512},
            f"{FELL}{PREVALENCE}, the classifier -0.01 (-0.05 to 0.00){DOUBT} after adjustment"
            " for all slices (p = 0.051)",
        ),
        (
            ends(-0.05, -0.002) | {"classifier_p_adjusted": 0.01},
            f"{FELL}{PREVALENCE}, the classifier -0.01 (-0.05 to 0.00)",
        ),
        (
            ends(-0.0139, 0.0139) | {"classifier_part": -0.004},
            f"{FELL}nearly all of it is due to prevalence, since no other part exceeds 10% of it:"
            " the classifier -0.01 to +0.01",
        ),
        (ends(0, 0) | {"classifier_part": 0}, f"{FELL}all of it is due to prevalence"),
        (
            ends(0, 0, "prevalence_part") | {"prevalence_part": 0},
            f"{FELL}all of it is due to the classifier",
        ),
        (
            {"size_part": -0.0001} | ends(-0.0002, 0.0, "size_part") | ends(-0.001, 0.001),
            f"{FELL}nearly all of it is due to prevalence, since no other part exceeds 10% of it:"
            " the classifier 0.00 to 0.00, the number of instances 0.00 to 0.00",
        ),
        # Rounded one by one: -.10 and -.05 are not -.14 in all.
        (
            {"prevalence_part": -0.0951, "classifier_part": -0.0451}
            | ends(-0.12, -0.07, "prevalence_part")
            | ends(-0.06, -0.02)
            | {"classifier_p_adjusted": 0.01},
            f"{FELL}prevalence -0.10 (-0.12 to -0.07), the classifier -0.05 (-0.06 to -0.02)",
        ),
        (
            {"prevalence_order_min": -0.14, "prevalence_order_max": -0.09},
            f"{FELL}{PREVALENCE}, {CLASSIFIER}{DOUBT}; depending on the order of exchange,"
            " prevalence's part is -0.14 to -0.09",
        ),
        (
            {"prevalence_part": math.nan, "classifier_part": math.nan},
            f"{FELL}its parts cannot be assessed, since f1 is undefined or infinite with some of"
            " its rates and some of its reference's",
        ),
        (
            ends(-0.29, 0.01, "difference") | {"p_adjusted": 0.06},
            "f1 changed by -0.14 (-0.29 to +0.01), which cannot be distinguished from 0",
        ),
        (
            ends(-0.29, -0.01, "difference") | {"p_adjusted": 0.06},
            "f1 changed by -0.14 (-0.29 to -0.01), which cannot be distinguished from 0 after"
            " adjustment for all slices (p = 0.06)",
        ),
        (
            {"difference": 0.0, "prevalence_part": 0.196, "classifier_part": -0.196}
            | ends(-0.05, 0.058, "difference")
            | ends(0.1, 0.3, "prevalence_part")
            | ends(-0.3, -0.1)
            | {"p_adjusted": 1, "classifier_p_adjusted": 0.01}
            | {"prevalence_order_min": 0.196, "prevalence_order_max": 0.196},
            "f1 changed by 0.00 (-0.05 to +0.06), which cannot be distinguished from 0, but the"
            " classifier's part can: prevalence +0.20 (+0.10 to +0.30), the classifier -0.20"
            " (-0.30 to -0.10)",
        ),
        (
            {"difference": 0.0014, "prevalence_part": 0.0013, "classifier_part": 0.0001}
            | ends(0.001, 0.0018, "difference")
            | ends(0.0011, 0.0015, "prevalence_part")
            | ends(-0.0003, 0.0005)
            | {"prevalence_order_min": 0.0013, "prevalence_order_max": 0.0013},
            "f1 rose by 0.0014 (0.0010 to 0.0018): prevalence +0.0013 (+0.0011 to +0.0015), the"
            f" classifier +0.0001 (-0.0003 to +0.0005){DOUBT}",
        ),
        ({"difference": math.inf, "value": math.inf}, "f1 went from 0.62 to inf"),
    ],
)
def test_a_change_in_words(change, text):
    assert sentence(ROW | change, ("", ""), alpha=0.05, negligible=0.1) == text


# The following results are computed from the counts by separate definitions.

NAN = math.nan


def ratio(above, below):
    if below:
        return above / below
    return math.inf if above else NAN


def of_counts(definition):
    """Convert a function of counts to one of a coalition's prevalence, tpr, fpr and size."""

    def value(prevalence, tpr, fpr, size):
        positives, negatives = size * prevalence, size * (1 - prevalence)
        return definition(
            positives * tpr, negatives * fpr, positives * (1 - tpr), negatives * (1 - fpr)
        )

    return value


def root(tp, fp, fn, tn):
    if tp + fn == 0 or fp + tn == 0:
        return NAN
    inside = tp / (tp + fn) - fp / (fp + tn)
    return math.sqrt(inside) if inside >= 0 else NAN


def root_of_surplus(tp, fp, fn, tn):
    """Compute a root that may be undefined at the shares of one side and the rates of the other."""
    total = tp + fp + fn + tn
    return math.sqrt((tp - fp) / total) if total and tp >= fp else NAN


METRICS = {
    "true_positive_rate": lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "true_negative_rate": lambda tp, fp, fn, tn: ratio(tn, tn + fp),
    "precision": lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "accuracy": lambda tp, fp, fn, tn: ratio(tp + tn, tp + fp + fn + tn),
    "f1": lambda tp, fp, fn, tn: ratio(2 * tp, 2 * tp + fp + fn),
    "laplace": lambda tp, fp, fn, tn: (tp + 1) / (tp + fp + 2),
    "tp*(fp+tn)/(fp*(tp+fn))": lambda tp, fp, fn, tn: ratio(tp * (fp + tn), fp * (tp + fn)),
    "sqrt(tp/P - fp/N)": root,
    "sqrt((tp - fp)/(P + N))": root_of_surplus,
}
CLASSES = {"the positive class": ("tp", "fn"), "the negative class": ("fp", "tn")}
CALLED = {"the positive class": ("tp", "fp"), "the negative class": ("fn", "tn")}
ALPHA, NEGLIGIBLE = 0.05, 0.1


def tables():
    """Draw counts of a reference and of slices, with ties, empty cells, tiny and huge slices."""
    random = np.random.default_rng(26)
    for _ in range(8):
        size = 10 ** random.uniform(0, 7)
        reference = random.integers(0, max(size, 5) * random.random(4) + 2)
        tiny, huge = random.integers(0, 4, (2, 4)), random.integers(1, 10**11, 4)
        emptied = reference * (random.random((2, 4)) < 0.6)
        rates = random.integers(1, 9, 2)
        sizes = 10 * random.integers(1, max(size, 5), 2)
        same_rates = [(k * n // 10, n - k * n // 10) for k, n in zip(rates, sizes, strict=True)]
        (tp, fn), (fp, tn) = same_rates
        same = [3 * tp, fp, 3 * fn, tn]
        moved = reference + random.integers(0, 2 + reference // 10)
        turned = reference[[2, 1, 0, 3]]
        rows = [reference, reference, *tiny, huge, *emptied, [tp, fp, fn, tn], same, moved, turned]
        rows.append(7 * reference)
        yield pd.DataFrame([list(map(int, row)) for row in rows], columns=COUNTS)


def proportions(counts):
    tp, fp, fn, tn = (Fraction(counts[name]) for name in COUNTS)
    total = tp + fp + fn + tn
    return [
        numerator / size if size else None
        for numerator, size in ((tp + fn, total), (tp, tp + fn), (fp, fp + tn))
    ] + [total]


class Recomputed:
    """Values, parts and orders of exchange of a metric on a slice and its reference.

    A rate that is missing on one side is that of the other. The causes are the prevalence, both
    rates together, and the size if the metric is the Laplace estimate.
    """

    def __init__(self, definition, here, there):
        sides = [proportions(here), proportions(there)]
        self.here, self.there = (
            [other if each is None else each for each, other in zip(*pair, strict=True)]
            for pair in (sides, sides[::-1])
        )
        self.function = of_counts(definition)
        self.value, self.reference = (
            definition(*(Fraction(side[name]) for name in COUNTS)) for side in (here, there)
        )
        self.causes = [(0,), (1, 2), *[(3,)] * (definition is METRICS["laplace"])]
        self.coalition = functools.cache(self.coalition_value)

    @property
    def difference(self):
        return self.value - self.reference

    def coalition_value(self, chosen):
        """Compute the value with some causes from the slice and the others from its reference."""
        of_slice = {number for cause in chosen for number in self.causes[cause]}
        sides = [(self.here if number in of_slice else self.there)[number] for number in range(4)]
        if len(self.causes) == 2:
            sides[3] = self.here[3] + self.there[3]
        # A rate that is missing on both sides belongs to a class that nobody has.
        return self.function(*(Fraction(1, 3) if each is None else each for each in sides))

    def changes(self, cause):
        """List the changes by the exchange of a cause, in each order."""
        steps = []
        for order in itertools.permutations(range(len(self.causes))):
            before = frozenset(order[: order.index(cause)])
            steps.append(self.coalition(before | {cause}) - self.coalition(before))
        return steps

    @functools.cached_property
    def parts(self):
        """Parts by name; the size is left out if its part is 0."""
        names = ("prevalence", "the classifier", "the number of instances")
        changes = map(self.changes, range(len(self.causes)))
        return {name: sum(each) / len(each) for name, each in zip(names, changes, strict=False)}


NUMBER = r"[+-]?(?:\d+\.\d+|inf)"
PART = (
    rf"(prevalence|the classifier|the number of instances) ({NUMBER}) \(({NUMBER}) to ({NUMBER})\)"
)
ADJUSTED = (
    r"(?: after adjustment for all slices \(p = (?P<p>[\d.e-]+)\)"
    r"|(?P<no_p>, since its p-value is undefined))?"
)
ORDER = (
    rf"(?P<order>; depending on the order of exchange, prevalence's part is"
    rf" (?P<order_min>{NUMBER}) to (?P<order_max>{NUMBER}))?"
)
PARTS = rf"(?P<parts>{PART}(?:, {PART})*)"
WHERE = r"(?:here|on its reference)"
REMARK = r"; (?:the recall of|only (?:this slice|its reference) has|no instances of) "
FORMS = {
    "undefined": rf"is undefined (?P<places>{WHERE} \(.*?\)(?: and {WHERE} \(.*?\))?)",
    "both infinite": r"is inf here and on its reference",
    "infinite": r"went from (?P<reference>\S+) to (?P<value>\S+)",
    "not assessable": (
        r"is (?P<value>\S+) here and (?P<reference>\S+) on its reference, a difference that cannot"
        r" be assessed: (?P<lost>.*)"
    ),
    "all": (
        rf"(?P<way>fell|rose) by (?P<by>{NUMBER}) \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\): all"
        r" of it is due to (?P<whose>prevalence|the classifier|the number of instances)"
    ),
    "nearly all": (
        rf"(?P<way>fell|rose) by (?P<by>{NUMBER}) \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\):"
        r" nearly all of it is due to (?P<whose>prevalence|the classifier|the number of instances),"
        rf" since no other part exceeds 10% of it: (?P<rest>[^;]*){ORDER}"
    ),
    "parts": (
        rf"(?P<way>fell|rose) by (?P<by>{NUMBER}) \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\):"
        rf" {PARTS}(?P<doubt>; the classifier's part cannot be distinguished from"
        rf" 0{ADJUSTED})?{ORDER}"
    ),
    "no parts": (
        rf"(?P<way>fell|rose) by (?P<by>{NUMBER}) \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\): its"
        r" parts cannot be assessed, since .* is undefined or infinite with some of its rates and"
        r" some of its reference's"
    ),
    "offset": (
        rf"changed by (?P<by>{NUMBER}) \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\), which cannot"
        rf" be distinguished from 0{ADJUSTED}, but the classifier's part can: {PARTS}{ORDER}"
    ),
    "not told": (
        rf"changed by (?P<by>{NUMBER}) \((?P<low>{NUMBER}) to (?P<high>{NUMBER})\), which cannot"
        rf" be distinguished from 0{ADJUSTED}"
    ),
}


def parsed(text, metric):
    assert text.startswith(f"{metric} ")
    said = re.split(REMARK, text.removeprefix(f"{metric} "))[0]
    forms = [
        (form, match) for form, pattern in FORMS.items() if (match := re.fullmatch(pattern, said))
    ]
    assert len(forms) == 1, f"of an unknown form, or of several: {text}"
    return forms[0]


def agrees(printed, number):
    """Check that a printed number is another one, rounded to its decimals, with the right sign."""
    number = float(number)
    if math.isinf(number) or "inf" in printed:
        return float(printed) == number
    half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
    assert len(printed.partition(".")[2]) >= 2
    return abs(float(printed) - number) <= half * (1 + 1e-6) + 1e-9 * abs(number)


def holm(p_values):
    """Compute Holm's definition: the smallest times the number of tests, and so on, increasing."""
    order = sorted(p_values, key=p_values.get)
    adjusted, largest = {}, 0.0
    for number, key in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - number) * p_values[key]))
        adjusted[key] = largest
    return adjusted


def beyond_0(row, part):
    return row[f"{part}_low"] > 0 or row[f"{part}_high"] < 0


COLUMN = {
    "prevalence": "prevalence_part",
    "the classifier": "classifier_part",
    "the number of instances": "size_part",
}


class Checked:
    """A sentence beside its row and what the counts give."""

    def __init__(self, row, here, there, truth, p, classifier_p):
        self.row, self.here, self.there, self.truth = row, here, there, truth
        self.told = p is not None and p < ALPHA and beyond_0(row, "difference")
        self.p, self.classifier_p = p, classifier_p
        self.classifier_told = (
            classifier_p is not None and classifier_p < ALPHA and beyond_0(row, "classifier_part")
        )
        self.form, self.match = parsed(row["sentence"], row["metric"])
        size_ends = [row[f"size_part{end}"] for end in ("", "_low", "_high")]
        self.names = [
            name for name in truth.parts if name != "the number of instances" or any(size_ends)
        ]

    def form_by_the_counts(self):
        truth = self.truth
        if math.isnan(truth.value) or math.isnan(truth.reference):
            return "undefined"
        if math.isinf(truth.value) or math.isinf(truth.reference):
            return "both infinite" if truth.value == truth.reference else "infinite"
        if self.p is None:
            return "not assessable"
        if not self.told:
            return "offset" if self.classifier_told else "not told"
        if not all(math.isfinite(part) for part in truth.parts.values()):
            return "no parts"
        row = self.row
        sizes = {
            name: max(abs(row[f"{COLUMN[name]}_{end}"]) for end in ("low", "high"))
            for name in self.names
        }
        for whose in sizes:
            largest = max(size for name, size in sizes.items() if name != whose)
            if largest == 0:
                return "all"
            if largest <= NEGLIGIBLE * abs(truth.difference):
                return "nearly all"
        return "parts"

    def check(self):
        assert self.form == self.form_by_the_counts()
        self.remarks()
        {
            "undefined": self.undefined,
            "both infinite": lambda: None,
            "infinite": self.values,
            "not assessable": self.not_assessable,
        }.get(self.form, self.difference)()

    def remarks(self):
        """Check the recall that moved, and classes that are empty on one side alone."""
        row, said = self.row, self.row["sentence"]
        moved = row["moved_class"]
        assert ("the recall of" in said) == isinstance(moved, str)
        if isinstance(moved, str):
            cell = {"positive": "tp", "negative": "tn"}[moved]
            recalls = [
                counts[cell] / sum(map(counts.get, CLASSES[f"the {moved} class"]))
                for counts in (self.here, self.there)
            ]
            assert [row["moved_recall"], row["moved_reference_recall"]] == pytest.approx(recalls)
            way = "fell" if recalls[0] < recalls[1] else "rose"
            words = f"the recall of the {moved} class {way} most, from"
            printed = re.search(rf"{words} ({NUMBER}) to ({NUMBER})", said).groups()
            assert printed[0] != printed[1]
            assert all(map(agrees, printed, recalls[::-1]))
        sides = (self.here, "here", self.there), (self.there, "on its reference", self.here)
        for counts, where, others in sides:
            lost = [
                name
                for name, cells in CLASSES.items()
                if any(counts.values())
                and not any(map(counts.get, cells))
                and any(map(others.get, cells))
            ]
            words = f"no instances of {', '.join(lost)} {where}, so that recall there counts as"
            assert (words in said) == bool(lost)

    def undefined(self):
        said = dict(re.findall(rf"({WHERE}) \((.*?)\)", self.match["places"]))
        sides = {
            "here": (self.truth.value, self.here),
            "on its reference": (self.truth.reference, self.there),
        }
        assert set(said) == {where for where, (value, _) in sides.items() if math.isnan(value)}
        for where, why in said.items():
            counts = sides[where][1]
            empty, never = (
                ", ".join(name for name, cells in pairs.items() if not any(map(counts.get, cells)))
                for pairs in (CLASSES, CALLED)
            )
            if not any(counts.values()):
                assert why == "no instances"
            elif empty:
                assert why == f"no instances of {empty}"
            elif never:
                assert why == f"nothing predicted as {never}"
            else:
                assert why == "by its formula"

    def values(self):
        for name in ("value", "reference"):
            assert float(self.match[name]) == pytest.approx(
                float(getattr(self.truth, name)), rel=1e-3
            )

    def not_assessable(self):
        self.values()
        sides = ("here", self.here), ("on its reference", self.there)
        empty = [f"no instances {where}" for where, counts in sides if not any(counts.values())]
        if not empty:
            # Only the root of a number below 0 is undefined where no slice is empty.
            assert self.row["metric"].startswith("sqrt")
            empty = ["it is undefined at rates next to the observed ones"]
        assert self.match["lost"] == " and ".join(empty)

    def difference(self):
        truth, row, match = self.truth, self.row, self.match
        assert row["difference"] == pytest.approx(float(truth.difference), rel=1e-9, abs=1e-12)
        if self.form in ("not told", "offset"):
            assert agrees(match["by"], truth.difference)
            assert agrees(match["low"], row["difference_low"])
            assert agrees(match["high"], row["difference_high"])
        else:
            sign = {"fell": -1, "rose": 1}[match["way"]]
            assert sign * truth.difference > 0
            assert agrees(match["by"], sign * truth.difference)
            printed = {-1: ("high", "low"), 1: ("low", "high")}[sign]
            assert agrees(match["low"], sign * row[f"difference_{printed[0]}"])
            assert agrees(match["high"], sign * row[f"difference_{printed[1]}"])
            assert float(match["low"]) >= 0
        if self.form in ("parts", "offset"):
            self.parts()
        if self.form in ("all", "nearly all"):
            self.all_of_it()
        if self.form in ("parts", "offset", "nearly all"):
            self.order()
        if self.form == "parts":
            assert (match["doubt"] is None) == self.classifier_told
            self.adjusted("classifier_part", self.classifier_p, bool(match["doubt"]))
        if self.form == "not told":
            self.adjusted("difference", self.p, True)

    def adjusted(self, part, p, doubted):
        """Check that the adjusted p-value is printed if the interval alone contradicts it."""
        printed = self.match["p"]
        assert (self.match["no_p"] is not None) == (doubted and p is None)
        assert (printed is not None) == (doubted and p is not None and beyond_0(self.row, part))
        if printed is not None:
            assert float(printed) == pytest.approx(p, rel=0.06)
            assert p >= ALPHA

    def parts(self):
        said = {name: numbers for name, *numbers in re.findall(PART, self.match["parts"])}
        assert list(said) == self.names
        for name, (by, low, high) in said.items():
            assert agrees(by, self.truth.parts[name])
            assert agrees(low, self.row[f"{COLUMN[name]}_low"])
            assert agrees(high, self.row[f"{COLUMN[name]}_high"])
            assert float(low) <= float(by) <= float(high)

    def all_of_it(self):
        others = {
            name: self.truth.parts[name] for name in self.names if name != self.match["whose"]
        }
        share = 0 if self.form == "all" else NEGLIGIBLE
        assert all(
            abs(part) <= share * abs(self.truth.difference) + 1e-15 for part in others.values()
        )
        if self.form == "nearly all":
            said = re.findall(rf"([a-z ]+?) ({NUMBER}) to ({NUMBER})", self.match["rest"])
            assert [name.strip() for name, *_ in said] == list(others)
            for name, *both in said:
                for printed, end in zip(both, ("low", "high"), strict=True):
                    assert agrees(printed, self.row[f"{COLUMN[name.strip()]}_{end}"])

    def order(self):
        changes = self.truth.changes(0)
        low, high = min(changes), max(changes)
        share = (high - low) / abs(self.truth.difference) if self.truth.difference else math.inf
        if high == low:
            share = 0
        assert (self.match["order"] is not None) == (share > 1 / 4)
        if self.match["order"]:
            assert agrees(self.match["order_min"], low)
            assert agrees(self.match["order_max"], high)


@pytest.mark.slow
def test_every_sentence_says_what_the_counts_give():
    forms = {}
    for table in tables():
        counts = table.to_dict("records")
        changes = explain_change(
            table.assign(slice=range(len(table))), metrics=list(METRICS), reference={"slice": 0}
        )
        for metric, rows in changes.groupby("metric", sort=False):
            records = rows.to_dict("records")
            truths = {
                row["slice"]: Recomputed(METRICS[metric], counts[row["slice"]], counts[0])
                for row in records
            }
            adjusted = {
                name: holm({row["slice"]: row[name] for row in records if row[name] == row[name]})
                for name in ("p", "classifier_p")
            }
            for row in records:
                number = row["slice"]
                for name in ("p", "classifier_p"):
                    assert math.isclose(
                        row[f"{name}_adjusted"], adjusted[name].get(number, NAN), rel_tol=1e-12
                    ) or (math.isnan(row[name]) and math.isnan(row[f"{name}_adjusted"]))
                checked = Checked(
                    row,
                    counts[number],
                    counts[0],
                    truths[number],
                    adjusted["p"].get(number),
                    adjusted["classifier_p"].get(number),
                )
                try:
                    checked.check()
                except AssertionError as error:
                    raise AssertionError(
                        f"{row['sentence']}\n{counts[number]}\n{counts[0]}"
                    ) from error
                forms[checked.form] = forms.get(checked.form, 0) + 1
                undefined = math.isnan(truths[number].value) or math.isnan(truths[number].reference)
                assert not undefined or math.isnan(row["p"])
    assert set(forms) == set(FORMS), forms
