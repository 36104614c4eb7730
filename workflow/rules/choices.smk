"""The point of a ROC curve at which each metric and each measure of the atlas is best."""

CHOICES = code_of("choices")
CHOICE_MEASURES = config["choices"]["measures"]
# Jobs that share the metrics, and the measures; the list of all measures is not read before they run.
CHOICE_PARTS = {
    "metrics": range(-(-len(METRICS["keys"]) // 12)),
    "atlas": range(12 if CHOICE_MEASURES == "all" else 1),
}
CHOICE_GROUP_PARTS = range(6 if CHOICE_MEASURES == "all" else 1)
CHOICE_KEYS = ["levels", "positives", "seed", "choices"]


rule choices_of_metrics:
    output:
        points="results/batches/choices/metrics/{part}/points.csv",
        limits="results/batches/choices/metrics/{part}/limits.csv",
        rates="results/batches/choices/metrics/{part}/rates.csv",
        missing="results/batches/choices/metrics/{part}/missing.csv",
    log:
        "logs/choices/metrics_{part}.log",
    params:
        parts=len(CHOICE_PARTS["metrics"]),
        metrics=METRICS,
        levels=config["levels"],
        positives=config["positives"],
        curves=config["choices"]["curves"],
        code=CHOICES,
    message:
        "Finding what metrics choose, part {wildcards.part}"
    script:
        "../scripts/choices/of_metrics.py"


rule choices_of_measures:
    output:
        points="results/batches/choices/atlas/{part}/points.csv",
        limits="results/batches/choices/atlas/{part}/limits.csv",
        rates="results/batches/choices/atlas/{part}/rates.csv",
        missing="results/batches/choices/atlas/{part}/missing.csv",
    log:
        "logs/choices/atlas_{part}.log",
    params:
        parts=len(CHOICE_PARTS["atlas"]),
        measures=CHOICE_MEASURES,
        levels=config["levels"],
        positives=config["positives"],
        curves=config["choices"]["curves"],
        code=CHOICES,
    message:
        "Finding what measures of the atlas choose, part {wildcards.part}"
    script:
        "../scripts/choices/of_measures.py"


rule choices_report:
    input:
        points=expand(
            "results/batches/choices/metrics/{part}/points.csv", part=CHOICE_PARTS["metrics"]
        ),
        limits=expand(
            "results/batches/choices/metrics/{part}/limits.csv", part=CHOICE_PARTS["metrics"]
        ),
        rates=expand(
            "results/batches/choices/metrics/{part}/rates.csv", part=CHOICE_PARTS["metrics"]
        ),
        missing=expand(
            "results/batches/choices/metrics/{part}/missing.csv", part=CHOICE_PARTS["metrics"]
        ),
    output:
        points="results/choices/points.csv",
        limits="results/choices/limits.csv",
        rates="results/choices/rates.csv",
        missing="results/choices/missing.csv",
        groups="results/choices/groups.csv",
        tables=expand(
            "results/choices/tables/{curve}{level}.{kind}",
            curve=config["choices"]["curves"],
            level=["", *(f"_{path_part(level)}" for level in config["levels"])],
            kind=["csv", "md", "tex"],
        ),
        report="results/choices/report.md",
        paths=formats("figures/choices/paths"),
        tpr=formats("figures/choices/best_tpr"),
    log:
        "logs/choices_report.log",
    params:
        metrics=METRICS,
        levels=config["levels"],
        positives=config["positives"],
        curves=config["choices"]["curves"],
        seed=config["seed"],
        made_from=made_from(*CHOICE_KEYS, "metrics", "extra_metrics"),
        code=CHOICES,
    message:
        "Reporting what metrics choose"
    script:
        "../scripts/choices/report.py"


rule choices_atlas_groups:
    input:
        points=expand("results/batches/choices/atlas/{part}/points.csv", part=CHOICE_PARTS["atlas"]),
    output:
        "results/batches/choices/atlas/groups_{part}.csv",
    log:
        "logs/choices/atlas_groups_{part}.log",
    params:
        parts=len(CHOICE_GROUP_PARTS),
        measures=CHOICE_MEASURES,
        levels=config["levels"],
        positives=config["positives"],
        seed=config["seed"],
        code=CHOICES,
    message:
        "Finding which measures of the atlas choose alike, part {wildcards.part}"
    script:
        "../scripts/choices/groups_of_measures.py"


rule choices_atlas:
    input:
        points=expand("results/batches/choices/atlas/{part}/points.csv", part=CHOICE_PARTS["atlas"]),
        limits=expand("results/batches/choices/atlas/{part}/limits.csv", part=CHOICE_PARTS["atlas"]),
        rates=expand("results/batches/choices/atlas/{part}/rates.csv", part=CHOICE_PARTS["atlas"]),
        missing=expand(
            "results/batches/choices/atlas/{part}/missing.csv", part=CHOICE_PARTS["atlas"]
        ),
        groups=expand("results/batches/choices/atlas/groups_{part}.csv", part=CHOICE_GROUP_PARTS),
    output:
        points="results/choices/atlas/points.csv",
        limits="results/choices/atlas/limits.csv",
        rates="results/choices/atlas/rates.csv",
        missing="results/choices/atlas/missing.csv",
        groups="results/choices/atlas/groups.csv",
        report="results/choices/atlas/report.md",
    log:
        "logs/choices_atlas.log",
    params:
        measures=CHOICE_MEASURES,
        levels=config["levels"],
        positives=config["positives"],
        curves=config["choices"]["curves"],
        made_from=made_from(*CHOICE_KEYS),
        code=CHOICES,
    message:
        "Reporting what measures of the atlas choose"
    script:
        "../scripts/choices/atlas.py"


rule choices:
    input:
        rules.choices_report.output,
        rules.choices_atlas.output,
        rules.provenance.output,
    message:
        "All results on what metrics choose are complete"
