"""Parts of the site that are computed before its pages are read, on all cores."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from atlas_table import atlas_table
from cards import grid_of_cards, write_card

from skewproof.explorer.page import explorer_page
from skewproof.metrics import METRICS
from skewproof_studies.atlas.catalog import catalog_table
from skewproof_studies.atlas.pages import community_pages, further_pages


def write_computed(cards: Path, atlas: Path, explorer: Path | None) -> None:
    """Write the cards and the atlas into their folders, and the explorer's page if it has a path.

    The longest tasks start first, so that no core waits for them at the end.
    """
    cards.mkdir(exist_ok=True)
    with ProcessPoolExecutor() as processes:
        others = [processes.submit(_write_atlas, atlas)]
        if explorer is not None:
            others.append(processes.submit(_write_explorer, explorer))
        grid = grid_of_cards(processes.map(partial(write_card, cards), METRICS))
        for other in others:
            other.result()
    (cards / "grid.txt").write_text(grid, encoding="utf-8")


def _write_atlas(folder: Path) -> None:
    """Write a page per community, pages of families and sources, and the downloadable table, from
    the declarations of the atlas."""
    for place, pages in ((folder, community_pages()), (folder / "further", further_pages())):
        place.mkdir(exist_ok=True)
        for name, text in pages:
            (place / f"{name}.md").write_text(text, encoding="utf-8")
    catalog = catalog_table()
    catalog.to_csv(folder / "atlas.csv", index=False, encoding="utf-8")
    (folder / "table.html").write_text(atlas_table(catalog), encoding="utf-8")


def _write_explorer(page: Path) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(explorer_page(), encoding="utf-8")
