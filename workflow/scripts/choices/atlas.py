"""Tables of what the measures of the atlas choose, and a report on those that choose alike."""

from skewproof_studies.choices.points import (
    Chosen,
    curve_label,
    in_order,
    rarer_and_rarer,
    together,
)
from skewproof_studies.choices.report import choices_report
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.measures import chosen_measures

log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = chosen_measures(params.measures)
parts = {name: [read_table(path) for path in snakemake.input[name]] for name in Chosen._fields}
choices = together(parts, list(registry))
for name, table in choices._asdict().items():
    write_table(table, output[name])
groups = in_order([read_table(path) for path in snakemake.input.groups], list(registry))
write_table(groups, output.groups)
log.info("%d measures in %d groups", len(groups), groups["group"].nunique())
text = choices_report(
    choices,
    groups,
    levels=rarer_and_rarer(params.levels),
    positives=params.positives,
    labels={name: curve_label(described) for name, described in params.curves.items()},
    registry=registry,
    tables=False,
)
write_text(f"<!-- {made_by()}; {params.made_from} -->\n{text}", output.report)
