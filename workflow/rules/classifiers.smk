"""Metrics over other distributions of classifiers than the uniform one."""

from skewproof_studies.classifiers.measured import check_measured

CLASSIFIERS = code_of("classifiers", "van_zyl")

# Before any job: a result that exists already would hide a file that has become wrong.
try:
    check_measured(config["classifiers"])
except ValueError as error:
    sys.exit(str(error))

DISTRIBUTIONS = ["uniform", *config["classifiers"]]
MEASURED = {
    name: local(described["file"])
    for name, described in config["classifiers"].items()
    if "file" in described
}


rule classifiers_distribution:
    input:
        measured=lambda wildcards: MEASURED.get(wildcards.distribution, []),
    output:
        indices="results/batches/classifiers/{distribution}/indices.csv",
        shifts="results/batches/classifiers/{distribution}/shifts.csv",
    log:
        "logs/classifiers/{distribution}.log",
    wildcard_constraints:
        distribution=r"[a-z][a-z0-9_]*",
    params:
        described=lambda wildcards: config["classifiers"].get(wildcards.distribution),
        levels=config["levels"],
        baseline=config["baseline"],
        positives=config["positives"],
        metrics=METRICS,
        seed=config["seed"],
        sampling=ESTIMATE,
        code=CLASSIFIERS,
    message:
        "Computing indices and shifts under the distribution {wildcards.distribution} of classifiers"
    script:
        "../scripts/classifiers/tables.py"


rule classifiers_report:
    input:
        indices=expand(
            "results/batches/classifiers/{distribution}/indices.csv", distribution=DISTRIBUTIONS
        ),
        shifts=expand(
            "results/batches/classifiers/{distribution}/shifts.csv", distribution=DISTRIBUTIONS
        ),
        invariance="results/invariance.csv",
    output:
        indices="results/classifiers/indices.csv",
        shifts="results/classifiers/shifts.csv",
        exchanges="results/classifiers/exchanges.csv",
        report="results/classifiers/report.md",
        figure=formats("figures/classifiers/distributions"),
    log:
        "logs/classifiers_report.log",
    params:
        metrics=METRICS,
        baseline=config["baseline"],
        made_from=made_from(
            *("levels", "baseline", "positives", "metrics", "extra_metrics", "seed"),
            *("sobol.log2_samples", "sobol.undefined", "classifiers"),
        ),
        code=CLASSIFIERS,
    message:
        "Comparing the effect of imbalance on metrics under different distributions of classifiers"
    script:
        "../scripts/classifiers/report.py"


rule classifiers:
    input:
        rules.classifiers_report.output,
        rules.provenance.output,
    message:
        "Indices and shifts under all distributions of classifiers are complete"
