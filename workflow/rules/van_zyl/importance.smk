def level_name(wildcards):
    return wildcards.level.replace("_", ":")


rule level_samples:
    output:
        "results/samples/{level}.npy",
    log:
        "logs/samples/{level}.log",
    params:
        level=level_name,
        positives=config["positives"],
        seed=config["seed"],
        log2_samples=config["sobol"]["log2_samples"],
    message:
        "Drawing the sample of (tp, fp) at {params.level}"
    script:
        "../../scripts/van_zyl/samples.py"


for batch, metrics in METRIC_BATCHES.items():

    rule:
        name:
            f"level_values_{batch}"
        input:
            definitions=own_files(metrics),
            samples="results/samples/{level}.npy",
        output:
            expand("results/metric_values/{{level}}/{metric}.npy", metric=metrics),
        log:
            f"logs/metric_values/{{level}}_{batch}.log",
        params:
            level=level_name,
            positives=config["positives"],
            metrics=metrics,
            own_metrics=own_metrics(metrics),
            what=in_words(metrics, "metrics"),
        message:
            "Evaluating {params.what} on the sample at {params.level}"
        script:
            "../../scripts/van_zyl/metric_values.py"


rule samples:
    input:
        lambda wildcards: expand(
            "results/samples/{level}.npy", level=map(path_part, config["levels"])
        ),
    message:
        "The samples of all levels are complete"


rule metric_values:
    input:
        lambda wildcards: expand(
            "results/metric_values/{level}/{metric}.npy",
            level=map(path_part, config["levels"]),
            metric=METRICS,
        ),
    message:
        "The values of all metrics are complete"


ESTIMATE = {
    key: config["sobol"][key] for key in ("log2_samples", "resamples", "confidence", "undefined")
}
SIGNIFICANCE_KEYS = [
    *("levels", "baseline", "positives", "metrics", "extra_metrics", "seed"),
    *(f"sobol.{key}" for key in ESTIMATE),
    "significance.alpha",
]
"""Keys of the config that determine which importance scores differ from those at the baseline."""

SHARDS = config["sobol"].get("shards", 1)
BY_SALIB = config["sobol"]["estimator"] == "salib"

# Levels that share a job share the counts of the resamples.
LARGEST_JOB = 2**20  # base points of all its levels, if it has more than one level
LEVEL_PARTS = parted(
    LEVEL_BATCHES,
    RECORDED["levels"],
    largest=1 if BY_SALIB or SHARDS > 1 else max(1, LARGEST_JOB >> ESTIMATE["log2_samples"]),
)


def levels_of_part(wildcards):
    return LEVEL_PARTS[wildcards.level_batch][wildcards.part]


def level_parts(name):
    """Return the files with a name for all parts of level batches and all metric batches."""
    return [
        f"results/batches/{level_batch}_{metric_batch}/{name}_{part}.csv"
        for level_batch, parts in LEVEL_PARTS.items()
        for part in parts
        for metric_batch in METRIC_BATCHES
    ]


def values_or_sums(wildcards):
    """Return the files that other jobs make for a part: values for SALib, or sums of shards."""
    levels = [*map(path_part, levels_of_part(wildcards))]
    if BY_SALIB:
        name = "results/metric_values/{level}/{metric}.npy"
        return expand(name, level=levels, metric=metrics_of(wildcards))
    name = f"results/sums/{{level}}_{wildcards.metric_batch}/{{shard}}_of_{SHARDS}.npz"
    return expand(name, level=levels, shard=range(1, SHARDS + 1)) if SHARDS > 1 else []


rule importance_shard:
    input:
        definitions=own_files_of,
    output:
        temp("results/sums/{level}_{metric_batch}/{shard}_of_{shards}.npz"),
    log:
        "logs/importance_shard/{level}_{metric_batch}_{shard}_of_{shards}.log",
    params:
        **METRICS_OF_BATCH,
        level=level_name,
        positives=config["positives"],
        seed=config["seed"],
        sobol={key: ESTIMATE[key] for key in ("log2_samples", "resamples", "undefined")},
    message:
        "Adding up shard {wildcards.shard} of {wildcards.shards} of {params.what} at {params.level}"
    script:
        "../../scripts/van_zyl/importance_shard.py"


rule importance_scores_batch:
    input:
        definitions=own_files_of,
        values_or_sums=values_or_sums,
    output:
        scores="results/batches/{level_batch}_{metric_batch}/importance_scores_{part}.csv",
        points="results/batches/{level_batch}_{metric_batch}/sample_points_{part}.csv",
    log:
        "logs/importance_scores/{level_batch}_{metric_batch}_{part}.log",
    priority: AWAITED
    params:
        **METRICS_OF_BATCH,
        **at_levels(levels_of_part),
        seed=config["seed"],
        sobol=ESTIMATE,
        estimator=config["sobol"]["estimator"],
    message:
        "Estimating the importance scores of {params.what} at {params.where}"
    script:
        "../../scripts/van_zyl/importance_scores.py"


rule importance_scores:
    input:
        scores=level_parts("importance_scores"),
        points=level_parts("sample_points"),
    output:
        scores="results/importance_scores.csv",
        points="results/sample_points.csv",
    log:
        "logs/importance_scores.log",
    priority: AWAITED
    localrule: True
    params:
        order={"level": config["levels"], "metric": METRICS},
    message:
        "Collecting the importance scores of all levels"
    script:
        "../../scripts/van_zyl/collect.py"
