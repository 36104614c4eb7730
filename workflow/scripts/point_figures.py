"""Areas under a ROC curve and a precision-recall curve of one point."""

from _files import start_log, write_figures
from skewproof.figures import pr_point_figure, roc_point_figure


def main(snakemake) -> None:
    start_log(snakemake.log[0])
    write_figures(roc_point_figure(), snakemake.output.roc)
    write_figures(pr_point_figure(), snakemake.output.pr)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
