"""The survey's decision trees, with what imbalance does to the measures at their ends."""

from pathlib import Path

from skewproof.pipeline.figures import write_figure
from skewproof.pipeline.files import start
from skewproof.studies.survey.catalog import load_catalog
from skewproof.studies.survey.choosing import leaves, load_tree
from skewproof.studies.survey.choosing_figure import tree_figure
from skewproof.studies.survey.evidence import evidence


def main(snakemake) -> None:
    log, measures = start(snakemake), load_catalog()
    for problem, (_, branch) in load_tree().answers.items():
        keys = {key for _, advice in leaves(branch) for key in advice.measures}
        found = {key: evidence(measures[key]) for key in keys}
        name = f"choose_{problem}"
        paths = [path for path in snakemake.output if Path(path).stem == name]
        write_figure(tree_figure(branch, measures, found), paths)
        log.info("%s: %d measures", problem, len(keys))


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
