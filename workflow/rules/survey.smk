rule choosing_figures:
    input:
        modules=script_modules("choosing_figures"),
        data=package_data("absolute", "yaml"),
    output:
        expand(
            "figures/choose_{problem}.{format}",
            problem=["classification", "clustering", "ranking", "domain"],
            format=config["figures"]["formats"],
        ),
    log:
        "logs/choosing_figures.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the survey's decision trees"
    script:
        "../scripts/choosing_figures.py"
