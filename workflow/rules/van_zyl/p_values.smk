rule p_values:
    input:
        scores="results/importance_scores.csv",
    output:
        "results/p_values.csv",
    log:
        "logs/p_values.log",
    priority: AWAITED
    params:
        baseline=config["baseline"],
        log2_samples=config["sobol"]["log2_samples"],
    message:
        "Testing the importance scores against those at {params.baseline}"
    script:
        "../../scripts/van_zyl/p_values.py"
