"""Mullick et al.'s conditions for indices of many classes, and their experiment."""

MULLICK = code_of("mullick")
CLASS_SAMPLING = {key: config["mullick"][key] for key in ["log2_samples", "replicates"]}
EXPERIMENT = config["mullick_experiment"]


wildcard_constraints:
    problem=r"[a-z][a-z0-9_]*",
    classes=r"[0-9]+",


rule mullick_conditions:
    output:
        conditions="results/mullick/conditions.csv",
        lemmas="results/mullick/lemmas.csv",
        summary="results/mullick/conditions.md",
        figure=formats("figures/mullick/figure_6"),
    log:
        "logs/mullick_conditions.log",
    params:
        classes=config["mullick"]["condition_classes"],
        points=config["mullick"]["search_points"],
        starts=config["mullick"]["search_starts"],
        seed=config["seed"],
        made_from=made_from(
            "seed", "mullick.condition_classes", "mullick.search_points", "mullick.search_starts"
        ),
        code=MULLICK,
    message:
        "Proving or refuting three conditions on every index"
    script:
        "../scripts/mullick/conditions.py"


rule mullick_discrepancies:
    output:
        "results/mullick/discrepancies.md",
    log:
        "logs/mullick_discrepancies.log",
    params:
        code=MULLICK,
    message:
        "Reporting the discrepancies of Mullick et al."
    script:
        "../scripts/mullick/discrepancies.py"


rule mullick_distortions:
    output:
        printed="results/mullick/example_1.csv",
        precision="results/mullick/precision_by_representatives.csv",
        area="results/mullick/auroc_ova_by_classes.csv",
        summary="results/mullick/example_1.md",
        figure=formats("figures/mullick/distortions"),
    log:
        "logs/mullick_distortions.log",
    params:
        representatives=config["mullick"]["representatives"],
        instances=config["mullick"]["instances"],
        seed=config["seed"],
        made_from=made_from("seed", "mullick.representatives", "mullick.instances"),
        code=MULLICK,
    message:
        "Simulating the distortion of two indices"
    script:
        "../scripts/mullick/example_1.py"


rule mullick_sensitivity:
    output:
        sensitivity="results/mullick/sensitivity/{classes}.csv",
    log:
        "logs/mullick_sensitivity/{classes}.log",
    params:
        ratios=config["mullick"]["ratios"],
        sampling=CLASS_SAMPLING,
        seed=config["seed"],
        code=MULLICK,
    message:
        "Computing the indices by class for {wildcards.classes} classes"
    script:
        "../scripts/mullick/table_by_classes.py"


rule mullick_crossings:
    output:
        crossings="results/mullick/crossings/{classes}.csv",
    log:
        "logs/mullick_crossings/{classes}.log",
    params:
        ratios=[max(config["mullick"]["ratios"])],
        sampling=CLASS_SAMPLING,
        seed=config["seed"],
        code=MULLICK,
    message:
        "Finding where the indices forget the rarest of {wildcards.classes} classes"
    script:
        "../scripts/mullick/table_by_classes.py"


rule mullick_forgetting:
    input:
        tables=expand(
            "results/mullick/sensitivity/{classes}.csv", classes=config["mullick"]["classes"]
        ),
        crossings=expand(
            "results/mullick/crossings/{classes}.csv", classes=config["mullick"]["classes"]
        ),
    output:
        sensitivity="results/mullick/sensitivity.csv",
        types="results/mullick/types.csv",
        weights="results/mullick/weights.csv",
        forgetting="results/mullick/forgetting.csv",
        summary="results/mullick/forgetting.md",
        figure=formats("figures/mullick/forgetting"),
    log:
        "logs/mullick_forgetting.log",
    params:
        alpha=config["significance"]["alpha"],
        made_from=made_from(
            *("seed", "mullick.classes", "mullick.ratios"),
            *("mullick.log2_samples", "mullick.replicates", "significance.alpha"),
        ),
        code=MULLICK,
    message:
        "Summarizing which indices forget the rare classes"
    script:
        "../scripts/mullick/forgetting.py"


rule mullick_matrices:
    output:
        matrices="results/mullick/experiment/{problem}/matrices.csv",
        sizes="results/mullick/experiment/{problem}/sizes.csv",
    log:
        "logs/mullick_matrices/{problem}.log",
    params:
        problem=lambda wildcards: EXPERIMENT["problems"][wildcards.problem],
        options={
            key: EXPERIMENT[key]
            for key in ["trees", "hidden_units", "iterations", "resamples", "neighbors"]
        },
        runs=EXPERIMENT["runs"],
        folds=EXPERIMENT["folds"],
        seed=config["seed"],
        code=MULLICK,
    message:
        "Fitting four classifiers to {wildcards.problem}, in {params.folds} folds of"
        " {params.runs} runs; progress in {log}"
    script:
        "../scripts/mullick/experiment/matrices.py"


rule mullick_experiment_summary:
    input:
        matrices=expand(
            "results/mullick/experiment/{problem}/matrices.csv", problem=EXPERIMENT["problems"]
        ),
        sizes=expand(
            "results/mullick/experiment/{problem}/sizes.csv", problem=EXPERIMENT["problems"]
        ),
    output:
        performance="results/mullick/experiment/mean_performance.csv",
        variability="results/mullick/experiment/variability.csv",
        minima="results/mullick/experiment/minima.csv",
        lost_classes="results/mullick/experiment/lost_classes.csv",
        losses="results/mullick/experiment/losses.csv",
        findings="results/mullick/experiment/findings.csv",
        report="results/mullick/experiment/report.md",
        figure_3=formats("figures/mullick/figure_3"),
        figure_4=formats("figures/mullick/figure_4"),
        figure_5=formats("figures/mullick/figure_5"),
    log:
        "logs/mullick_experiment_summary.log",
    params:
        made_from=made_from("seed", "mullick_experiment"),
        code=MULLICK,
    message:
        "Evaluating the indices of Mullick's experiment, and drawing Figures 3 to 5"
    script:
        "../scripts/mullick/experiment/statistics.py"


rule mullick_experiment:
    input:
        rules.mullick_experiment_summary.output,
        rules.provenance.output,
    message:
        "All tables and figures of Mullick's experiment are complete"


rule mullick:
    input:
        rules.mullick_conditions.output,
        rules.mullick_discrepancies.output,
        rules.mullick_distortions.output,
        rules.mullick_forgetting.output,
        rules.provenance.output,
    message:
        "All tables and figures on indices of many classes are complete"
