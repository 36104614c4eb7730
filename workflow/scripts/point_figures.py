"""Areas under a ROC curve and a precision-recall curve of one point."""

from _figures import write_figure
from _files import start_log
from skewproof.figures import pr_point_figure, roc_point_figure


def main(snakemake) -> None:
    start_log(snakemake.log[0])
    write_figure(roc_point_figure(), snakemake.output.roc)
    write_figure(pr_point_figure(), snakemake.output.pr)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
