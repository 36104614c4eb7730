"""Importance scores: sample, evaluate, compute the indices at each level, and test them."""

SOBOL = config["sobol"]
ESTIMATE = {key: SOBOL[key] for key in ("log2_samples", "resamples", "confidence", "undefined")}
BYTES_OF_VALUES = 8 * 4 * 2 ** SOBOL["log2_samples"]

KEPT = expand(
    "results/{array}/{level}.npy",
    array=["samples", "metric_values"] if SOBOL["keep_samples"] else [],
    level=map(path_part, config["levels"]),
)


rule sample:
    output:
        kept_or_temporary("results/samples/{level}.npy"),
    log:
        "logs/sample/{level}.log",
    params:
        level=level_of,
        positives=config["positives"],
        seed=config["seed"],
        log2_samples=SOBOL["log2_samples"],
        code=VAN_ZYL,
    message:
        "Drawing the sample of (tp, fp) at {params.level}"
    script:
        "../../scripts/van_zyl/sample.py"


rule metric_values:
    input:
        "results/samples/{level}.npy",
    output:
        kept_or_temporary("results/metric_values/{level}.npy"),
    log:
        "logs/metric_values/{level}.log",
    resources:
        disk_mb=1 + BYTES_OF_VALUES * len(METRICS["keys"]) // 10**6,
    params:
        level=level_of,
        positives=config["positives"],
        metrics=METRICS,
        # A sample that was deleted shows no changes, and values may be left by a run that failed.
        sample=(config["seed"], SOBOL["log2_samples"]),
        code=VAN_ZYL,
    message:
        "Evaluating the metrics on the sample at {params.level}"
    script:
        "../../scripts/van_zyl/metric_values.py"


rule sobol_indices:
    input:
        "results/metric_values/{level}.npy",
    output:
        "results/indices/{level}.csv",
    log:
        "logs/sobol_indices/{level}.log",
    params:
        level=level_of,
        positives=config["positives"],
        metrics=METRICS,
        seed=config["seed"],
        estimate=ESTIMATE,
        half_widths=SOBOL["half_widths"],
        code=VAN_ZYL,
    message:
        "Computing the indices at {params.level} with SALib"
    script:
        "../../scripts/van_zyl/sobol_indices.py"


rule importance_scores:
    input:
        of_levels("results/indices/{level}.csv"),
    output:
        scores="results/importance_scores.csv",
        points="results/sample_points.csv",
    log:
        "logs/importance_scores.log",
    params:
        log2_samples=SOBOL["log2_samples"],
        undefined=SOBOL["undefined"],
        code=VAN_ZYL,
    message:
        "Collecting the importance scores of all levels"
    script:
        "../../scripts/van_zyl/importance_scores.py"


rule salib_agreement:
    input:
        of_levels("results/indices/{level}.csv"),
    output:
        "results/salib_agreement.csv",
    log:
        "logs/salib_agreement.log",
    params:
        own_metrics=list(OWN_METRICS),
        code=VAN_ZYL,
    message:
        "Comparing SALib's numbers with this project's"
    script:
        "../../scripts/van_zyl/salib_agreement.py"


rule p_values:
    input:
        scores="results/importance_scores.csv",
    output:
        "results/p_values.csv",
    log:
        "logs/p_values.log",
    params:
        baseline=config["baseline"],
        log2_samples=SOBOL["log2_samples"],
        code=VAN_ZYL,
    message:
        "Testing the importance scores against those at {params.baseline}"
    script:
        "../../scripts/van_zyl/p_values.py"
