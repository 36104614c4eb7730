"""The study of van Zyl and Engelbrecht, from config.yaml to every table and figure."""

from snakemake.utils import min_version

min_version("9.20")


configfile: "config.yaml"


include: "workflow/rules/common.smk"


check_config(config, schema=workflow_file("workflow/schemas/config.schema.yaml"))


include: "workflow/rules/importance.smk"
include: "workflow/rules/quadrature.smk"
include: "workflow/rules/significance.smk"
include: "workflow/rules/contours.smk"
include: "workflow/rules/behavior.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/comparison.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/curves.smk"
include: "workflow/rules/verdicts.smk"
include: "workflow/rules/real_world.smk"
include: "workflow/rules/burduk.smk"
include: "workflow/rules/mullick.smk"
include: "workflow/rules/mullick_experiment.smk"
include: "workflow/rules/survey.smk"
include: "workflow/rules/tharwat.smk"


rule all:
    default_target: True
    input:
        rules.importance_scores.output,
        rules.exact_indices.output,
        rules.p_values.output,
        rules.contour_deviation.output,
        rules.behavior_types.output,
        rules.tables.output,
        rules.comparison.output,
        rules.sweep.output,
        rules.convergence.output,
        rules.curve_figures.output,
        expand(
            "figures/contours/{metric}.{format}",
            metric=studied_metrics(config),
            format=config["figures"]["formats"],
        ),
    message:
        "All tables and figures are there"


rule conclusions:
    input:
        rules.invariance.output,
        rules.sound_tests.output,
        rules.robustness.output,
        rules.verdicts.output,
        rules.discrepancies.output,
        rules.overview_figures.output,
    message:
        "All verdicts are there"


rule real_world:
    input:
        rules.real_world_tables.output,
        rules.ranking_flips.output,
    message:
        "All tables and figures of real data are there"


rule burduk:
    input:
        rules.burduk_tables.output,
        rules.burduk_figures.output,
    message:
        "All tables and figures on HMNC are there"


rule mullick:
    input:
        rules.mullick_conditions.output,
        rules.mullick_distortions.output,
        rules.mullick_forgetting.output,
    message:
        "All tables and figures on indices of many classes are there"


rule mullick_experiment:
    input:
        rules.mullick_experiment_summary.output,
    message:
        "All tables and figures of Mullick's experiment are there"


rule survey:
    input:
        rules.choosing_figures.output,
        rules.survey_report.output,
    message:
        "All results on the survey's measures are there"


rule tharwat:
    input:
        rules.tharwat_invariance.output,
        rules.tharwat_examples.output,
        rules.tharwat_areas.output,
        rules.tharwat_figures.output,
    message:
        "All tables and figures on Tharwat's measures and curves are there"
