"""All metrics by how far imbalance moves them."""

from skewproof.pipeline.files import start
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.van_zyl.robustness import ranking


def main(snakemake) -> None:
    start(snakemake)
    table = ranking(
        read_table(snakemake.input.robustness, dtype={"value": str, "type": str}),
        read_table(snakemake.input.exact),
        baseline=snakemake.params.baseline,
    )
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
