from pathlib import Path

import pytest

from skewproof_studies.choices.tables import curve_table, level_table
from skewproof_studies.reporting.table import to_csv, to_markdown
from written import check_written


@pytest.mark.slow
def test_the_tables_of_a_curve_and_of_a_level(found, registry):
    """Jumps are told, and long cut-offs left out of the table for the eye."""
    points, limits = (table[table["curve"] == "equal"] for table in (found.points, found.limits))
    options = {"label": "d = 2, b = 1", "registry": registry}
    jumping = points.assign(jumps_at=[float("nan"), 31.25] * 4)
    long = found.rates.assign(cutoff_in_words="x" * 41)
    rare = points[points["level"] == "1:1000"]
    tables = {
        "curve": curve_table(points, limits, found.rates, **options),
        "jumps and long cut-offs": curve_table(jumping, limits, long, **options),
        "level": level_table(rare, level="1:1000", **options),
    }
    shown = {name: to_markdown(table) for name, table in tables.items()}
    columns = {f"columns of {name}": to_csv(one).partition("\n")[0] for name, one in tables.items()}
    check_written(Path(__file__).with_name("tables.txt"), **shown, **columns)
