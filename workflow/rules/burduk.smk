"""Burduk's analysis of HMNC."""

BURDUK = code_of("burduk")


rule burduk_tables:
    input:
        printed=project_file("resources/burduk/printed.csv"),
    output:
        tables=expand(
            "results/burduk/table_{number}.{kind}",
            number=range(1, 1 + len(config["burduk"]["negatives"])),
            kind=["csv", "md", "tex"],
        ),
        comparison="results/burduk/comparison.csv",
        shares="results/burduk/claim_shares.csv",
        borders="results/burduk/border.csv",
        report="results/burduk/report.md",
        discrepancies="results/burduk/discrepancies.md",
        card="results/burduk/hmnc.md",
    log:
        "logs/burduk_tables.log",
    params:
        positives=config["burduk"]["positives"],
        negatives=config["burduk"]["negatives"],
        grid=config["burduk"]["grid"],
        made_from=made_from("burduk"),
        code=BURDUK,
    message:
        "Comparing HMNC with six metrics and with the printed numbers"
    script:
        "../scripts/burduk/tables.py"


rule burduk_figures:
    output:
        heat_maps=expand(
            "figures/burduk/heat_maps_P{positives}_N{negatives}.{format}",
            positives=config["burduk"]["positives"],
            negatives=config["burduk"]["negatives"],
            format=config["figures"]["formats"],
        ),
        claim=formats("figures/burduk/claim"),
    log:
        "logs/burduk_figures.log",
    params:
        positives=config["burduk"]["positives"],
        negatives=config["burduk"]["negatives"],
        grid=config["burduk"]["grid"],
        made_from=made_from("burduk"),
        code=BURDUK,
    message:
        "Drawing heat maps of seven metrics, and the regions where the claim on HMNC holds"
    script:
        "../scripts/burduk/figures.py"


rule burduk:
    input:
        rules.burduk_tables.output,
        rules.burduk_figures.output,
        rules.provenance.output,
    message:
        "All tables and figures on HMNC are complete"
