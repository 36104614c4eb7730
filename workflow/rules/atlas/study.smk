# Number of jobs that share the measures; the list of all measures is not read before they run.
ATLAS_MEASURES = config["atlas"]["measures"]
ATLAS_PARTS = range(12 if ATLAS_MEASURES == "all" else 1)
ORDERED = [*map(path_part, config["atlas"]["orderings"])]


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
    message:
        "Finding the effect of prevalence on measures, part {wildcards.part}"
    script:
        "../../scripts/atlas/measures.py"


rule atlas_values:
    output:
        "results/batches/atlas/values.csv",
    log:
        "logs/atlas_values.log",
    params:
        measures=ATLAS_MEASURES,
        seed=config["seed"],
    message:
        "Finding which measures are equal, or linear functions of each other"
    script:
        "../../scripts/atlas/values.py"


rule atlas_orderings:
    output:
        classes="results/batches/atlas/classes_{level}.csv",
        evidence="results/batches/atlas/evidence_{level}.csv",
    log:
        "logs/atlas_orderings/{level}.log",
    params:
        measures=ATLAS_MEASURES,
        level=lambda wildcards: wildcards.level.replace("_", ":"),
        positives=config["positives"],
        classifiers=config["atlas"]["classifiers"],
        seed=config["seed"],
    message:
        "Finding which measures order classifiers alike at {params.level}"
    script:
        "../../scripts/atlas/orderings.py"


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
    message:
        "Compiling the atlas"
    script:
        "../../scripts/atlas/tables.py"


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
    message:
        "Drawing which measures order classifiers alike"
    script:
        "../../scripts/atlas/map.py"


include: "label_errors.smk"


rule atlas:
    input:
        rules.atlas_tables.output,
        rules.atlas_map.output,
        rules.label_error_levels.output,
        rules.label_errors.output,
        rules.provenance.output,
    message:
        "All tables and figures of the atlas are complete"
