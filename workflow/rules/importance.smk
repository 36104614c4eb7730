rule importance_level:
    message:
        "Estimating the importance scores of every metric at {params.level}"
    input:
        modules=script_modules("importance_level"),
    output:
        scores="results/levels/{level}/importance_scores.csv",
        points="results/levels/{level}/sample_points.csv",
    log:
        "logs/importance_level/{level}.log",
    params:
        level=level_name,
        positives=config["positives"],
        metrics=config["metrics"],
        seed=config["seed"],
        sobol=config["sobol"],
    conda:
        "../../environment.yml"
    script:
        "../scripts/importance_level.py"


rule importance_scores:
    message:
        "Collecting the importance scores of all levels"
    input:
        modules=script_modules("concatenate"),
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
    script:
        "../scripts/concatenate.py"
