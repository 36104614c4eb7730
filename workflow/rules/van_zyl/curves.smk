rule sweep_batch:
    input:
        definitions=own_files_of,
    output:
        sweep="results/batches/{metric_batch}/sweep.csv",
    log:
        "logs/sweep/{metric_batch}.log",
    params:
        **METRICS_OF_BATCH,
        positives=config["positives"],
        sweep=config["sweep"],
    message:
        "Computing the exact indices of {params.what} over all imbalance levels"
    script:
        "../../scripts/van_zyl/sweep.py"


rule sweep:
    input:
        sweep=parts_of_metrics("sweep"),
    output:
        sweep="results/sweep.csv",
    log:
        "logs/sweep.log",
    localrule: True
    params:
        order={"negatives_per_positive": None, "metric": METRICS},
    message:
        "Collecting the exact indices over all imbalance levels"
    script:
        "../../scripts/van_zyl/collect.py"


rule convergence_batch:
    input:
        definitions=own_files_of,
    output:
        convergence="results/batches/{metric_batch}/convergence.csv",
    log:
        "logs/convergence/{metric_batch}.log",
    params:
        **METRICS_OF_BATCH,
        positives=config["positives"],
        seed=config["seed"],
        sobol={key: config["sobol"][key] for key in ("resamples", "confidence", "undefined")},
        convergence=config["convergence"],
    message:
        "Measuring the error of the sampled indices of {params.what} by sample size"
    script:
        "../../scripts/van_zyl/convergence.py"


rule convergence:
    input:
        convergence=parts_of_metrics("convergence"),
    output:
        convergence="results/convergence.csv",
    log:
        "logs/convergence.log",
    localrule: True
    params:
        order={
            "log2_samples": None,
            "level": config["convergence"]["levels"],
            "metric": METRICS,
        },
    message:
        "Collecting the errors of the sampled indices"
    script:
        "../../scripts/van_zyl/collect.py"


# The figures share a job, since starting one and drawing its first text takes longer than a figure.
rule curve_figures:
    input:
        definitions=own_files(METRICS),
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
        own_metrics=own_metrics(METRICS),
        made_from=made_from(
            *("metrics", "extra_metrics", "positives", "sweep", "seed", "convergence"),
            *("sobol.resamples", "sobol.confidence", "sobol.undefined"),
        ),
    message:
        "Drawing curves of one point, of the exact indices and of the errors of the sampled indices"
    script:
        "../../scripts/van_zyl/curve_figures.py"
