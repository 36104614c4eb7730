"""Tables, report and figures of what the metrics of the config choose."""

from pathlib import Path

from skewproof_studies.choices.figures import paths_figure, tpr_figure
from skewproof_studies.choices.groups import group_table
from skewproof_studies.choices.points import (
    Chosen,
    binormal_curves,
    curve_label,
    rarer_and_rarer,
    together,
)
from skewproof_studies.choices.report import choices_report, fates
from skewproof_studies.choices.tables import curve_table, level_table
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.pipeline.writing.tables import read_table, write_layout, write_table
from skewproof_studies.settings.definitions import study_metrics

log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = study_metrics(**params.metrics)
parts = {name: [read_table(path) for path in snakemake.input[name]] for name in Chosen._fields}
choices = together(parts, list(registry))
for name, table in choices._asdict().items():
    write_table(table, output[name])
levels = rarer_and_rarer(params.levels)
groups = group_table(choices.points, registry, levels, params.positives, params.seed)
write_table(groups, output.groups)
log.info("%d metrics in %d groups", len(groups), groups["group"].nunique())

labels = {name: curve_label(described) for name, described in params.curves.items()}
layouts = {}
for name, label in labels.items():
    points, limits = (table[table["curve"] == name] for table in (choices.points, choices.limits))
    options = {"label": label, "registry": registry}
    layouts[name] = curve_table(points, limits, choices.rates, **options)
    for level in map(str, levels):
        at_level = points[points["level"] == level]
        layouts[f"{name}_{level.replace(':', '_')}"] = level_table(at_level, level=level, **options)
for path in output.tables:
    write_layout(layouts[Path(path).stem], path, params.made_from)

text = choices_report(
    choices,
    groups,
    levels=levels,
    positives=params.positives,
    labels=labels,
    registry=registry,
    tables=True,
)
write_text(f"<!-- {made_by()}; {params.made_from} -->\n{text}", output.report)
curves = binormal_curves(params.curves)
figure = paths_figure(choices.points, choices.limits, curves, registry=registry)
write_figure(figure, output.paths, params.made_from)
becomes = fates(choices.points, choices.limits)
figure = tpr_figure(choices.points, choices.limits, becomes, labels, registry=registry)
write_figure(figure, output.tpr, params.made_from)
