"""Van Zyl and Engelbrecht's study: what imbalance does to 24 metrics."""

VAN_ZYL = code_of("van_zyl")


include: "indices.smk"
include: "contours.smk"
include: "exact.smk"
include: "tables.smk"
include: "verdicts.smk"
include: "real_data.smk"


rule conclusions:
    input:
        rules.invariance.output,
        rules.replicates.output,
        rules.sound_tests.output,
        rules.scrambles.output,
        rules.robustness.output,
        rules.robustness_ranking.output,
        rules.orderings.output,
        rules.verdicts.output,
        rules.discrepancies.output,
        rules.overview_figures.output,
        rules.provenance.output,
    message:
        "All verdicts are complete"


rule real_world:
    input:
        rules.real_world_tables.output,
        rules.ranking_flips.output,
        rules.provenance.output,
    message:
        "All tables and figures of real data are complete"
