from pathlib import Path

import pytest

from figure_text import figure_text
from skewproof_studies.burduk.claim import claim_in_the_tables, claim_shares
from skewproof_studies.burduk.figures import claim_figure, heat_map_figure
from skewproof_studies.burduk.report import hmnc_report
from skewproof_studies.burduk.theorem_and_slopes import border_shares
from written import check_written

pytestmark = pytest.mark.slow


def test_report(comparison, rows, reactions_at_a_tenth):
    shares = claim_shares(reactions_at_a_tenth, 0.1).assign(imbalance_ratio=0.1)
    borders = border_shares(0.1).assign(imbalance_ratio=0.1)
    options = claim_in_the_tables(rows[100]), shares, borders
    agreeing = comparison[comparison["agrees"].astype(bool)]
    check_written(
        Path(__file__).with_name("report.txt"),
        at_a_tenth=hmnc_report(comparison, *options),
        without_disagreements=hmnc_report(agreeing, *options),
    )


def test_the_figures(reactions_at_a_tenth):
    """Isolines of HMNC turn on u = v √IR by rates, and on u = v IR by counts."""
    check_written(
        Path(__file__).with_name("figures.txt"),
        heat_maps=figure_text(heat_map_figure(positives=1000, negatives=10, grid=21)),
        claim=figure_text(claim_figure({0.1: reactions_at_a_tenth})),
    )
