rule invariance_batch:
    input:
        definitions=own_files_of,
    output:
        invariance="results/batches/{level_batch}_{metric_batch}/invariance.csv",
    log:
        "logs/invariance/{level_batch}_{metric_batch}.log",
    priority: AWAITED
    params:
        **METRICS_OF_BATCH,
        **at_levels(compared_levels_of),
        baseline=config["baseline"],
    message:
        "Proving or refuting the invariance of {params.what} at {params.where}"
    script:
        "../../scripts/van_zyl/invariance.py"


rule invariance:
    input:
        invariance=parts("invariance"),
    output:
        invariance="results/invariance.csv",
    log:
        "logs/invariance.log",
    priority: AWAITED
    localrule: True
    params:
        order={"metric": METRICS, "level": compared_levels()},
    message:
        "Collecting proofs and counterexamples"
    script:
        "../../scripts/van_zyl/collect.py"


rule replicates_batch:
    input:
        definitions=own_files_of,
    output:
        replicates="results/batches/{level_batch}_{metric_batch}/replicates.csv",
    log:
        "logs/replicates/{level_batch}_{metric_batch}.log",
    params:
        **METRICS_OF_BATCH,
        **at_levels(levels_of),
        seed=config["seed"],
        undefined=config["sobol"]["undefined"],
        replicates=config["statistics"]["replicates"],
        log2_samples=config["statistics"]["log2_samples"],
    message:
        "Estimating the indices of {params.what} at {params.where} for every scramble"
    script:
        "../../scripts/van_zyl/replicates.py"


rule replicates:
    input:
        replicates=parts("replicates"),
    output:
        replicates="results/replicates.csv",
    log:
        "logs/replicates.log",
    localrule: True
    params:
        order={"level": config["levels"], "metric": METRICS},
    message:
        "Collecting the indices of all scrambles"
    script:
        "../../scripts/van_zyl/collect.py"


rule sound_tests:
    input:
        replicates="results/replicates.csv",
    output:
        "results/sound_tests.csv",
    log:
        "logs/sound_tests.log",
    params:
        baseline=config["baseline"],
        alpha=config["significance"]["alpha"],
        smallest_difference=config["statistics"]["smallest_difference"],
    message:
        "Testing the indices of all scrambles against those at {params.baseline}"
    script:
        "../../scripts/van_zyl/sound_tests.py"


rule scrambles:
    input:
        definitions=own_files(METRICS),
        scores="results/importance_scores.csv",
        p_values="results/p_values.csv",
        invariance="results/invariance.csv",
    output:
        "results/scrambles.csv",
    log:
        "logs/scrambles.log",
    priority: AWAITED
    params:
        own_metrics=own_metrics(METRICS),
        baseline=config["baseline"],
        positives=config["positives"],
        seed=config["seed"],
        undefined=config["sobol"]["undefined"],
        log2_samples=config["sobol"]["log2_samples"],
        alpha=config["significance"]["alpha"],
        scrambles=config["statistics"]["scrambles"],
    message:
        "Repeating the paper's test where it contradicts a proof"
    script:
        "../../scripts/van_zyl/scrambles.py"


# A metric's type needs all levels, so that a new level computes the others again.
rule robustness_batch:
    input:
        definitions=own_files_of,
    output:
        robustness="results/batches/{metric_batch}/robustness.csv",
    log:
        "logs/robustness/{metric_batch}.log",
    params:
        **METRICS_OF_BATCH,
        levels=compared_levels(),
        baseline=config["baseline"],
        positives=config["positives"],
        contours=config["contours"],
        robustness=config["robustness"],
    message:
        "Measuring the contour deviations of {params.what} under other choices"
    script:
        "../../scripts/van_zyl/robustness.py"


rule robustness:
    input:
        robustness=parts_of_metrics("robustness"),
    output:
        robustness="results/robustness.csv",
    log:
        "logs/robustness.log",
    localrule: True
    params:
        as_first_seen=["choice", "value"],
        order={"metric": METRICS, "level": compared_levels()},
    message:
        "Collecting the contour deviations under other choices"
    script:
        "../../scripts/van_zyl/collect.py"


rule robustness_ranking:
    input:
        robustness="results/robustness.csv",
        exact="results/exact_importance.csv",
    output:
        "results/robustness_ranking.csv",
    log:
        "logs/robustness_ranking.log",
    params:
        baseline=config["baseline"],
    message:
        "Ranking the metrics by how much imbalance changes them"
    script:
        "../../scripts/van_zyl/robustness_ranking.py"


rule orderings:
    input:
        definitions=own_files(METRICS),
        invariance="results/invariance.csv",
    output:
        "results/orderings.csv",
    log:
        "logs/orderings.log",
    params:
        own_metrics=own_metrics(METRICS),
        seed=config["seed"],
    message:
        "Finding which of the metrics of the rates order classifiers alike"
    script:
        "../../scripts/van_zyl/orderings.py"


rule verdicts:
    input:
        definitions=own_files(METRICS),
        scores="results/importance_scores.csv",
        p_values="results/p_values.csv",
        deviations="results/contour_deviation.csv",
        invariance="results/invariance.csv",
        exact="results/exact_importance.csv",
        tests="results/sound_tests.csv",
        scrambles="results/scrambles.csv",
        robustness="results/robustness.csv",
        orderings="results/orderings.csv",
    output:
        verdicts="results/verdicts.csv",
        summary="results/verdicts.md",
        half_widths="results/half_widths.csv",
    log:
        "logs/verdicts.log",
    priority: AWAITED
    params:
        own_metrics=own_metrics(METRICS),
        baseline=config["baseline"],
        alpha=config["significance"]["alpha"],
        statistics=config["statistics"],
    message:
        "Combining the verdicts"
    script:
        "../../scripts/van_zyl/verdicts.py"


rule discrepancies:
    input:
        printed=project_file("resources/van_zyl/printed.csv"),
        real_world=project_file("resources/van_zyl/printed_real_world.csv"),
        half_widths="results/half_widths.csv",
    output:
        "results/discrepancies.md",
    log:
        "logs/discrepancies.log",
    message:
        "Reporting the paper's discrepancies"
    script:
        "../../scripts/van_zyl/discrepancies.py"


rule overview_figures:
    input:
        definitions=own_files(METRICS),
        verdicts="results/verdicts.csv",
        robustness="results/robustness.csv",
        ranking="results/robustness_ranking.csv",
        exact="results/exact_importance.csv",
    output:
        verdicts=formats("figures/verdicts"),
        ranking=formats("figures/robustness_ranking"),
    log:
        "logs/overview_figures.log",
    params:
        own_metrics=own_metrics(METRICS),
        baseline=config["baseline"],
        made_from=made_from(*SIGNIFICANCE_KEYS, "statistics", "contours", "robustness"),
    message:
        "Drawing the verdicts and the ranking of all metrics"
    script:
        "../../scripts/van_zyl/overview_figures.py"
