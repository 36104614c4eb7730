"""Tables of one level each, one below the other, under each name that the output has."""

import pandas as pd

from _files import read_table, start_log, write_table


def main(snakemake) -> None:
    log = start_log(snakemake.log[0])
    for name, path in snakemake.output.items():
        parts = snakemake.input[name]
        table = pd.concat([read_table(part) for part in parts])
        log.info("%s: %d rows of %d levels", name, len(table), len(parts))
        write_table(table, path)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
