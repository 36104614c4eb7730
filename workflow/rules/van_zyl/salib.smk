# The metric of a level is drawn from the first batch, so that a metric added later changes no draw.
FIRST_METRICS = next(iter(METRIC_BATCHES.values()))


rule salib_indices:
    input:
        definitions=own_files(FIRST_METRICS),
    output:
        "results/batches/{level_batch}/salib_indices.csv",
    log:
        "logs/salib_indices/{level_batch}.log",
    priority: AWAITED
    params:
        **at_levels(levels_of),
        metrics=FIRST_METRICS,
        own_metrics=own_metrics(FIRST_METRICS),
        seed=config["seed"],
        sobol=ESTIMATE,
    message:
        "Recomputing one metric per level with SALib at {params.where}"
    script:
        "../../scripts/van_zyl/salib_indices.py"


rule salib_agreement:
    input:
        salib=expand("results/batches/{level_batch}/salib_indices.csv", level_batch=LEVEL_BATCHES),
        scores="results/importance_scores.csv",
    output:
        "results/salib_agreement.csv",
    log:
        "logs/salib_agreement.log",
    params:
        own=list(own_metrics(METRICS)),
    message:
        "Comparing SALib's numbers with the importance scores"
    script:
        "../../scripts/van_zyl/salib_agreement.py"
