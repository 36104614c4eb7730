rule mullick_conditions:
    output:
        conditions="results/mullick/conditions.csv",
        lemmas="results/mullick/lemmas.csv",
        summary="results/mullick/conditions.md",
        figure=formats("figures/mullick/figure_6"),
    log:
        "logs/mullick_conditions.log",
    params:
        classes=config["mullick"]["condition_classes"],
        points=config["mullick"]["search_points"],
        starts=config["mullick"]["search_starts"],
        seed=config["seed"],
        made_from=made_from(
            "seed", "mullick.condition_classes", "mullick.search_points", "mullick.search_starts"
        ),
    message:
        "Proving or refuting three conditions on every index"
    script:
        "../../scripts/mullick/conditions.py"


rule mullick_discrepancies:
    output:
        "results/mullick/discrepancies.md",
    log:
        "logs/mullick_discrepancies.log",
    message:
        "Reporting the discrepancies of Mullick et al."
    script:
        "../../scripts/mullick/discrepancies.py"


rule mullick_distortions:
    output:
        printed="results/mullick/example_1.csv",
        precision="results/mullick/precision_by_representatives.csv",
        area="results/mullick/auroc_ova_by_classes.csv",
        summary="results/mullick/example_1.md",
        figure=formats("figures/mullick/distortions"),
    log:
        "logs/mullick_distortions.log",
    params:
        representatives=config["mullick"]["representatives"],
        instances=config["mullick"]["instances"],
        seed=config["seed"],
        made_from=made_from("seed", "mullick.representatives", "mullick.instances"),
    message:
        "Simulating the distortion of two indices"
    script:
        "../../scripts/mullick/example_1.py"


CLASS_SAMPLING = {key: config["mullick"][key] for key in ["log2_samples", "replicates"]}


rule mullick_sensitivity:
    output:
        sensitivity="results/mullick/sensitivity/{classes}.csv",
    log:
        "logs/mullick_sensitivity/{classes}.log",
    params:
        ratios=config["mullick"]["ratios"],
        sampling=CLASS_SAMPLING,
        seed=config["seed"],
    message:
        "Computing the indices by class for {wildcards.classes} classes"
    script:
        "../../scripts/mullick/table_by_classes.py"


rule mullick_crossings:
    output:
        crossings="results/mullick/crossings/{classes}.csv",
    log:
        "logs/mullick_crossings/{classes}.log",
    params:
        ratios=[max(config["mullick"]["ratios"])],
        sampling=CLASS_SAMPLING,
        seed=config["seed"],
    message:
        "Finding where the indices forget the rarest of {wildcards.classes} classes"
    script:
        "../../scripts/mullick/table_by_classes.py"


rule mullick_forgetting:
    input:
        tables=expand(
            "results/mullick/sensitivity/{classes}.csv", classes=config["mullick"]["classes"]
        ),
        crossings=expand(
            "results/mullick/crossings/{classes}.csv", classes=config["mullick"]["classes"]
        ),
    output:
        sensitivity="results/mullick/sensitivity.csv",
        types="results/mullick/types.csv",
        weights="results/mullick/weights.csv",
        forgetting="results/mullick/forgetting.csv",
        summary="results/mullick/forgetting.md",
        figure=formats("figures/mullick/forgetting"),
    log:
        "logs/mullick_forgetting.log",
    params:
        alpha=config["significance"]["alpha"],
        made_from=made_from(
            *("seed", "mullick.classes", "mullick.ratios"),
            *("mullick.log2_samples", "mullick.replicates", "significance.alpha"),
        ),
    message:
        "Summarizing which indices forget the rare classes"
    script:
        "../../scripts/mullick/forgetting.py"


include: "experiment.smk"


rule mullick:
    input:
        rules.mullick_conditions.output,
        rules.mullick_discrepancies.output,
        rules.mullick_distortions.output,
        rules.mullick_forgetting.output,
        rules.provenance.output,
    message:
        "All tables and figures on indices of many classes are complete"
