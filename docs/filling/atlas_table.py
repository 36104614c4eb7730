"""The atlas as a table that can be searched on its page."""

from __future__ import annotations

from html import escape

import pandas as pd

COLUMNS = {"measure": "key", "names": "names", "formula": "formula", "range": "range"}

SCRIPT = """\
<script>
"use strict";
{
  const table = document.getElementById("atlas-table");
  const field = document.getElementById("atlas-search");
  const found = document.getElementById("atlas-found");
  const rows = [...table.tBodies[0].rows].map((row) => [row, row.textContent.toLowerCase()]);
  const search = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      count += !row.hidden;
    }
    found.textContent = `${count} of ${rows.length} measures`;
  };
  field.addEventListener("input", search);
  search();
}
</script>
"""


def atlas_table(catalog: pd.DataFrame) -> str:
    """Return an HTML table with a field that keeps the rows with all of its words.

    Parameters
    ----------
    catalog
        The result of :func:`skewproof_studies.atlas.catalog.catalog_table`.
    """
    low, high = (catalog[name].map("{:.4g}".format) for name in ("lowest", "highest"))
    shown = catalog.assign(range=low + " to " + high)[list(COLUMNS)]
    head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS.values())
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in shown.itertuples(index=False)
    )
    return (
        '<p><label>Search <input id="atlas-search" type="search"'
        ' placeholder="a name, key, field or part of a formula"></label>'
        ' <span id="atlas-found" role="status"></span></p>\n'
        f'<table id="atlas-table" class="table"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table>\n{SCRIPT}"
    )
