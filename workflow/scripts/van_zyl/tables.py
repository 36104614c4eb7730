"""The paper's tables, each as CSV, Markdown and LaTeX."""

from pathlib import Path

from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_layout
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.paper_tables.tables import all_tables

log, source = start(snakemake), snakemake.input
tables = all_tables(
    scores=read_table(source.scores),
    points=read_table(source.points),
    p_values=read_table(source.p_values),
    deviations=read_table(source.deviations),
    types=read_table(source.types),
    alpha=snakemake.params.alpha,
    registry=study_metrics(**snakemake.params.metrics),
)
for path in map(Path, snakemake.output):
    table = tables[path.stem.removeprefix("table_")]
    write_layout(table, path, snakemake.params.made_from)
    log.info("%s", path)
