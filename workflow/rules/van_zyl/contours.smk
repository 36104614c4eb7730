# All levels in one job: starting a job takes longer than they do, and no level changes another's numbers.
rule contour_deviation:
    input:
        modules=script_modules("contour_deviation"),
    output:
        "results/contour_deviation.csv",
    log:
        "logs/contour_deviation.log",
    conda:
        "../../environment.yml"
    params:
        levels=compared_levels(),
        baseline=config["baseline"],
        positives=config["positives"],
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        grid=config["contours"]["grid"],
        undefined=config["contours"]["undefined"],
    message:
        "Measuring how far the contours of every metric are from those at {params.baseline}"
    script:
        "../scripts/contour_deviation.py"
