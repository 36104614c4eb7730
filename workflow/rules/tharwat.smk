"""Tharwat's measures, curves and examples."""

THARWAT = code_of("tharwat")


rule tharwat_invariance:
    input:
        claims=project_file("resources/tharwat/claims.csv"),
    output:
        table="results/tharwat/invariance.csv",
        adjusted_g_mean="results/tharwat/adjusted_g_mean.csv",
        total="results/tharwat/total_area.csv",
        report="results/tharwat/invariance.md",
    log:
        "logs/tharwat_invariance.log",
    params:
        levels=COMPARED_LEVELS,
        baseline=config["baseline"],
        positives=config["positives"],
        code=THARWAT,
    message:
        "Comparing claims on measures under imbalance with proofs"
    script:
        "../scripts/tharwat/claims.py"


rule tharwat_examples:
    input:
        printed=project_file("resources/tharwat/printed.csv"),
        table=project_file("resources/tharwat/table_1.csv"),
        remarks=project_file("resources/tharwat/remarks.csv"),
    output:
        comparison="results/tharwat/examples.csv",
        report="results/tharwat/report.md",
        discrepancies="results/tharwat/discrepancies.md",
        iris="results/tharwat/iris.csv",
        tables=table_files("results/tharwat/table_1"),
    log:
        "logs/tharwat_examples.log",
    params:
        folds=config["tharwat"]["folds"],
        seed=config["seed"],
        made_from=made_from("seed", "tharwat.folds"),
        code=THARWAT,
    message:
        "Computing the numerical examples, and comparing them with the printed numbers"
    script:
        "../scripts/tharwat/examples.py"


rule tharwat_areas:
    output:
        areas="results/tharwat/areas.csv",
        figure=formats("figures/tharwat/areas"),
    log:
        "logs/tharwat_areas.log",
    params:
        levels=config["levels"],
        baseline=config["baseline"],
        positives=config["positives"],
        separation=config["tharwat"]["separation"],
        replicates=config["tharwat"]["replicates"],
        seed=config["seed"],
        made_from=made_from(
            "levels", "baseline", "positives", "seed", "tharwat.separation", "tharwat.replicates"
        ),
        code=THARWAT,
    message:
        "Measuring which areas under curves change with imbalance"
    script:
        "../scripts/tharwat/areas.py"


rule tharwat_figures:
    output:
        expand(
            "figures/tharwat/figure_{number}.{format}",
            number=range(5, 15),
            format=config["figures"]["formats"],
        ),
    log:
        "logs/tharwat_figures.log",
    params:
        folds=config["tharwat"]["folds"],
        seed=config["seed"],
        made_from=made_from("seed", "tharwat.folds"),
        code=THARWAT,
    message:
        "Drawing curves of the example and of the Iris experiment"
    script:
        "../scripts/tharwat/figures.py"


rule tharwat:
    input:
        rules.tharwat_invariance.output,
        rules.tharwat_examples.output,
        rules.tharwat_areas.output,
        rules.tharwat_figures.output,
        rules.provenance.output,
    message:
        "All tables and figures on Tharwat's measures and curves are complete"
