"""Report of where the paper contradicts itself."""

from _files import start, write_text
from _frames import read_table
from skewproof.discrepancies import discrepancies, report


def main(snakemake) -> None:
    log = start(snakemake)
    found = discrepancies(
        read_table(snakemake.input.printed, dtype=str), read_table(snakemake.input.half_widths)
    )
    log.info("%d of %d shown", sum(one.shown for one in found), len(found))
    write_text(report(found), snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
