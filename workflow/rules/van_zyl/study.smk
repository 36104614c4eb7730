AWAITED = 1
"""Priority of the rules on the longest chain; the other rules fill idle cores."""


include: "batches.smk"
include: "importance.smk"
include: "exact.smk"
include: "p_values.smk"
include: "contour_deviation.smk"
include: "behavior_types.smk"
include: "tables.smk"
include: "salib.smk"
include: "comparison.smk"
include: "contour_figures.smk"
include: "curves.smk"
include: "verdicts.smk"
include: "real_data.smk"


rule conclusions:
    input:
        rules.invariance.output,
        rules.sound_tests.output,
        rules.robustness.output,
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
