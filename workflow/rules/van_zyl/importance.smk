def level_name(wildcards):
    return wildcards.level.replace("_", ":")


rule level_samples:
    input:
        modules=script_modules("van_zyl/samples"),
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
            modules=script_modules("van_zyl/metric_values"),
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
        "The samples of all levels are there"


rule metric_values:
    input:
        lambda wildcards: expand(
            "results/metric_values/{level}/{metric}.npy",
            level=map(path_part, config["levels"]),
            metric=METRICS,
        ),
    message:
        "The values of all metrics are there"


ESTIMATE = {
    key: config["sobol"][key] for key in ("log2_samples", "resamples", "confidence", "undefined")
}
SHARDS = config["sobol"].get("shards", 1)
BY_SALIB = config["sobol"]["estimator"] == "salib"

# Levels that share a job share the counts of the resamples.
LARGEST_JOB = 2**20  # base points of its levels together, where it has more than one
LEVEL_PARTS = parted(
    LEVEL_BATCHES,
    RECORDED["levels"],
    largest=1 if BY_SALIB or SHARDS > 1 else max(1, LARGEST_JOB >> ESTIMATE["log2_samples"]),
)


def levels_of_part(wildcards):
    return LEVEL_PARTS[wildcards.level_batch][wildcards.part]


def level_of_part(wildcards):
    """The level of a part where no two share a job."""
    [level] = levels_of_part(wildcards)
    return level


def level_parts(name):
    """The files of all parts of batches of levels, and batches of metrics, under one name."""
    return [
        f"results/batches/{level_batch}_{metric_batch}/{name}_{part}.csv"
        for level_batch, parts in LEVEL_PARTS.items()
        for part in parts
        for metric_batch in METRIC_BATCHES
    ]


if BY_SALIB:

    rule salib_analysis:
        input:
            modules=script_modules("van_zyl/salib_analysis"),
            values=lambda wildcards: expand(
                "results/metric_values/{level}/{metric}.npy",
                level=path_part(level_of_part(wildcards)),
                metric=metrics_of(wildcards),
            ),
        output:
            scores="results/batches/{level_batch}_{metric_batch}/importance_scores_{part}.csv",
            points="results/batches/{level_batch}_{metric_batch}/sample_points_{part}.csv",
        log:
            "logs/salib_analysis/{level_batch}_{metric_batch}_{part}.log",
        params:
            level=level_of_part,
            positives=config["positives"],
            metrics=metrics_of,
            seed=config["seed"],
            sobol=ESTIMATE,
            what=lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
        message:
            "Having SALib analyze {params.what} at {params.level}"
        script:
            "../../scripts/van_zyl/salib_analysis.py"

elif SHARDS == 1:

    rule importance_levels:
        input:
            modules=script_modules("van_zyl/importance_levels"),
            definitions=lambda wildcards: own_files(metrics_of(wildcards)),
        output:
            scores="results/batches/{level_batch}_{metric_batch}/importance_scores_{part}.csv",
            points="results/batches/{level_batch}_{metric_batch}/sample_points_{part}.csv",
        log:
            "logs/importance_levels/{level_batch}_{metric_batch}_{part}.log",
        priority: AWAITED
        params:
            levels=levels_of_part,
            positives=config["positives"],
            metrics=metrics_of,
            own_metrics=lambda wildcards: own_metrics(metrics_of(wildcards)),
            seed=config["seed"],
            sobol=ESTIMATE,
            what=lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
            where=lambda wildcards: in_words(levels_of_part(wildcards), "levels"),
        message:
            "Estimating the importance scores of {params.what} at {params.where}"
        script:
            "../../scripts/van_zyl/importance_levels.py"

else:

    rule importance_shard:
        input:
            modules=script_modules("van_zyl/importance_shard"),
            definitions=lambda wildcards: own_files(metrics_of(wildcards)),
        output:
            temp("results/sums/{level}_{metric_batch}/{shard}_of_{shards}.npz"),
        log:
            "logs/importance_shard/{level}_{metric_batch}_{shard}_of_{shards}.log",
        wildcard_constraints:
            shard=r"[0-9]+",
            shards=r"[0-9]+",
        params:
            level=level_name,
            positives=config["positives"],
            metrics=metrics_of,
            own_metrics=lambda wildcards: own_metrics(metrics_of(wildcards)),
            seed=config["seed"],
            sobol={key: ESTIMATE[key] for key in ("log2_samples", "resamples", "undefined")},
            what=lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
        message:
            "Adding up shard {wildcards.shard} of {wildcards.shards} of {params.what} at"
            " {params.level}"
        script:
            "../../scripts/van_zyl/importance_shard.py"

    rule importance_merged:
        input:
            modules=script_modules("van_zyl/importance_merged"),
            definitions=lambda wildcards: own_files(metrics_of(wildcards)),
            shards=lambda wildcards: expand(
                "results/sums/{level}_{metric_batch}/{shard}_of_{shards}.npz",
                level=path_part(level_of_part(wildcards)),
                metric_batch=wildcards.metric_batch,
                shard=range(1, SHARDS + 1),
                shards=SHARDS,
            ),
        output:
            scores="results/batches/{level_batch}_{metric_batch}/importance_scores_{part}.csv",
            points="results/batches/{level_batch}_{metric_batch}/sample_points_{part}.csv",
        log:
            "logs/importance_merged/{level_batch}_{metric_batch}_{part}.log",
        params:
            level=level_of_part,
            positives=config["positives"],
            metrics=metrics_of,
            own_metrics=lambda wildcards: own_metrics(metrics_of(wildcards)),
            seed=config["seed"],
            sobol=ESTIMATE,
            what=lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
        message:
            "Estimating the importance scores of {params.what} at {params.level} from all shards"
        script:
            "../../scripts/van_zyl/importance_merged.py"


rule importance_scores:
    input:
        modules=script_modules("van_zyl/collect"),
        scores=level_parts("importance_scores"),
        points=level_parts("sample_points"),
    output:
        scores="results/importance_scores.csv",
        points="results/sample_points.csv",
    log:
        "logs/importance_scores.log",
    priority: AWAITED
    params:
        order={"level": config["levels"], "metric": METRICS},
    message:
        "Collecting the importance scores of all levels"
    script:
        "../../scripts/van_zyl/collect.py"
