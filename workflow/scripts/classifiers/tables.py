"""Indices and shifts of every metric under one distribution of classifiers."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.classifiers import Classifiers, MeasuredClassifiers
from skewproof_studies.classifiers.config import family
from skewproof_studies.classifiers.measured import read_measured
from skewproof_studies.classifiers.tables import index_table, shift_table
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.definitions import study_metrics


def described(description, points) -> Classifiers | MeasuredClassifiers:
    """Return the classifiers of an entry of the config, or of its file of points."""
    if description is None:
        return Classifiers.uniform()
    return read_measured(points) if points else family(description)


log, params = start(snakemake), snakemake.params
metrics = [bounded(metric) for metric in study_metrics(**params.metrics).values()]
classifiers = described(params.described, snakemake.input.get("measured"))
log.info("%s", classifiers.words)
levels, baseline = [Level.parse(level) for level in params.levels], Level.parse(params.baseline)
# Measured classifiers have no indices.
of_indices = levels if isinstance(classifiers, Classifiers) else []
sampling = params.sampling | {"seed": params.seed}
indices = index_table(metrics, of_indices, params.positives, classifiers, sampling=sampling)
compared = [level for level in levels if level != baseline]
shifts = shift_table(metrics, compared, baseline, params.positives, classifiers)
for table, path in (
    (indices, snakemake.output.indices),
    (shifts, snakemake.output.shifts),
):
    name = {"distribution": snakemake.wildcards.distribution, "classifiers": classifiers.words}
    write_table(table.assign(**name)[[*name, *table.columns]], path)
