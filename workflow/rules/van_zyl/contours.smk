"""Contours: deviations from the baseline, types, and figures."""


rule contour_deviation:
    output:
        "results/contour_deviation.csv",
    log:
        "logs/contour_deviation.log",
    params:
        metrics=METRICS,
        levels=COMPARED_LEVELS,
        baseline=config["baseline"],
        positives=config["positives"],
        grid=config["contours"]["grid"],
        undefined=config["contours"]["undefined"],
        code=VAN_ZYL,
    message:
        "Measuring the contour deviations from {params.baseline}"
    script:
        "../../scripts/van_zyl/contour_deviation.py"


rule behavior_types:
    input:
        p_values="results/p_values.csv",
        deviations="results/contour_deviation.csv",
    output:
        "results/behavior_types.csv",
    log:
        "logs/behavior_types.log",
    params:
        alpha=config["significance"]["alpha"],
        code=VAN_ZYL,
    message:
        "Classifying the metrics by importance scores and by contours"
    script:
        "../../scripts/van_zyl/behavior_types.py"


rule contour_figures:
    output:
        expand(
            "figures/contours/{metric}.{format}",
            metric=DRAWN_METRICS["keys"],
            format=config["figures"]["formats"],
        ),
    log:
        "logs/contour_figures.log",
    priority: 1  # the longest job
    params:
        metrics=DRAWN_METRICS,
        levels=config["levels"],
        positives=config["positives"],
        grid=config["contours"]["grid"],
        made_from=made_from("levels", "positives", "contours.grid"),
        code=VAN_ZYL,
    message:
        "Drawing the contours of each metric; progress in {log}"
    script:
        "../../scripts/van_zyl/contour_figures.py"
