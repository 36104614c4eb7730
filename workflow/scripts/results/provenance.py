"""What the results are made with."""

import json

from skewproof_studies.pipeline.writing.files import start, write_text


def main(snakemake) -> None:
    start(snakemake)
    write_text(json.dumps(snakemake.params.provenance, indent=2) + "\n", snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
