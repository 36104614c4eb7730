# All levels in one job: starting a job takes longer than they do, and no level changes another's numbers.
rule exact_indices:
    input:
        modules=script_modules("exact_indices"),
    output:
        importance="results/exact_importance.csv",
        moments="results/exact_moments.csv",
    log:
        "logs/exact_indices.log",
    conda:
        "../../environment.yml"
    params:
        levels=config["levels"],
        positives=config["positives"],
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
    message:
        "Computing the exact indices of every metric"
    script:
        "../scripts/exact_indices.py"
