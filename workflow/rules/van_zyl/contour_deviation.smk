# Levels share a job: starting one takes longer than they do, and no level changes another's numbers.
rule contour_deviation_batch:
    input:
        definitions=lambda wildcards: own_files(metrics_of(wildcards)),
    output:
        contour_deviation="results/batches/{level_batch}_{metric_batch}/contour_deviation.csv",
    log:
        "logs/contour_deviation/{level_batch}_{metric_batch}.log",
    params:
        levels=lambda wildcards: compared_levels(levels_of(wildcards)),
        positives=config["positives"],
        metrics=metrics_of,
        own_metrics=lambda wildcards: own_metrics(metrics_of(wildcards)),
        baseline=config["baseline"],
        grid=config["contours"]["grid"],
        undefined=config["contours"]["undefined"],
        what=lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
        where=lambda wildcards: in_words(compared_levels(levels_of(wildcards)), "levels"),
    message:
        "Measuring how far from the baseline the contours are of {params.what} at {params.where}"
    script:
        "../../scripts/van_zyl/contour_deviation.py"


rule contour_deviation:
    input:
        contour_deviation=parts("contour_deviation"),
    output:
        contour_deviation="results/contour_deviation.csv",
    log:
        "logs/contour_deviation.log",
    params:
        order={"level": compared_levels(), "metric": METRICS},
    message:
        "Collecting the contour deviations"
    script:
        "../../scripts/van_zyl/collect.py"
