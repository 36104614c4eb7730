# Levels share a job, since starting one takes longer than they do. Their numbers are independent.
rule exact_indices_batch:
    input:
        definitions=own_files_of,
    output:
        exact_importance="results/batches/{level_batch}_{metric_batch}/exact_importance.csv",
        exact_moments="results/batches/{level_batch}_{metric_batch}/exact_moments.csv",
    log:
        "logs/exact_indices/{level_batch}_{metric_batch}.log",
    params:
        **METRICS_OF_BATCH,
        **at_levels(levels_of),
    message:
        "Computing the exact indices of {params.what} at {params.where}"
    script:
        "../../scripts/van_zyl/exact_indices.py"


rule exact_indices:
    input:
        exact_importance=parts("exact_importance"),
        exact_moments=parts("exact_moments"),
    output:
        exact_importance="results/exact_importance.csv",
        exact_moments="results/exact_moments.csv",
    log:
        "logs/exact_indices.log",
    localrule: True
    params:
        order={"level": config["levels"], "metric": METRICS},
    message:
        "Collecting the exact indices"
    script:
        "../../scripts/van_zyl/collect.py"
