rule sweep:
    input:
        modules=script_modules("sweep"),
    output:
        "results/sweep.csv",
    log:
        "logs/sweep.log",
    conda:
        "../../environment.yml"
    params:
        positives=config["positives"],
        metrics=config["metrics"],
        sweep=config["sweep"],
    message:
        "Computing the exact indices from {params.sweep[from]} to {params.sweep[to]}"
    script:
        "../scripts/sweep.py"


rule convergence:
    input:
        modules=script_modules("convergence"),
    output:
        "results/convergence.csv",
    log:
        "logs/convergence.log",
    conda:
        "../../environment.yml"
    params:
        positives=config["positives"],
        metrics=config["metrics"],
        seed=config["seed"],
        sobol={key: config["sobol"][key] for key in ("resamples", "confidence", "undefined")},
        convergence=config["convergence"],
    message:
        "Measuring the error of the sampled indices against the number of base points"
    script:
        "../scripts/convergence.py"


rule sweep_figure:
    input:
        modules=script_modules("sweep_figure"),
        sweep="results/sweep.csv",
    output:
        expand("figures/sweep.{format}", format=config["figures"]["formats"]),
    log:
        "logs/sweep_figure.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the exact indices over imbalance"
    script:
        "../scripts/sweep_figure.py"


rule convergence_figure:
    input:
        modules=script_modules("convergence_figure"),
        convergence="results/convergence.csv",
    output:
        expand("figures/convergence.{format}", format=config["figures"]["formats"]),
    log:
        "logs/convergence_figure.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the error of the sampled indices against the number of base points"
    script:
        "../scripts/convergence_figure.py"
