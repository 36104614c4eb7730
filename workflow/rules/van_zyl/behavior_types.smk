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
    message:
        "Classifying the metrics by importance scores and by contours"
    script:
        "../../scripts/van_zyl/behavior_types.py"
