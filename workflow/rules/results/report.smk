"""The report: one page with findings, figures and tables."""

EXPLORER_PAGE = "results/explorer.html"


def report_tables():
    """Add each existing table or text to the report."""
    for result in CONTENTS:
        if result.endswith((".csv", ".md")):
            reported(result, result)
    for level in config["levels"]:
        name = importance_table_name(level)
        printed = f" (Table A.{name[1:]})" if name[1:].isdigit() else ""
        content = f"Importance scores at {level}{printed}"
        reported(f"results/tables/table_{name}.md", "results/tables/table_a", content)
    for number, negatives in enumerate(config["burduk"]["negatives"], 1):
        content = f"Table {number}: classifiers at {config['burduk']['positives']}:{negatives}"
        reported(f"results/burduk/table_{number}.md", "results/burduk/table_", content)


report_tables()
REPORTED = dict(sorted(REPORTED.items(), key=lambda each: (each[1]["place"], each[0])))


rule report:
    input:
        results=list(REPORTED),
    output:
        "results/report.html",
    log:
        "logs/report.log",
    params:
        rows=list(REPORTED.values()),
        explorer=Path(in_this_run(EXPLORER_PAGE)).is_file(),
    message:
        "Writing the report"
    script:
        "../../scripts/results/report.py"
