"""The report: findings, and every existing figure and table."""

from datetime import date
from pathlib import Path

import jinja2

import skewproof
from skewproof_studies.pipeline.report.findings import findings_text
from skewproof_studies.pipeline.report.page import Part, report_page
from skewproof_studies.pipeline.writing.files import start, write_text

log, parts = start(snakemake), []
for path, row in zip(snakemake.input.results, snakemake.params.rows, strict=True):
    caption = jinja2.Template(row["caption"]).render(config=snakemake.config)
    parts.append(Part(path, row["category"], row["content"], caption, Path(path).read_bytes()))
texts = {
    part.path.removeprefix("results/"): part.content.decode()
    for part in parts
    if part.path.endswith((".csv", ".md"))
}
page = report_page(
    findings_text(texts),
    parts,
    lead="figures/verdicts.png",
    origin=f"skewproof {skewproof.__version__}, {date.today():%d %B %Y}",
    explorer=snakemake.params.explorer,
)
write_text(page, snakemake.output[0])
log.info("%d results in %s", len(parts), snakemake.output[0])
