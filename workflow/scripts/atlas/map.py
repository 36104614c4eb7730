"""Map of measures by the similarity of their orderings."""

from skewproof.core.levels import Level
from skewproof_studies.atlas.map import (
    map_figure,
    rank_correlations,
    representatives,
    representatives_figure,
)
from skewproof_studies.atlas.tables import ordering_column
from skewproof_studies.atlas.values import SampledRates
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.measures import chosen_measures

log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = chosen_measures(params.measures)
correlations = {
    level: rank_correlations(
        registry,
        SampledRates.drawn(params.classifiers, Level.parse(level), params.positives, params.seed),
    )
    for level in params.levels
}
log.info("%d measures", len(registry))
figure, clusters = map_figure(correlations)
write_figure(figure, output.map, params.made_from)
write_table(clusters, output.correlations)
classes = read_table(snakemake.input.classes)
keys = representatives(classes, ordering_column(params.ordering))
write_figure(representatives_figure(correlations, keys), output.representatives, params.made_from)
