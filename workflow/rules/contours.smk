rule contour_deviation_level:
    input:
        modules=script_modules("contour_deviation_level"),
    output:
        "results/levels/{level}/contour_deviation.csv",
    log:
        "logs/contour_deviation_level/{level}.log",
    conda:
        "../../environment.yml"
    params:
        level=level_name,
        baseline=config["baseline"],
        positives=config["positives"],
        metrics=config["metrics"],
        grid=config["contours"]["grid"],
        undefined=config["contours"]["undefined"],
    message:
        "Measuring how far the contours at {params.level} are from those at {params.baseline}"
    script:
        "../scripts/contour_deviation_level.py"


rule contour_deviation:
    input:
        modules=script_modules("concatenate"),
        deviations=expand(
            "results/levels/{level}/contour_deviation.csv",
            level=map(path_part, compared_levels()),
        ),
    output:
        deviations="results/contour_deviation.csv",
    log:
        "logs/contour_deviation.log",
    conda:
        "../../environment.yml"
    message:
        "Collecting the contour deviations of all levels"
    script:
        "../scripts/concatenate.py"
