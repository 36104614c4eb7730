"""The findings of Section 5, counted on the repeated experiment, as a table and in Markdown."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from skewproof.studies.mullick.experiment.statistics import CONDITION_1, CONDITION_2, MULTICLASS
from skewproof.studies.mullick.names import TWO_CLASS

DEPENDENT = ["precision", "precision_recall_mean"]
"""Indices of two classes that violate Condition 1 (Theorem 1)."""

INVARIANT = [key for key in TWO_CLASS if key not in DEPENDENT]
"""Those that satisfy it (Theorems 1 and 2)."""

CHANCE = 2.0
"""Multiple of its deviation by chance above which an index counts as moving."""

PROTOCOL = """\
Data sets that scikit-learn ships take the place of ImageNet's features, and two of the four
classifiers are the nearest kin of the paper's: a support vector machine with errors weighted by the
inverse class size, for the near-Bayesian one; undersampled, bagged k-nearest neighbors, for
Dual-LexiBoost with k-nearest neighbors, which take no weights and hence cannot be boosted. RUSBoost
and SMOTE with a multilayer perceptron are the paper's. Nothing is tuned. The findings are compared,
not the digits.

The data sets are small. Only the training part of a fold is undersampled; test sets are drawn from
all that the fold holds out, with replacement where one needs more instances of a class than there
are. `training` and `held out` are the instances of the smallest class in the first fold; `draws`
is how often, at most, a test set has each instance of a class on average. All test sets of a fold
come from the same instances, so that a classifier's class-specific performance differs between them
by sampling alone (Assumption 1): what moves beyond chance is due to the index."""


def findings(variability: pd.DataFrame, minima: pd.DataFrame, lost: pd.DataFrame) -> pd.DataFrame:
    """What the paper says of its Figures 3 to 5, and how often that holds here.

    Parameters
    ----------
    variability, minima, lost
        The results of :func:`skewproof.studies.mullick.experiment.statistics.variability`, `minima` and
        `lost_classes`.

    Returns
    -------
    Frame with the columns section, finding, holds and of (how many problems, or indices of
    problems, were looked at).
    """
    parts = [_of_two_classes(variability), _of_more_classes(variability), _of_minima(minima)]
    rows = [row for part in parts for row in part]
    zero = (lost["zero_means"] > 0).sum()
    rows.append(
        ("5.6", "GMean is 0 on every test set of a classifier and setting", zero, len(lost))
    )
    return pd.DataFrame(rows, columns=["section", "finding", "holds", "of"])


Row = tuple[str, str, int, int]


def _row(section: str, finding: str, holds: pd.Series | pd.DataFrame) -> Row:
    cells = holds.to_numpy(dtype=bool)
    return section, finding, int(cells.sum()), cells.size


def _wide(table: pd.DataFrame, column: str) -> pd.DataFrame:
    wide = table.pivot(index="problem", columns="index", values=column)
    return wide.reindex(columns=list(TWO_CLASS | MULTICLASS))


def _of_two_classes(variability: pd.DataFrame) -> list[Row]:
    table = variability[variability["classes"] == 2]
    sd = _wide(table, "sd")
    moves = sd > CHANCE * _wide(table, "sd_by_chance")
    others = sd[INVARIANT].max(axis=1)
    between = (sd["precision_recall_mean"] < sd["precision"]) & (
        sd["precision_recall_mean"] > others
    )
    above = f"moves more than {CHANCE:g} times as far as by chance"
    return [
        _row("5.3", "Precision moves farthest of the six", sd["precision"] == sd.max(axis=1)),
        _row("5.3", "AURPC moves less than Precision, more than the other four", between),
        _row("5.3", f"one of Precision, AURPC {above}", moves[DEPENDENT]),
        _row("5.3", f"none of GMean, AUROC, mPrecision, mAURPC {above}", ~moves[INVARIANT]),
    ]


def _of_more_classes(variability: pd.DataFrame) -> list[Row]:
    table = variability[variability["classes"] > 2]
    sd, normalized = _wide(table, "sd"), _wide(table, "normalized_sd")
    five = sd[list(CONDITION_1)]
    least, most = five.min(axis=1), five.max(axis=1)
    moves = sd > CHANCE * _wide(table, "sd_by_chance")
    above = f"moves more than {CHANCE:g} times as far as by chance"
    stable = normalized["nauroc_ova"] > normalized["acsa"]
    invariant = ["g_mean", "acsa", "maurpc_ova"]
    return [
        _row("5.4", "mAURPC-OVA moves least of the five", five["maurpc_ova"] == least),
        _row("5.4", "AURPC-OVA moves farthest of the five", five["aurpc_ova"] == most),
        _row("5.4", "ACSA moves farther than nAUROC-OVA", sd["acsa"] > sd["nauroc_ova"]),
        _row("5.4", "normalized, nAUROC-OVA moves farther than ACSA", stable),
        _row("5.4", f"one of AURPC-OVA, nAUROC-OVA {above}", moves[["aurpc_ova", "nauroc_ova"]]),
        _row("5.4", f"none of GMean, ACSA, mAURPC-OVA {above}", ~moves[invariant]),
    ]


def _of_minima(minima: pd.DataFrame) -> list[Row]:
    table = _wide(minima[minima["classes"] > 2], "minimum")
    higher = table[["auroc_ova", "auroc_ovo"]].min(axis=1)
    above = higher > table[["acsa", "nauroc_ova"]].max(axis=1)
    lowest = table["g_mean"] == table[list(CONDITION_2)].min(axis=1)
    return [
        _row("5.5", "AUROC-OVA's and -OVO's minima are above ACSA's and nAUROC-OVA's", above),
        _row("5.6", "GMean has the lowest minimum of the five", lowest),
    ]


def deviation_table(variability: pd.DataFrame) -> pd.DataFrame:
    """Medians over problems of each index's deviation, for two and for more classes.

    Parameters
    ----------
    variability
        The result of :func:`skewproof.studies.mullick.experiment.statistics.variability`.

    Returns
    -------
    Frame with the columns classes ("2" or "more"), index (its name in the paper), sd,
    standard_error, sd_by_chance, times_chance (sd by sd_by_chance), times_reference (sd by the mean
    sd of GMean and AUROC on the same problem; ACSA in place of AUROC for more classes) and
    sd_over_all.
    """
    reference = variability["index"].isin(["g_mean", "balanced_accuracy", "acsa"])
    means = variability["sd"].where(reference).groupby(variability["problem"]).transform("mean")
    table = variability.assign(
        classes=(variability["classes"] == 2).map({True: "2", False: "more"}),
        times_chance=variability["sd"] / variability["sd_by_chance"],
        times_reference=variability["sd"] / means,
        index=variability["index"].map(TWO_CLASS | MULTICLASS),
    )
    columns = [
        "sd",
        "standard_error",
        "sd_by_chance",
        "times_chance",
        "times_reference",
        "sd_over_all",
    ]
    return table.groupby(["classes", "index"], sort=False)[columns].median().reset_index()


def minimum_table(minima: pd.DataFrame) -> pd.DataFrame:
    """How the minima depend on the number of classes.

    Parameters
    ----------
    minima
        The result of :func:`skewproof.studies.mullick.experiment.statistics.minima`.

    Returns
    -------
    Frame with a row a number of classes above two: classes, problems, the mean minimum of each
    index of Figure 5 under its name, and of AUROC-OVA and -OVO the lead over ACSA's and its
    shortfall from 1 as a share of ACSA's.
    """
    chosen = minima[minima["classes"] > 2]
    wide = chosen.pivot(index=["classes", "problem"], columns="index", values="minimum")
    wide = wide.reindex(columns=list(CONDITION_2))
    for key in ("auroc_ova", "auroc_ovo"):
        name = MULTICLASS[key]
        wide[f"{name}: lead"] = wide[key] - wide["acsa"]
        wide[f"{name}: shortfall share"] = (1 - wide[key]) / (1 - wide["acsa"])
    groups = wide.rename(columns=MULTICLASS).groupby("classes")
    means = groups.mean()
    means.insert(0, "problems", groups.size())
    return means.rename_axis(columns=None).reset_index()


def size_table(sizes: pd.DataFrame) -> pd.DataFrame:
    """What each problem has for training and testing.

    Parameters
    ----------
    sizes
        Column problem and those of :func:`skewproof.studies.mullick.experiment.protocol.problem_sizes`.

    Returns
    -------
    Frame with a row a problem: problem, classes, IR (of the sizes in training), instances, training
    and held_out (of the smallest class), draws (the most that a test set has of a class, for each
    instance held out).
    """
    tests = sizes.drop(columns=["problem", "class", "instances", "training", "held_out"])
    draws = tests.max(axis=1) / sizes["held_out"]
    groups = sizes.assign(draws=draws).groupby("problem", sort=False)
    largest = groups["training"].max()
    table = groups.agg(
        classes=("class", "size"),
        instances=("instances", "sum"),
        training=("training", "min"),
        held_out=("held_out", "min"),
        draws=("draws", "max"),
    )
    table.insert(1, "IR", largest / table["training"])
    return table.reset_index()


def experiment_report(
    found: pd.DataFrame, sizes: pd.DataFrame, tables: Mapping[str, pd.DataFrame]
) -> str:
    """The repeated experiment as Markdown.

    Parameters
    ----------
    found
        The result of :func:`findings`.
    sizes
        The result of :func:`size_table`.
    tables
        The results of :mod:`skewproof.studies.mullick.experiment.statistics` by name: `performance`,
        `variability`, `minima`, `lost_classes` and `losses`.
    """
    performance = tables["performance"]
    sections = [
        "# The experiment of Section 5, repeated",
        PROTOCOL,
        _markdown(sizes, ".3g"),
        _undefined(performance[performance["undefined"] > 0], performance),
        "## How often the paper's findings hold",
        "Counted over problems; over indices of problems where a finding names several.",
        _markdown(found, "g"),
        "nAUROC-OVA violates Condition 1 (Theorem 3): the paper itself calls its finding that ACSA"
        " moves farther unlikely, and normalizes both for that reason.",
        "## Sections 5.3 and 5.4: who moves with the ratio of the test set",
        "Medians over problems. `sd` is the deviation over the five test sets of the mean over runs"
        " and folds, for each classifier, averaged over the four; `standard_error` the jackknife's"
        " over runs; `sd_by_chance` what fold-to-fold noise alone gives; `times_reference` compares"
        " with GMean and AUROC (GMean and ACSA). `sd_over_all` takes the deviation over test sets"
        " and classifiers together, the other reading of the paper.",
        _markdown(deviation_table(tables["variability"]), ".3g"),
        "## Section 5.5: the number of classes",
        "Means over problems of the smallest mean over all test sets and classifiers. `lead` is the"
        " distance to ACSA's, `shortfall share` how much of ACSA's distance from 1 an index shows;"
        " AUROC-OVO's is C/(2 (C - 1)) by Eqs. 11 and 12, whatever the classifier.",
        _markdown(minimum_table(tables["minima"]), ".3f"),
        "## Section 5.6: a class that is lost",
        *_lost(tables["lost_classes"], tables["losses"]),
    ]
    return "\n\n".join(sections) + "\n"


def _lost(lost: pd.DataFrame, losses: pd.DataFrame) -> list[str]:
    zeros = lost[lost["zeros"] > 0]
    return [
        f"GMean is 0 on {lost['zeros'].sum()} of {lost['matrices'].sum()} test sets of more than"
        f" two classes, and on all test sets of {lost['zero_means'].sum()} of"
        f" {lost['combinations'].sum()} combinations of problem, classifier and setting.",
        *([_markdown(zeros, ".3f")] if len(zeros) else []),
        "What a lost class does is shown on the classifiers' matrices: as they are, and with all"
        " hits of the smallest class counted as the largest one; means over all test sets.",
        _markdown(losses.assign(index=losses["index"].map(MULTICLASS)), ".3f"),
    ]


def _markdown(table: pd.DataFrame, digits: str) -> str:
    counts = table.select_dtypes("integer").astype(str)  # else a table of numbers has only floats
    return table.assign(**counts).to_markdown(index=False, floatfmt=digits)


def _undefined(undefined: pd.DataFrame, performance: pd.DataFrame) -> str:
    if undefined.empty:
        return f"Of {performance['matrices'].sum()} values of indices none is undefined."
    counts = undefined.groupby(["problem", "index", "classifier"], sort=False)["undefined"].sum()
    return "Undefined on these test sets, which are left out of the means:\n\n" + _markdown(
        counts.reset_index(), "g"
    )
