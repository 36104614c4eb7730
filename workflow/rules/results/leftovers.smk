"""Results that the config no longer requests: named when a run ends, and removed by `make prune`."""

import sys

from skewproof.core.messages import shortened

KEPT = {"results/README.md", "figures/README.md", "results/batches.json"}


def leftovers():
    """Return files of results and figures that this config does not request.

    No rule makes them, or they are batches of levels or metrics that no rule takes.
    """
    files = (
        file
        for folder in ("results", "figures")
        for file in Path(in_this_run(folder)).rglob("*")
        if file.is_file() and not file.name.startswith(".")
    )
    left = sorted({str(file) for file in files} - {in_this_run(path) for path in KEPT})
    unmade = internals.not_made_by_a_rule(workflow, left)
    taken, batches = internals.taken_by_rules(workflow), Path(in_this_run("results/batches"))
    return [
        file
        for file in left
        if file in unmade or (Path(file).is_relative_to(batches) and file not in taken)
    ]


def name_leftovers():
    if STARTS_JOBS and (left := leftovers()):
        print(
            f"{len(left)} results remain that the config no longer requests:"
            f" {shortened(', '.join(left), 1000)}; `make prune` removes them.",
            file=sys.stderr,
        )


rule prune:
    localrule: True
    message:
        "Removing the results that the config no longer requests"
    run:
        for file in leftovers():
            Path(file).unlink()
            print(file)


onsuccess:
    name_leftovers()
