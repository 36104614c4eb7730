"""Exact indices, their curves over imbalance, and the errors of sampled indices."""


rule exact_importance:
    output:
        importance="results/exact_importance.csv",
        moments="results/exact_moments.csv",
    log:
        "logs/exact_importance.log",
    params:
        metrics=METRICS,
        levels=config["levels"],
        positives=config["positives"],
        code=VAN_ZYL,
    message:
        "Computing the exact indices at all levels"
    script:
        "../../scripts/van_zyl/exact_importance.py"


rule sweep:
    output:
        "results/sweep.csv",
    log:
        "logs/sweep.log",
    params:
        metrics=METRICS,
        positives=config["positives"],
        sweep=config["sweep"],
        code=VAN_ZYL,
    message:
        "Computing the exact indices from {params.sweep[from]} to {params.sweep[to]}"
    script:
        "../../scripts/van_zyl/sweep.py"


rule convergence:
    output:
        "results/convergence.csv",
    log:
        "logs/convergence.log",
    params:
        metrics=METRICS,
        positives=config["positives"],
        seed=config["seed"],
        sobol={key: SOBOL[key] for key in ("resamples", "confidence", "undefined")},
        convergence=config["convergence"],
        code=VAN_ZYL,
    message:
        "Measuring the errors of the sampled indices by sample size"
    script:
        "../../scripts/van_zyl/convergence.py"


# One job, since starting a job and drawing its first text takes longer than a figure.
rule curve_figures:
    input:
        sweep="results/sweep.csv",
        convergence="results/convergence.csv",
    output:
        roc=formats("figures/roc_point"),
        pr=formats("figures/pr_point"),
        sweep=formats("figures/sweep"),
        convergence=formats("figures/convergence"),
    log:
        "logs/curve_figures.log",
    params:
        metrics=METRICS,
        made_from=made_from(
            *("metrics", "extra_metrics", "positives", "sweep", "seed", "convergence"),
            *("sobol.resamples", "sobol.confidence", "sobol.undefined"),
        ),
        code=VAN_ZYL,
    message:
        "Drawing curves of one point, of the exact indices and of the errors of the sampled indices"
    script:
        "../../scripts/van_zyl/curve_figures.py"
