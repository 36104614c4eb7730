from skewproof.core.messages import shortened
from skewproof_studies.classifiers.measured import read_measured


def look_through(name, file):
    """Stop if a file of measured classifiers can't be used."""
    try:
        read_measured(file)
    except ValueError as error:
        refuse(f"classifiers.{name}.file = {shortened(file)}: {error}")


MEASURED = {
    name: described["file"]
    for name, described in config["classifiers"].items()
    if "file" in described
}
# Checked before any job: when inputs are found, Snakemake uses results that exist already.
if STARTS_JOBS and in_this_run("results") == "results":
    for name, file in MEASURED.items():
        look_through(name, file)


def measured_classifiers(wildcards):
    file = MEASURED.get(wildcards.distribution)
    return local(file) if file else []


def of_distributions(name):
    """Return the files of all distributions with a name."""
    return expand(
        f"results/batches/classifiers/{{distribution}}/{name}.csv",
        distribution=["uniform", *config["classifiers"]],
    )


rule classifiers_distribution:
    input:
        definitions=own_files(METRICS),
        measured=measured_classifiers,
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
        own_metrics=own_metrics(METRICS),
        seed=config["seed"],
        sampling=ESTIMATE,
    message:
        "Computing indices and shifts under the distribution {wildcards.distribution} of classifiers"
    script:
        "../../scripts/classifiers/tables.py"


rule classifiers_report:
    input:
        definitions=own_files(METRICS),
        indices=of_distributions("indices"),
        shifts=of_distributions("shifts"),
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
        own_metrics=own_metrics(METRICS),
        baseline=config["baseline"],
        made_from=made_from(
            *("levels", "baseline", "positives", "metrics", "extra_metrics", "seed"),
            *("sobol.log2_samples", "sobol.undefined", "classifiers"),
        ),
    message:
        "Comparing the effect of imbalance on metrics under different distributions of classifiers"
    script:
        "../../scripts/classifiers/report.py"


rule classifiers:
    input:
        rules.classifiers_report.output,
        rules.provenance.output,
    message:
        "Indices and shifts under all distributions of classifiers are complete"
