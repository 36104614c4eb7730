"""Configuration of Sphinx for `make docs`.

Nothing is fetched, so the build works offline and is the same each time. With the environment
variable SKEWPROOF_DOCS_ONLINE names of other libraries lead to their pages (intersphinx).
"""

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "filling"))
from computed import write_computed

from skewproof import __version__

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
templates_path = ["_templates"]
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
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
}
html_title = f"skewproof {version}"
html_sidebars = {"index": []}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False

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

REFERENCE = Path(__file__).parent / "reference"


def write_before_pages(app: Any) -> None:
    """Write what pages of the reference include and lead to."""
    explorer = Path(app.outdir) / "explorer.html" if app.builder.format == "html" else None
    write_computed(REFERENCE / "cards", REFERENCE / "atlas", explorer)


def spread(app: Any, env: Any, pages: list[str]) -> None:
    """Spread the pages that run code evenly over the others: a process reads neighbors."""
    parts: dict[bool, list[str]] = {True: [], False: []}
    for page in pages:
        parts["{code-cell}" in env.doc2path(page).read_text(encoding="utf-8")].append(page)
    place = {page: (n + 0.5) / len(part) for part in parts.values() for n, page in enumerate(part)}
    pages.sort(key=place.__getitem__)


def setup(app: Any) -> None:
    """Connect the functions of this file to Sphinx."""
    # Pages can be read by several processes: this extension copies files and does nothing else.
    app.extensions["sphinx-mathjax-offline"].parallel_read_safe = True
    app.connect("builder-inited", write_before_pages)
    app.connect("env-before-read-docs", spread)
