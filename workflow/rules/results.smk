"""What the results were made with, the explorer, and the report with everything that exists."""

from skewproof_studies.pipeline.report.contents import read_contents

P, BURDUK_NEGATIVES = config["burduk"]["positives"], config["burduk"]["negatives"]
# Results of which the config determines the number, with a title for each.
SERIES = {
    "figures/contours": {f"figures/contours/{key}": key for key in DRAWN_METRICS["keys"]},
    "results/tables/table_a": {
        f"results/tables/table_{importance_table_name(level)}.md": importance_table_title(level)
        for level in config["levels"]
    },
    "results/burduk/table_": {
        f"results/burduk/table_{number}.md": f"Table {number}: classifiers at {P}:{negatives}"
        for number, negatives in enumerate(BURDUK_NEGATIVES, start=1)
    },
    "figures/burduk/heat_maps": {
        f"figures/burduk/heat_maps_P{P}_N{negatives}": f"Heat maps at {P}:{negatives}"
        for negatives in BURDUK_NEGATIVES
    },
    "figures/choose": {
        f"figures/choose_{problem}": f"Which measure to choose: {problem}"
        for problem in ["classification", "clustering", "ranking", "domain"]
    },
}


rule provenance:
    output:
        "results/provenance.json",
    log:
        "logs/provenance.log",
    localrule: True  # other machines may lack the repository
    params:
        provenance=lambda wildcards: origin.provenance(config, PROJECT),
    message:
        "Recording versions, seed, configuration and commit"
    script:
        "../scripts/results/provenance.py"


rule explorer:
    output:
        "results/explorer.html",
    log:
        "logs/explorer.log",
    params:
        code=code_of(),
    message:
        "Writing the explorer"
    script:
        "../scripts/results/explorer.py"


RUN_FOLDER = Path(rules.provenance.output[0]).parents[1]  # a prefix, if another workflow sets it
REPORTED = read_contents(PROJECT / "workflow/report/contents.csv", SERIES, RUN_FOLDER)


rule report:
    input:
        results=list(REPORTED),
    output:
        "results/report.html",
    log:
        "logs/report.log",
    params:
        rows=list(REPORTED.values()),
        explorer=(RUN_FOLDER / "results/explorer.html").is_file(),
        code=code_of(),
    message:
        "Writing the report"
    script:
        "../scripts/results/report.py"
