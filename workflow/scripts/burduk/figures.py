"""Heat maps of Burduk's seven metrics, and regions where his claim on HMNC holds."""

from skewproof_studies.burduk.claim import reactions
from skewproof_studies.burduk.figures import claim_figure, heat_map_figure
from skewproof_studies.burduk.tables import imbalance_ratio
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start

log, params = start(snakemake), snakemake.params
compared = {}
for negatives in params.negatives:
    sizes = {"positives": params.positives, "negatives": negatives}
    named = f"_N{negatives}."
    paths = [path for path in snakemake.output.heat_maps if named in path]
    write_figure(heat_map_figure(**sizes), paths, params.made_from)
    compared[imbalance_ratio(**sizes)] = reactions(**sizes, grid=params.grid)
    log.info("%d negatives", negatives)
write_figure(claim_figure(compared), snakemake.output.claim, params.made_from)
