# Levels share a job: starting one takes longer than they do, and no level changes another's numbers.
rule exact_indices_batch:
    input:
        definitions=lambda wildcards: own_files(metrics_of(wildcards)),
    output:
        exact_importance="results/batches/{level_batch}_{metric_batch}/exact_importance.csv",
        exact_moments="results/batches/{level_batch}_{metric_batch}/exact_moments.csv",
    log:
        "logs/exact_indices/{level_batch}_{metric_batch}.log",
    params:
        levels=levels_of,
        positives=config["positives"],
        metrics=metrics_of,
        own_metrics=lambda wildcards: own_metrics(metrics_of(wildcards)),
        what=lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
        where=lambda wildcards: in_words(levels_of(wildcards), "levels"),
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
    params:
        order={"level": config["levels"], "metric": METRICS},
    message:
        "Collecting the exact indices"
    script:
        "../../scripts/van_zyl/collect.py"
