"""Measures that were proposed for imbalanced classes: what each keeps as positives become rare."""

MADE_FOR_IMBALANCE = code_of("made_for_imbalance")
MADE_PARTS = range(min(6, len(METRICS["keys"])))
MADE_TABLES = ["kinds", "points", "levels"]
MADE_MEASURES = config["made_for_imbalance"]["measures"]


rule made_for_imbalance_part:
    output:
        kinds="results/batches/made_for_imbalance/{part}/kinds.csv",
        points="results/batches/made_for_imbalance/{part}/points.csv",
        levels="results/batches/made_for_imbalance/{part}/levels.csv",
    log:
        "logs/made_for_imbalance/{part}.log",
    params:
        parts=len(MADE_PARTS),
        metrics=METRICS,
        measures=MADE_MEASURES,
        code=MADE_FOR_IMBALANCE,
    message:
        "Finding what measures keep as positives become rare, part {wildcards.part}"
    script:
        "../scripts/made_for_imbalance/measures.py"


rule made_for_imbalance_report:
    input:
        **{
            name: expand(
                f"results/batches/made_for_imbalance/{{part}}/{name}.csv", part=MADE_PARTS
            )
            for name in MADE_TABLES
        },
    output:
        kinds="results/made_for_imbalance/kinds.csv",
        points="results/made_for_imbalance/points.csv",
        levels="results/made_for_imbalance/levels.csv",
        costs="results/made_for_imbalance/costs.csv",
        calls="results/made_for_imbalance/calls.csv",
        worths="results/made_for_imbalance/worths.csv",
        report="results/made_for_imbalance/report.md",
        figure=formats("figures/made_for_imbalance/kinds"),
    log:
        "logs/made_for_imbalance_report.log",
    params:
        metrics=METRICS,
        measures=MADE_MEASURES,
        made_from=made_from("metrics", "extra_metrics", "made_for_imbalance"),
        code=MADE_FOR_IMBALANCE,
    message:
        "Reporting what measures keep as positives become rare"
    script:
        "../scripts/made_for_imbalance/report.py"


rule made_for_imbalance:
    input:
        rules.made_for_imbalance_report.output,
        rules.provenance.output,
    message:
        "All results on measures that were made for imbalance are complete"
