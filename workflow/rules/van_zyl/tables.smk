"""The paper's tables, and the comparison of every printed number with the computed one."""

TABLES = ["5", "6", "7", "8", *map(importance_table_name, config["levels"])]
SIGNIFICANCE_KEYS = [
    *("levels", "baseline", "positives", "metrics", "extra_metrics", "seed"),
    *(f"sobol.{key}" for key in ESTIMATE),
    "significance.alpha",
]
"""Keys of the config that determine which importance scores differ from those at the baseline."""


rule tables:
    input:
        scores="results/importance_scores.csv",
        points="results/sample_points.csv",
        p_values="results/p_values.csv",
        deviations="results/contour_deviation.csv",
        types="results/behavior_types.csv",
    output:
        expand("results/tables/table_{name}.{kind}", name=TABLES, kind=["csv", "md", "tex"]),
    log:
        "logs/tables.log",
    params:
        metrics=METRICS,
        alpha=config["significance"]["alpha"],
        made_from=made_from(*SIGNIFICANCE_KEYS, "contours"),
        code=VAN_ZYL,
    message:
        "Writing the tables in the paper's layout"
    script:
        "../../scripts/van_zyl/tables.py"


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
        code=VAN_ZYL,
    message:
        "Comparing every printed number with the computed one"
    script:
        "../../scripts/van_zyl/comparison.py"
