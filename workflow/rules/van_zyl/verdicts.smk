"""Verdicts on every metric: proofs, valid tests, other choices, and where the methods disagree."""


rule invariance:
    output:
        "results/invariance.csv",
    log:
        "logs/invariance.log",
    params:
        metrics=METRICS,
        levels=COMPARED_LEVELS,
        positives=config["positives"],
        baseline=config["baseline"],
        code=VAN_ZYL,
    message:
        "Proving or refuting that imbalance does not change a metric"
    script:
        "../../scripts/van_zyl/invariance.py"


rule replicates:
    output:
        "results/replicates.csv",
    log:
        "logs/replicates.log",
    params:
        metrics=METRICS,
        levels=config["levels"],
        positives=config["positives"],
        seed=config["seed"],
        undefined=config["sobol"]["undefined"],
        replicates=config["statistics"]["replicates"],
        log2_samples=config["statistics"]["log2_samples"],
        code=VAN_ZYL,
    message:
        "Estimating the indices of every scramble at all levels"
    script:
        "../../scripts/van_zyl/replicates.py"


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
        code=VAN_ZYL,
    message:
        "Testing the indices of all scrambles against those at {params.baseline}"
    script:
        "../../scripts/van_zyl/sound_tests.py"


rule scrambles:
    input:
        scores="results/importance_scores.csv",
        p_values="results/p_values.csv",
        invariance="results/invariance.csv",
    output:
        "results/scrambles.csv",
    log:
        "logs/scrambles.log",
    params:
        metrics=METRICS,
        baseline=config["baseline"],
        positives=config["positives"],
        seed=config["seed"],
        undefined=config["sobol"]["undefined"],
        log2_samples=config["sobol"]["log2_samples"],
        alpha=config["significance"]["alpha"],
        scrambles=config["statistics"]["scrambles"],
        code=VAN_ZYL,
    message:
        "Repeating the paper's test where it contradicts a proof"
    script:
        "../../scripts/van_zyl/scrambles.py"


rule robustness:
    output:
        "results/robustness.csv",
    log:
        "logs/robustness.log",
    params:
        metrics=METRICS,
        levels=COMPARED_LEVELS,
        baseline=config["baseline"],
        positives=config["positives"],
        contours=config["contours"],
        robustness=config["robustness"],
        code=VAN_ZYL,
    message:
        "Measuring the contour deviations under other choices"
    script:
        "../../scripts/van_zyl/robustness.py"


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
        code=VAN_ZYL,
    message:
        "Ranking the metrics by how much imbalance changes them"
    script:
        "../../scripts/van_zyl/robustness_ranking.py"


rule orderings:
    input:
        invariance="results/invariance.csv",
    output:
        "results/orderings.csv",
    log:
        "logs/orderings.log",
    params:
        metrics=METRICS,
        seed=config["seed"],
        code=VAN_ZYL,
    message:
        "Finding which of the metrics of the rates order classifiers alike"
    script:
        "../../scripts/van_zyl/orderings.py"


rule verdicts:
    input:
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
    params:
        metrics=METRICS,
        baseline=config["baseline"],
        alpha=config["significance"]["alpha"],
        statistics=config["statistics"],
        code=VAN_ZYL,
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
    params:
        code=VAN_ZYL,
    message:
        "Reporting the paper's discrepancies"
    script:
        "../../scripts/van_zyl/discrepancies.py"


rule overview_figures:
    input:
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
        metrics=METRICS,
        baseline=config["baseline"],
        made_from=made_from(*SIGNIFICANCE_KEYS, "statistics", "contours", "robustness"),
        code=VAN_ZYL,
    message:
        "Drawing the verdicts and the ranking of all metrics"
    script:
        "../../scripts/van_zyl/overview_figures.py"
