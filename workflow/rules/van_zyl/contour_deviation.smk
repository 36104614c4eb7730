# Levels share a job, since starting one takes longer than they do. Their numbers are independent.
rule contour_deviation_batch:
    input:
        definitions=own_files_of,
    output:
        contour_deviation="results/batches/{level_batch}_{metric_batch}/contour_deviation.csv",
    log:
        "logs/contour_deviation/{level_batch}_{metric_batch}.log",
    params:
        **METRICS_OF_BATCH,
        **at_levels(compared_levels_of),
        baseline=config["baseline"],
        grid=config["contours"]["grid"],
        undefined=config["contours"]["undefined"],
    message:
        "Measuring the contour deviations of {params.what} at {params.where} from the baseline"
    script:
        "../../scripts/van_zyl/contour_deviation.py"


rule contour_deviation:
    input:
        contour_deviation=parts("contour_deviation"),
    output:
        contour_deviation="results/contour_deviation.csv",
    log:
        "logs/contour_deviation.log",
    localrule: True
    params:
        order={"level": compared_levels(), "metric": METRICS},
    message:
        "Collecting the contour deviations"
    script:
        "../../scripts/van_zyl/collect.py"
