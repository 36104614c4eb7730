from skewproof.studies.van_zyl.setting import importance_table_name


rule tables:
    input:
        modules=script_modules("van_zyl/tables"),
        definitions=own_files(METRICS),
        scores="results/importance_scores.csv",
        points="results/sample_points.csv",
        p_values="results/p_values.csv",
        deviations="results/contour_deviation.csv",
        types="results/behavior_types.csv",
    output:
        expand(
            "results/tables/table_{name}.{extension}",
            name=["5", "6", "7", "8", *map(importance_table_name, config["levels"])],
            extension=["csv", "md", "tex"],
        ),
    log:
        "logs/tables.log",
    params:
        own_metrics=own_metrics(METRICS),
        alpha=config["significance"]["alpha"],
        made_from=made_from(
            "levels",
            "baseline",
            "positives",
            "metrics",
            "extra_metrics",
            "seed",
            "sobol.log2_samples",
            "sobol.resamples",
            "sobol.confidence",
            "sobol.undefined",
            "significance.alpha",
            "contours",
        ),
    message:
        "Writing the tables in the paper's layout"
    script:
        "../../scripts/van_zyl/tables.py"
