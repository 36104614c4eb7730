from skewproof_studies.van_zyl.paper import importance_table_name


def table_paths(names):
    return expand(
        "results/tables/table_{name}.{extension}", name=names, extension=["csv", "md", "tex"]
    )


PAPER_TABLES = []

# The importance tables of very many levels are several jobs.
for first in range(0, len(config["levels"]), LARGEST["levels"]):
    levels = config["levels"][first : first + LARGEST["levels"]]
    names = [*([] if first else ["5", "6", "7", "8"]), *map(importance_table_name, levels)]

    rule:
        name:
            f"tables_{first}" if first else "tables"
        input:
            definitions=own_files(METRICS),
            scores="results/importance_scores.csv",
            points="results/sample_points.csv",
            p_values="results/p_values.csv",
            deviations="results/contour_deviation.csv",
            types="results/behavior_types.csv",
        output:
            table_paths(names),
        log:
            f"logs/tables_{first}.log" if first else "logs/tables.log",
        params:
            levels=levels,
            own_metrics=own_metrics(METRICS),
            alpha=config["significance"]["alpha"],
            made_from=made_from(*SIGNIFICANCE_KEYS, "contours"),
        message:
            "Writing the tables in the paper's layout"
        script:
            "../../scripts/van_zyl/tables.py"

    PAPER_TABLES += table_paths(names)
