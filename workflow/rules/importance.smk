rule importance_level:
    input:
        modules=script_modules("importance_level"),
    output:
        "results/levels/{level}/importance_scores.csv",
    log:
        "logs/importance_level/{level}.log",
    conda:
        "../../environment.yml"
    params:
        level=level_name,
        positives=config["positives"],
        metrics=config["metrics"],
        seed=config["seed"],
        log2_samples=config["sobol"]["log2_samples"],
        resamples=config["sobol"]["resamples"],
        confidence=config["sobol"]["confidence"],
    message:
        "Estimating the importance scores of every metric at {params.level}"
    script:
        "../scripts/importance_level.py"


rule importance_scores:
    input:
        modules=script_modules("concatenate"),
        tables=expand(
            "results/levels/{level}/importance_scores.csv",
            level=map(path_part, config["levels"]),
        ),
    output:
        "results/importance_scores.csv",
    log:
        "logs/importance_scores.log",
    conda:
        "../../environment.yml"
    message:
        "Collecting the importance scores of all levels"
    script:
        "../scripts/concatenate.py"
