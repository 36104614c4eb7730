"""Claims of Section 9 of van Zyl and Engelbrecht compared with their Table 11."""

from __future__ import annotations

import pandas as pd

from skewproof_studies.reporting.discrepancies import Discrepancy

TEXT_FOLDS = 5
"""Number of folds k of the cross-validation in Section 9."""

TEXT_TEST_SETS = 6
"""Number of test sets in "the average values over each of the six tests sets" (Section 9)."""

THYROID = "D2"
"""Data set on which F1 and F_i match according to Section 9."""


def printed_values(real_world: pd.DataFrame) -> pd.DataFrame:
    """Return Table 11's digits as text, metrics by data sets.

    Parameters
    ----------
    real_world
        Columns table, row, column, printed.
    """
    eleven = real_world[real_world["table"] == "11"]
    return eleven.pivot(index="row", columns="column", values="printed")


def accuracy_overestimates(values: pd.DataFrame) -> Discrepancy:
    """Check whether accuracy is above balanced accuracy on all data sets.

    Parameters
    ----------
    values
        Result of :func:`printed_values`.
    """
    excess = values.loc["accuracy"].astype(float) - values.loc["balanced_accuracy"].astype(float)
    others = list(excess.index[excess <= 0])
    return Discrepancy(
        place="Section 9: accuracy overestimates on all data sets",
        printed='accuracy "clearly overestimates the aptness of the models on all datasets in'
        ' comparison to balanced accuracy".',
        meant="on the imbalanced ones.",
        evidence=f"Table 11 prints A above B on {(excess > 0).sum()} of {len(excess)} data sets; on"
        f" {', '.join(others) or 'none'} both are"
        f" {', '.join(values.loc['accuracy', name] for name in others) or 'apart'}.",
        shown=bool(others),
    )


def f1_matches_on_one(values: pd.DataFrame) -> Discrepancy:
    """Check whether F1 and F_i match on the data set that the text names.

    Parameters
    ----------
    values
        As for :func:`accuracy_overestimates`.
    """
    apart = (values.loc["f1"].astype(float) - values.loc["f1_i"].astype(float)).abs()
    same = list(apart.index[apart == 0])
    return Discrepancy(
        place="Section 9: F1 and F_i match on the thyroid data only",
        printed=f'"other than for the thyroid dataset" ({THYROID}) F1 does not match F_i.',
        meant=f"they match on {' and '.join(same) or 'no data set'}; on {THYROID} they are close.",
        evidence=f"Table 11 prints F1 = {values.loc['f1', THYROID]} and F_i ="
        f" {values.loc['f1_i', THYROID]} on {THYROID}, {apart[THYROID]:.4f} apart; the difference"
        f" is 0 on {', '.join(same) or 'none'}.",
        shown=apart[THYROID] > 0 and bool(same),
    )


def number_of_test_sets(values: pd.DataFrame) -> Discrepancy:
    """Check the number of test sets, six in the text for five folds.

    Parameters
    ----------
    values
        As for :func:`accuracy_overestimates`.
    """
    return Discrepancy(
        place="Section 9: six test sets from five folds",
        printed=f"k = {TEXT_FOLDS} folds, and averages over each of the {TEXT_TEST_SETS} test"
        " sets.",
        meant=f"{TEXT_FOLDS} test sets for each of the {len(values.columns)} data sets.",
        evidence=f"{TEXT_FOLDS} folds have {TEXT_FOLDS} test sets; Table 11 has a column for each"
        f" of {len(values.columns)} data sets. real_world_comparison.md compares it with means"
        " over five.",
        shown=TEXT_TEST_SETS != TEXT_FOLDS and len(values.columns) == TEXT_TEST_SETS,
    )
