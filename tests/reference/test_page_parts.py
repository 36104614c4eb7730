"""Parts of pages that are made when the site is built: heads of cards and the atlas's table."""

import sys

import pandas as pd
import pytest
from whole_html import texts_of

from skewproof import audit
from skewproof.metrics import METRICS
from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
from atlas_table import SCRIPT, atlas_table
from cards import card_head
from session import PICTURE, draw


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "said", "not_said"),
    [
        ("f1", ["# F1 score", "Changes with imbalance", "compare `f1_i` there"], "Beware"),
        ("iba", ["Does not change with imbalance: proved", "false alarm where u + 2*v < 1"], "nan"),
        ("hmnc", ["Changes with imbalance", "shares of positives."], "hmnc_i"),
        ("precision", ["Also called positive predictive value, success ratio, "], "nan"),
    ],
)
def test_a_card_begins_with_its_name_and_when_to_use_it(key, said, not_said):
    """Its names begin with what most communities say."""
    card = audit(key)
    head = card_head(METRICS[key], card)
    assert head.splitlines()[2:5] == ["$$", card.latex, "$$"]
    assert [text for text in said if text not in head] == []
    assert not_said not in head


@pytest.mark.slow
def test_the_picture_of_a_session_shows_what_commands_print(monkeypatch):
    monkeypatch.setenv("COLUMNS", "33")
    assert draw() == PICTURE.read_text(encoding="utf-8")


def test_the_table_of_the_atlas_has_a_row_a_measure():
    rows = {"measure": ["a", "b"], "names": ["x | y", "<z>"], "formula": ["tp/P", "tn"]}
    catalog = pd.DataFrame(rows | {"lowest": [0.0, -1], "highest": [1.0, float("inf")]})
    table = atlas_table(catalog).removesuffix(SCRIPT)
    body = texts_of(table[table.index("<tbody>") :].removesuffix("</table>\n"))
    assert body == ["a", "x | y", "tp/P", "0 to 1", "b", "<z>", "tn", "-1 to inf"]
