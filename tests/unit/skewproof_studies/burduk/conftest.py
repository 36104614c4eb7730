from pathlib import Path

import pandas as pd
import pytest

from skewproof_studies.burduk.claim import reactions
from skewproof_studies.burduk.tables import classifier_rows, compare_with_printed

PROJECT = Path(__file__).parents[4]


@pytest.fixture(scope="session")
def printed():
    return pd.read_csv(PROJECT / "resources/burduk/printed.csv")


@pytest.fixture(scope="session")
def rows():
    """The rows of his three tables, by the number of negatives."""
    return {negatives: classifier_rows(1000, negatives) for negatives in (10, 100, 250)}


@pytest.fixture(scope="session")
def comparison(printed, rows):
    return compare_with_printed(printed, with_sizes(rows))


@pytest.fixture(scope="session")
def reactions_at_a_tenth():
    return reactions(positives=1000, negatives=100, grid=60)


def with_sizes(rows):
    return pd.concat(
        table.assign(positives=1000, negatives=negatives) for negatives, table in rows.items()
    )
