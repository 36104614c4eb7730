rule invariance:
    input:
        modules=script_modules("invariance"),
    output:
        "results/invariance.csv",
    log:
        "logs/invariance.log",
    conda:
        "../../environment.yml"
    params:
        levels=compared_levels(),
        baseline=config["baseline"],
        positives=config["positives"],
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
    message:
        "Proving that metrics do not depend on the class sizes, or showing where they do"
    script:
        "../scripts/invariance.py"


rule sound_tests:
    input:
        modules=script_modules("sound_tests"),
    output:
        "results/sound_tests.csv",
    log:
        "logs/sound_tests.log",
    conda:
        "../../environment.yml"
    params:
        levels=config["levels"],
        baseline=config["baseline"],
        positives=config["positives"],
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        seed=config["seed"],
        undefined=config["sobol"]["undefined"],
        alpha=config["significance"]["alpha"],
        statistics=config["statistics"],
    message:
        "Testing the indices of {params.statistics[replicates]} scrambles a level"
    script:
        "../scripts/sound_tests.py"


rule scrambles:
    input:
        modules=script_modules("scrambles"),
        scores="results/importance_scores.csv",
        p_values="results/p_values.csv",
        invariance="results/invariance.csv",
    output:
        "results/scrambles.csv",
    log:
        "logs/scrambles.log",
    conda:
        "../../environment.yml"
    params:
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
        "../scripts/scrambles.py"


rule robustness:
    input:
        modules=script_modules("robustness"),
        exact="results/exact_importance.csv",
    output:
        robustness="results/robustness.csv",
        ranking="results/robustness_ranking.csv",
    log:
        "logs/robustness.log",
    conda:
        "../../environment.yml"
    params:
        levels=compared_levels(),
        baseline=config["baseline"],
        positives=config["positives"],
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        contours=config["contours"],
        robustness=config["robustness"],
    message:
        "Measuring the contour deviation under other choices"
    script:
        "../scripts/robustness.py"


rule verdicts:
    input:
        modules=script_modules("verdicts"),
        scores="results/importance_scores.csv",
        p_values="results/p_values.csv",
        deviations="results/contour_deviation.csv",
        invariance="results/invariance.csv",
        exact="results/exact_importance.csv",
        tests="results/sound_tests.csv",
        scrambles="results/scrambles.csv",
        robustness="results/robustness.csv",
    output:
        verdicts="results/verdicts.csv",
        summary="results/verdicts.md",
        half_widths="results/half_widths.csv",
    log:
        "logs/verdicts.log",
    conda:
        "../../environment.yml"
    params:
        baseline=config["baseline"],
        alpha=config["significance"]["alpha"],
        statistics=config["statistics"],
    message:
        "Putting the verdicts side by side"
    script:
        "../scripts/verdicts.py"


rule discrepancies:
    input:
        modules=script_modules("discrepancies"),
        printed=workflow_file("resources/van_zyl/printed.csv"),
        half_widths="results/half_widths.csv",
    output:
        "results/discrepancies.md",
    log:
        "logs/discrepancies.log",
    conda:
        "../../environment.yml"
    message:
        "Reporting where the paper contradicts itself"
    script:
        "../scripts/discrepancies.py"


rule overview_figures:
    input:
        modules=script_modules("overview_figures"),
        verdicts="results/verdicts.csv",
        robustness="results/robustness.csv",
        ranking="results/robustness_ranking.csv",
        exact="results/exact_importance.csv",
    output:
        verdicts=expand("figures/verdicts.{format}", format=config["figures"]["formats"]),
        ranking=expand("figures/robustness_ranking.{format}", format=config["figures"]["formats"]),
    log:
        "logs/overview_figures.log",
    conda:
        "../../environment.yml"
    params:
        baseline=config["baseline"],
    message:
        "Drawing the verdicts and the ranking of all metrics"
    script:
        "../scripts/overview_figures.py"
