rule burduk_tables:
    input:
        modules=script_modules("burduk_tables"),
        printed=workflow_file("resources/burduk/printed.csv"),
    output:
        tables=expand(
            "results/burduk/table_{number}.{extension}",
            number=range(1, 1 + len(config["burduk"]["negatives"])),
            extension=["csv", "md", "tex"],
        ),
        comparison="results/burduk/comparison.csv",
        shares="results/burduk/claim_shares.csv",
        report="results/burduk/report.md",
        card="results/burduk/hmnc.md",
    log:
        "logs/burduk_tables.log",
    conda:
        "../../environment.yml"
    params:
        positives=config["burduk"]["positives"],
        negatives=config["burduk"]["negatives"],
        grid=config["burduk"]["grid"],
    message:
        "Comparing HMNC with six metrics, and with what is printed"
    script:
        "../scripts/burduk_tables.py"


rule burduk_figures:
    input:
        modules=script_modules("burduk_figures"),
    output:
        heat_maps=expand(
            "figures/burduk/heat_maps_P{positives}_N{negatives}.{format}",
            positives=config["burduk"]["positives"],
            negatives=config["burduk"]["negatives"],
            format=config["figures"]["formats"],
        ),
        claim=expand("figures/burduk/claim.{format}", format=config["figures"]["formats"]),
    log:
        "logs/burduk_figures.log",
    conda:
        "../../environment.yml"
    params:
        positives=config["burduk"]["positives"],
        negatives=config["burduk"]["negatives"],
        grid=config["burduk"]["grid"],
    message:
        "Drawing heat maps of seven metrics, and where HMNC does as claimed"
    script:
        "../scripts/burduk_figures.py"
