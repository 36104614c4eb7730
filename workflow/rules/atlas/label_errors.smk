from skewproof.core.levels import Level

LABEL_ERRORS = config["atlas"]["label_errors"]
LABEL_ERROR_RANGES = {
    key: LABEL_ERRORS[key] for key in ("largest_false_positive_rate", "largest_false_negative_rate")
}
LABEL_ERROR_LEVELS = sorted(
    LABEL_ERRORS["levels"], key=lambda level: Level.parse(level).negatives(1)
)


rule label_error_shares:
    output:
        "results/batches/atlas/label_errors_{level}.csv",
    log:
        "logs/label_error_shares/{level}.log",
    params:
        measures=ATLAS_MEASURES,
        level=lambda wildcards: wildcards.level.replace("_", ":"),
        ranges=LABEL_ERROR_RANGES,
        scrambles=LABEL_ERRORS["replicates"],
        log2_samples=LABEL_ERRORS["log2_samples"],
        positives=config["positives"],
        seed=config["seed"],
    message:
        "Computing the shares of label errors in the variance of measures at {params.level}"
    script:
        "../../scripts/atlas/label_error_shares.py"


rule label_error_levels:
    output:
        "results/atlas/label_error_levels.csv",
    log:
        "logs/label_error_levels.log",
    params:
        measures=ATLAS_MEASURES,
        levels=LABEL_ERROR_LEVELS,
        ranges=LABEL_ERROR_RANGES,
        positives=config["positives"],
    message:
        "Finding the levels at which wrong labels contribute half of a measure's variance"
    script:
        "../../scripts/atlas/label_error_levels.py"


rule label_errors:
    input:
        shares=expand(
            "results/batches/atlas/label_errors_{level}.csv",
            level=map(path_part, LABEL_ERROR_LEVELS),
        ),
        levels=rules.label_error_levels.output[0],
    output:
        shares="results/atlas/label_errors.csv",
        report="results/atlas/label_errors.md",
        figure=formats("figures/atlas/label_errors"),
    log:
        "logs/label_errors.log",
    params:
        levels=LABEL_ERROR_LEVELS,
        ranges=LABEL_ERROR_RANGES,
        made_from=made_from("positives", "seed", "atlas"),
    message:
        "Reporting the effect of wrong labels on measures"
    script:
        "../../scripts/atlas/label_errors.py"
