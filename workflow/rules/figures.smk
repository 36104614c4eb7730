rule contour_figure:
    input:
        modules=script_modules("contour_figure"),
    output:
        expand("figures/contours/{{metric}}.{format}", format=config["figures"]["formats"]),
    log:
        "logs/contour_figure/{metric}.log",
    conda:
        "../../environment.yml"
    params:
        levels=config["levels"],
        positives=config["positives"],
        grid=config["contours"]["grid"],
    message:
        "Drawing the contours of {wildcards.metric}"
    script:
        "../scripts/contour_figure.py"


rule point_figures:
    input:
        modules=script_modules("point_figures"),
    output:
        roc=expand("figures/roc_point.{format}", format=config["figures"]["formats"]),
        pr=expand("figures/pr_point.{format}", format=config["figures"]["formats"]),
    log:
        "logs/point_figures.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the areas under a ROC curve and a precision-recall curve of one point"
    script:
        "../scripts/point_figures.py"
