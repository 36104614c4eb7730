"""All published measures of two classes: which are the same, and what prevalence does to each."""

from skewproof.core.levels import Level

ATLAS = code_of("atlas")
ATLAS_MEASURES = config["atlas"]["measures"]
# Jobs that share the measures; the list of all measures is not read before they run.
ATLAS_PARTS = range(12 if ATLAS_MEASURES == "all" else 1)
ORDERED = [*map(path_part, config["atlas"]["orderings"])]
LABEL_ERRORS = config["atlas"]["label_errors"]
LABEL_ERROR_RANGES = {
    key: LABEL_ERRORS[key] for key in ("largest_false_positive_rate", "largest_false_negative_rate")
}
LABEL_ERROR_LEVELS = sorted(
    LABEL_ERRORS["levels"], key=lambda level: Level.parse(level).negatives(1)
)


rule atlas_measures_part:
    output:
        "results/batches/atlas/measures_{part}.csv",
    log:
        "logs/atlas_measures/{part}.log",
    params:
        parts=len(ATLAS_PARTS),
        measures=ATLAS_MEASURES,
        levels=config["levels"],
        baseline=config["baseline"],
        positives=config["positives"],
        seed=config["seed"],
        code=ATLAS,
    message:
        "Finding the effect of prevalence on measures, part {wildcards.part}"
    script:
        "../scripts/atlas/measures.py"


rule atlas_values:
    output:
        "results/batches/atlas/values.csv",
    log:
        "logs/atlas_values.log",
    params:
        measures=ATLAS_MEASURES,
        seed=config["seed"],
        code=ATLAS,
    message:
        "Finding which measures are equal, or linear functions of each other"
    script:
        "../scripts/atlas/values.py"


rule atlas_orderings:
    output:
        classes="results/batches/atlas/classes_{level}.csv",
        evidence="results/batches/atlas/evidence_{level}.csv",
    log:
        "logs/atlas_orderings/{level}.log",
    params:
        measures=ATLAS_MEASURES,
        level=level_of,
        positives=config["positives"],
        classifiers=config["atlas"]["classifiers"],
        seed=config["seed"],
        code=ATLAS,
    message:
        "Finding which measures order classifiers alike at {params.level}"
    script:
        "../scripts/atlas/orderings.py"


rule atlas_tables:
    input:
        measures=expand("results/batches/atlas/measures_{part}.csv", part=ATLAS_PARTS),
        functions=rules.atlas_values.output,
        classes=expand("results/batches/atlas/classes_{level}.csv", level=ORDERED),
        evidence=expand("results/batches/atlas/evidence_{level}.csv", level=ORDERED),
    output:
        classes="results/atlas/classes.csv",
        measures="results/atlas/measures.csv",
        orderings="results/atlas/orderings.csv",
        report="results/atlas/report.md",
    log:
        "logs/atlas_tables.log",
    params:
        orderings=config["atlas"]["orderings"],
        levels=config["levels"],
        baseline=config["baseline"],
        made_from=made_from("levels", "baseline", "positives", "seed", "atlas"),
        code=ATLAS,
    message:
        "Compiling the atlas"
    script:
        "../scripts/atlas/tables.py"


rule atlas_map:
    input:
        classes="results/atlas/classes.csv",
    output:
        correlations="results/atlas/map.csv",
        map=formats("figures/atlas/map"),
        representatives=formats("figures/atlas/representatives"),
    log:
        "logs/atlas_map.log",
    params:
        measures=ATLAS_MEASURES,
        levels=config["atlas"]["map"],
        classifiers=config["atlas"]["classifiers"],
        ordering=config["atlas"]["orderings"][0],
        positives=config["positives"],
        seed=config["seed"],
        made_from=made_from("positives", "seed", "atlas"),
        code=ATLAS,
    message:
        "Drawing which measures order classifiers alike"
    script:
        "../scripts/atlas/map.py"


rule label_error_shares:
    output:
        "results/batches/atlas/label_errors_{level}.csv",
    log:
        "logs/label_error_shares/{level}.log",
    params:
        measures=ATLAS_MEASURES,
        level=level_of,
        ranges=LABEL_ERROR_RANGES,
        scrambles=LABEL_ERRORS["replicates"],
        log2_samples=LABEL_ERRORS["log2_samples"],
        positives=config["positives"],
        seed=config["seed"],
        code=ATLAS,
    message:
        "Computing the shares of label errors in the variance of measures at {params.level}"
    script:
        "../scripts/atlas/label_error_shares.py"


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
        code=ATLAS,
    message:
        "Finding the levels at which wrong labels contribute half of a measure's variance"
    script:
        "../scripts/atlas/label_error_levels.py"


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
        code=ATLAS,
    message:
        "Reporting the effect of wrong labels on measures"
    script:
        "../scripts/atlas/label_errors.py"


rule atlas:
    input:
        rules.atlas_tables.output,
        rules.atlas_map.output,
        rules.label_error_levels.output,
        rules.label_errors.output,
        rules.provenance.output,
    message:
        "All tables and figures of the atlas are complete"
