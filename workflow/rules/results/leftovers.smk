"""Results that the config no longer asks for: named when a run ends, and removed by `make prune`."""

import sys

from skewproof.core.messages import shortened

KEPT = {"results/README.md", "figures/README.md", "results/batches.json"}


def leftovers():
    """Files of results and figures that no rule makes with this config."""
    files = (
        file
        for folder in ("results", "figures")
        for file in Path(in_this_run(folder)).rglob("*")
        if file.is_file() and not file.name.startswith(".")
    )
    kept = {in_this_run(path) for path in KEPT}
    return internals.not_made_by_a_rule(workflow, sorted({str(file) for file in files} - kept))


def name_leftovers():
    if STARTS_JOBS and (left := leftovers()):
        print(
            f"{len(left)} results that the config no longer asks for are still there:"
            f" {shortened(', '.join(left), 1000)}; `make prune` removes them.",
            file=sys.stderr,
        )


rule prune:
    localrule: True
    message:
        "Removing the results that the config no longer asks for"
    run:
        for file in leftovers():
            Path(file).unlink()
            print(file)


onsuccess:
    name_leftovers()
