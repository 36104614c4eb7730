"""All studies, from config.yaml to tables and figures; each study has a folder of rules."""

from snakemake.utils import min_version

min_version("9.20")


include: "workflow/rules/sources.smk"
include: "workflow/rules/config_files.smk"


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/results/provenance.smk"
include: "workflow/rules/van_zyl/study.smk"
include: "workflow/rules/burduk/study.smk"
include: "workflow/rules/mullick/study.smk"
include: "workflow/rules/survey/study.smk"
include: "workflow/rules/tharwat/study.smk"
include: "workflow/rules/classifiers/study.smk"
include: "workflow/rules/atlas/study.smk"
include: "workflow/rules/choices/study.smk"
include: "workflow/rules/results/explorer.smk"


rule all:
    default_target: True
    input:
        rules.importance_scores.output,
        rules.exact_indices.output,
        rules.p_values.output,
        rules.contour_deviation.output,
        rules.behavior_types.output,
        PAPER_TABLES,
        rules.salib_agreement.output,
        rules.comparison.output,
        rules.sweep.output,
        rules.convergence.output,
        rules.curve_figures.output,
        CONTOUR_FIGURES,
        rules.provenance.output,
    message:
        "All tables and figures are complete"


include: "workflow/rules/results/report.smk"
include: "workflow/rules/results/leftovers.smk"
include: "workflow/rules/code.smk"


onstart:
    internals.schedule_when_jobs_end(workflow)
    internals.look_for_ended_jobs_regularly(workflow)
    hold_folder()
    record_batches()
