"""Tables of one level each, one below the other, under each name that the output has."""

from pathlib import Path

from skewproof.pipeline.files import start, write_text


def main(snakemake) -> None:
    log = start(snakemake)
    for name, path in snakemake.output.items():
        parts = [Path(part).read_text().splitlines(keepends=True) for part in snakemake.input[name]]
        heading = parts[0][0]
        rows = [row for part in parts for row in part[1:]]
        write_text("".join([heading, *rows]), path)
        log.info("%s: %d rows of %d levels", name, len(rows), len(parts))


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
