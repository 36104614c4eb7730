"""Three conditions on every measure of many classes, Figure 6, and two lemmas."""

from skewproof.multiclass.search import Search
from skewproof_studies.mullick.conditions.report import figure_6, summarize_conditions
from skewproof_studies.mullick.conditions.table import conditions_table, lemma_table
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import write_table

log, params, output = start(snakemake), snakemake.params, snakemake.output
search = Search(seed=params.seed, samples=params.points, starts=params.starts)
table = conditions_table(sorted(params.classes), search=search)
log.info("%d conditions", len(table))
lemmas = lemma_table(sorted(params.classes), seed=params.seed)
write_table(table, output.conditions)
write_table(lemmas, output.lemmas)
write_text(summarize_conditions(table, lemmas), output.summary)
write_figure(figure_6(table), output.figure, params.made_from)
