"""Tables of one level each, one below the other."""

import pandas as pd

from _files import read_table, start_log, write_table


def main(snakemake) -> None:
    log = start_log(snakemake.log[0])
    table = pd.concat([read_table(path) for path in snakemake.input.tables])
    log.info("%d rows of %d levels", len(table), len(snakemake.input.tables))
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
