MULLICK = config["mullick_experiment"]


wildcard_constraints:
    problem=r"[a-z][a-z0-9_]*",


rule mullick_matrices:
    output:
        matrices="results/mullick/experiment/{problem}/matrices.csv",
        sizes="results/mullick/experiment/{problem}/sizes.csv",
    log:
        "logs/mullick_matrices/{problem}.log",
    params:
        problem=lambda wildcards: MULLICK["problems"][wildcards.problem],
        options={
            key: MULLICK[key]
            for key in ["trees", "hidden_units", "iterations", "resamples", "neighbors"]
        },
        runs=MULLICK["runs"],
        folds=MULLICK["folds"],
        seed=config["seed"],
    message:
        "Fitting four classifiers to {wildcards.problem}, in {params.folds} folds of"
        " {params.runs} runs; progress in {log}"
    script:
        "../../scripts/mullick/experiment/matrices.py"


rule mullick_experiment_summary:
    input:
        matrices=expand(
            "results/mullick/experiment/{problem}/matrices.csv", problem=MULLICK["problems"]
        ),
        sizes=expand("results/mullick/experiment/{problem}/sizes.csv", problem=MULLICK["problems"]),
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
    message:
        "Evaluating the indices of Mullick's experiment, and drawing Figures 3 to 5"
    script:
        "../../scripts/mullick/experiment/statistics.py"


rule mullick_experiment:
    input:
        rules.mullick_experiment_summary.output,
        rules.provenance.output,
    message:
        "All tables and figures of Mullick's experiment are complete"
