import pandas as pd
import pytest

from skewproof_studies.pipeline.writing.layouts import write_layout
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.reporting.table import WRITERS, Table

TABLE = Table("A caption.", pd.DataFrame({"metric": ["f1"]}), pd.DataFrame({"Metric": ["$F_1$"]}))


@pytest.mark.parametrize(
    ("kind", "comment"), [(".csv", ""), (".md", "<!-- {} -->\n"), (".tex", "% {}\n")]
)
@pytest.mark.slow
def test_what_a_table_was_made_from_stands_before_it_but_in_csv(tmp_path, kind, comment):
    path = tmp_path / f"table{kind}"
    write_layout(TABLE, path, "seed 3")
    origin = comment.format(f"{made_by()}; seed 3")
    assert path.read_text() == origin + WRITERS[kind](TABLE)
