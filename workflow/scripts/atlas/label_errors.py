"""What wrong labels do to measures, as a table and a report; of the registered ones as a figure."""

import pandas as pd

from skewproof.metrics import METRICS
from skewproof.pipeline.figures import write_figure
from skewproof.pipeline.files import start, write_text
from skewproof.pipeline.provenance import made_by
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.atlas.label_errors import label_error_report
from skewproof.studies.atlas.label_errors_figure import label_errors_figure


def main(snakemake) -> None:
    start(snakemake)
    source, output, params = snakemake.input, snakemake.output, snakemake.params
    shares = pd.concat(map(read_table, source.shares), ignore_index=True)
    write_table(shares, output.shares)
    text = label_error_report(shares, read_table(source.levels), **params.ranges)
    write_text(f"<!-- {made_by()}; {params.made_from} -->\n{text}", output.report)
    registered = shares[shares["measure"].isin(METRICS)]
    write_figure(
        label_errors_figure(shares if registered.empty else registered),
        output.figure,
        params.made_from,
    )


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
