rule tharwat_invariance:
    input:
        modules=script_modules("tharwat_invariance"),
        claims=workflow_file("resources/tharwat/claims.csv"),
    output:
        table="results/tharwat/invariance.csv",
        report="results/tharwat/invariance.md",
    log:
        "logs/tharwat_invariance.log",
    conda:
        "../../environment.yml"
    params:
        levels=compared_levels(),
        baseline=config["baseline"],
        positives=config["positives"],
    message:
        "Comparing what is said of measures under imbalance with what is proved"
    script:
        "../scripts/tharwat_invariance.py"
