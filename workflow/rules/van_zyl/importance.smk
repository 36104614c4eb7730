rule importance_level:
    input:
        modules=script_modules("importance_level"),
    output:
        scores="results/levels/{level}/importance_scores.csv",
        points="results/levels/{level}/sample_points.csv",
    log:
        "logs/importance_level/{level}.log",
    conda:
        "../../environment.yml"
    params:
        level=level_name,
        positives=config["positives"],
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        seed=config["seed"],
        sobol=config["sobol"],
    message:
        "Estimating the importance scores of every metric at {params.level}"
    script:
        "../scripts/importance_level.py"


rule importance_scores:
    input:
        modules=script_modules("importance_scores"),
        scores=expand(
            "results/levels/{level}/importance_scores.csv",
            level=map(path_part, config["levels"]),
        ),
        points=expand(
            "results/levels/{level}/sample_points.csv",
            level=map(path_part, config["levels"]),
        ),
    output:
        scores="results/importance_scores.csv",
        points="results/sample_points.csv",
    log:
        "logs/importance_scores.log",
    conda:
        "../../environment.yml"
    message:
        "Collecting the importance scores of all levels"
    script:
        "../scripts/importance_scores.py"
