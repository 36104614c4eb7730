"""The survey's measures of clusterings and rankings, and its decision trees."""

SURVEY = code_of("survey")


rule choosing_figures:
    output:
        expand(
            "figures/choose_{problem}.{format}",
            problem=["classification", "clustering", "ranking", "domain"],
            format=config["figures"]["formats"],
        ),
    log:
        "logs/choosing_figures.log",
    params:
        made_from=made_from(),
        code=SURVEY,
    message:
        "Drawing the survey's decision trees"
    script:
        "../scripts/survey/choosing_figures.py"


rule cluster_imbalance:
    output:
        indices="results/survey/cluster_indices.csv",
        shifts="results/survey/cluster_shifts.csv",
    log:
        "logs/cluster_imbalance.log",
    params:
        levels=config["levels"],
        baseline=config["baseline"],
        replicates=config["survey"]["replicates"],
        log2_samples=config["survey"]["log2_samples"],
        seed=config["seed"],
        code=SURVEY,
    message:
        "Examining measures of clusterings under unequal sizes"
    script:
        "../scripts/survey/cluster_imbalance.py"


rule ranking_imbalance:
    output:
        indices="results/survey/ranking_indices.csv",
        shifts="results/survey/ranking_shifts.csv",
    log:
        "logs/ranking_imbalance.log",
    params:
        levels=config["levels"],
        baseline=config["baseline"],
        length=config["survey"]["items"],
        k=config["survey"]["k"],
        replicates=config["survey"]["replicates"],
        log2_samples=config["survey"]["log2_samples"],
        seed=config["seed"],
        code=SURVEY,
    message:
        "Examining measures of rankings with few relevant items"
    script:
        "../scripts/survey/ranking_imbalance.py"


rule survey_report:
    input:
        cluster_indices=rules.cluster_imbalance.output.indices,
        cluster_shifts=rules.cluster_imbalance.output.shifts,
        ranking_indices=rules.ranking_imbalance.output.indices,
        ranking_shifts=rules.ranking_imbalance.output.shifts,
    output:
        report="results/survey/report.md",
        figure=formats("figures/survey"),
    log:
        "logs/survey_report.log",
    params:
        length=config["survey"]["items"],
        k=config["survey"]["k"],
        made_from=made_from("levels", "baseline", "seed", "survey"),
        code=SURVEY,
    message:
        "Reporting the effect of imbalance on clusterings and rankings"
    script:
        "../scripts/survey/report.py"


rule survey_discrepancies:
    output:
        "results/survey/discrepancies.md",
    log:
        "logs/survey_discrepancies.log",
    params:
        code=SURVEY,
    message:
        "Reporting the survey's discrepancies"
    script:
        "../scripts/survey/discrepancies.py"


rule survey:
    input:
        rules.choosing_figures.output,
        rules.cluster_imbalance.output,
        rules.ranking_imbalance.output,
        rules.survey_report.output,
        rules.survey_discrepancies.output,
        rules.provenance.output,
    message:
        "All results on the survey's measures are complete"
