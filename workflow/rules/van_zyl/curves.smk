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
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
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
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        seed=config["seed"],
        sobol={key: config["sobol"][key] for key in ("resamples", "confidence", "undefined")},
        convergence=config["convergence"],
    message:
        "Measuring the error of the sampled indices against the number of base points"
    script:
        "../scripts/convergence.py"


# All in one job: starting it and drawing its first text takes longer than drawing one of them.
rule curve_figures:
    input:
        modules=script_modules("curve_figures"),
        sweep="results/sweep.csv",
        convergence="results/convergence.csv",
    output:
        roc=expand("figures/roc_point.{format}", format=config["figures"]["formats"]),
        pr=expand("figures/pr_point.{format}", format=config["figures"]["formats"]),
        sweep=expand("figures/sweep.{format}", format=config["figures"]["formats"]),
        convergence=expand("figures/convergence.{format}", format=config["figures"]["formats"]),
    log:
        "logs/curve_figures.log",
    conda:
        "../../environment.yml"
    message:
        "Drawing the curves: of one point, of the exact indices, of the error of the sampled ones"
    script:
        "../scripts/curve_figures.py"
