rule mullick_conditions:
    input:
        modules=script_modules("mullick_conditions"),
    output:
        conditions="results/mullick/conditions.csv",
        lemmas="results/mullick/lemmas.csv",
        summary="results/mullick/conditions.md",
    log:
        "logs/mullick_conditions.log",
    conda:
        "../../environment.yml"
    params:
        classes=config["mullick"]["condition_classes"],
        seed=config["seed"],
    message:
        "Proving or refuting three conditions on every index"
    script:
        "../scripts/mullick_conditions.py"


rule mullick_distortions:
    input:
        modules=script_modules("mullick_distortions"),
    output:
        printed="results/mullick/example_1.csv",
        precision="results/mullick/precision_by_representatives.csv",
        area="results/mullick/auroc_ova_by_classes.csv",
        summary="results/mullick/example_1.md",
        figure=expand("figures/mullick/distortions.{format}", format=config["figures"]["formats"]),
    log:
        "logs/mullick_distortions.log",
    conda:
        "../../environment.yml"
    params:
        representatives=config["mullick"]["representatives"],
        instances=config["mullick"]["instances"],
        seed=config["seed"],
    message:
        "Simulating how two indices are distorted"
    script:
        "../scripts/mullick_distortions.py"


rule mullick_sensitivity:
    input:
        modules=script_modules("mullick_sensitivity"),
    output:
        "results/mullick/sensitivity/{classes}.csv",
    log:
        "logs/mullick_sensitivity/{classes}.log",
    conda:
        "../../environment.yml"
    params:
        ratios=config["mullick"]["ratios"],
        log2_samples=config["mullick"]["log2_samples"],
        replicates=config["mullick"]["replicates"],
        seed=config["seed"],
    message:
        "Computing the indices by class for {wildcards.classes} classes"
    script:
        "../scripts/mullick_sensitivity.py"


rule mullick_forgetting:
    input:
        modules=script_modules("mullick_forgetting"),
        tables=expand(
            "results/mullick/sensitivity/{classes}.csv", classes=config["mullick"]["classes"]
        ),
    output:
        sensitivity="results/mullick/sensitivity.csv",
        types="results/mullick/types.csv",
        weights="results/mullick/weights.csv",
        forgetting="results/mullick/forgetting.csv",
        summary="results/mullick/forgetting.md",
        figure=expand("figures/mullick/forgetting.{format}", format=config["figures"]["formats"]),
    log:
        "logs/mullick_forgetting.log",
    conda:
        "../../environment.yml"
    params:
        alpha=config["significance"]["alpha"],
    message:
        "Finding which index forgets the rare classes"
    script:
        "../scripts/mullick_forgetting.py"
