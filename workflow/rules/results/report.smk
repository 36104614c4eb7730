"""The report: figures as they are, tables and texts as pages; `make report` puts all into one file."""

EXPLORER_PAGE = "results/explorer.html"


def tables():
    """Each table or text that there may be: its row of contents.csv, and labels of its own."""
    for result in CONTENTS:
        if result.endswith((".csv", ".md")):
            yield result, result, {}
    for level in config["levels"]:
        name = importance_table_name(level)
        printed = f" (Table A.{name[1:]})" if name[1:].isdigit() else ""
        labels = {"content": f"Importance scores{printed}", "level": level}
        yield f"results/tables/table_{name}.md", "results/tables/table_a", labels
    for number, negatives in enumerate(config["burduk"]["negatives"], 1):
        title = f"Table {number}: classifiers at {config['burduk']['positives']}:{negatives}"
        yield f"results/burduk/table_{number}.md", "results/burduk/table_", {"content": title}


TABLES = {
    path: (result, labels) for path, result, labels in tables() if Path(in_this_run(path)).is_file()
}


def page_of(table):
    return f"results/report/{table.removeprefix('results/')}.html"


rule report_pages:
    input:
        tables=list(TABLES),
    output:
        pages=[shown(page_of(path), result, **labels) for path, (result, labels) in TABLES.items()],
        start="results/report/start.rst",
    log:
        "logs/report_pages.log",
    message:
        "Writing the pages of the report"
    script:
        "../../scripts/results/report_pages.py"


START = Path(in_this_run("results/report/start.rst"))

if START.is_file():

    report: str(START.resolve())


rule report:
    input:
        rules.report_pages.output,
        SHOWN,
        [shown(path, path) for path in [EXPLORER_PAGE] if Path(in_this_run(path)).is_file()],
    message:
        "All parts of the report are there"
