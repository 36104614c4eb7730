"""Configuration of Sphinx for `make docs`.

Nothing is fetched, so the build works offline and is the same each time. With the environment
variable SKEWPROOF_DOCS_ONLINE names of other libraries lead to their pages (intersphinx).
"""

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "filling"))
from atlas_table import atlas_table
from cards import write_cards

from skewproof import __version__
from skewproof.practice.explorer.page import explorer_page
from skewproof_studies.atlas.catalog import catalog_table
from skewproof_studies.atlas.pages import community_pages, further_pages

project = "skewproof"
author = "the contributors to skewproof"
version = release = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "jupyter_execute", "paper", "examples", "gallery/*.ipynb"]

intersphinx_mapping = (
    {
        name: (address, None)
        for name, address in {
            "python": "https://docs.python.org/3",
            "numpy": "https://numpy.org/doc/stable",
            "pandas": "https://pandas.pydata.org/docs",
            "matplotlib": "https://matplotlib.org/stable",
            "sklearn": "https://scikit-learn.org/stable",
            "sympy": "https://docs.sympy.org/latest",
        }.items()
    }
    if "SKEWPROOF_DOCS_ONLINE" in os.environ
    else {}
)

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "show_toc_level": 2,
    "footer_start": [],
    "footer_end": [],
    "header_links_before_dropdown": 6,
}
html_title = f"skewproof {version}"
html_sidebars = {"index": []}

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "inline"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "image_scrapers": ("returned_figures.returned_figure", "matplotlib"),
    "parallel": True,
    "show_signature": False,
    "write_computation_times": False,
}

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings' sections have shapes and units, too
numpydoc_show_class_members = False

CARDS = Path(__file__).parent / "reference/cards"

ATLAS = Path(__file__).parent / "reference/atlas"


def write_atlas(app: Any) -> None:
    """Write a page per community, pages of families and sources, and the downloadable table, from
    the declarations of the atlas."""
    for folder, pages in ((ATLAS, community_pages()), (ATLAS / "further", further_pages())):
        folder.mkdir(exist_ok=True)
        for name, text in pages:
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
    catalog = catalog_table()
    catalog.to_csv(ATLAS / "atlas.csv", index=False, encoding="utf-8")
    (ATLAS / "table.html").write_text(atlas_table(catalog), encoding="utf-8")


def write_explorer(app: Any, exception: Exception | None) -> None:
    """Write the explorer beside the pages."""
    if exception is None and app.builder.format == "html":
        (Path(app.outdir) / "explorer.html").write_text(explorer_page(), encoding="utf-8")


def setup(app: Any) -> None:
    """Connect the functions of this file to Sphinx."""
    # Pages can be read by several processes: this extension copies files and does nothing else.
    app.extensions["sphinx-mathjax-offline"].parallel_read_safe = True
    app.connect("builder-inited", lambda app: write_cards(CARDS))
    app.connect("builder-inited", write_atlas)
    app.connect("build-finished", write_explorer)
