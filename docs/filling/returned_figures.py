"""Pictures of the examples that a function returns, and that pyplot therefore does not show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
from sphinx_gallery.scrapers import figure_rst


def returned_figure(block: Any, variables: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Save what an example calls ``figure`` if pyplot does not have it."""
    figure = variables["example_globals"].pop("figure", None)
    if figure is None or figure in map(plt.figure, plt.get_fignums()):
        return ""
    path = next(variables["image_path_iterator"])
    figure.savefig(path, dpi=100)
    return figure_rst([path], options["src_dir"])
