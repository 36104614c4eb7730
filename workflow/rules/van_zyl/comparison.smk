rule comparison:
    input:
        printed=project_file("resources/van_zyl/printed.csv"),
        remarks=project_file("resources/van_zyl/remarks.csv"),
        scores="results/importance_scores.csv",
        p_values="results/p_values.csv",
        deviations="results/contour_deviation.csv",
        types="results/behavior_types.csv",
        exact="results/exact_importance.csv",
        salib="results/salib_agreement.csv",
    output:
        comparison="results/comparison.csv",
        summary="results/comparison.md",
    log:
        "logs/comparison.log",
    params:
        baseline=config["baseline"],
        alpha=config["significance"]["alpha"],
        estimator=config["sobol"]["estimator"],
    message:
        "Comparing every printed number with the computed one"
    script:
        "../../scripts/van_zyl/comparison.py"
