"""The survey's decision trees, with the effect of imbalance on the measures at their leaves."""

from pathlib import Path

from skewproof.audits.choosing.tree import examine, leaves, load_tree
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.survey.choosing_figure import tree_figure

log = start(snakemake)
for problem, answer in load_tree().answers.items():
    keys = {key for _, advice in leaves(answer.following) for key in advice.measures}
    name = f"choose_{problem}"
    paths = [path for path in snakemake.output if Path(path).stem == name]
    write_figure(tree_figure(answer.following, examine(keys)), paths, snakemake.params.made_from)
    log.info("%s: %d measures", problem, len(keys))
