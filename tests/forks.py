"""The process from which runs of Snakemake are forked: it has imported Snakemake, which takes
longer than to plan a study. It reads a run from a line, and answers with the exit code."""

import json
import os
import sys

import jsonschema  # noqa: F401  imported by the workflow
import numpy as np  # noqa: F401
from snakemake.cli import get_argument_parser, main


def run(folder, environment, arguments, output):
    """Turn this process into a run that prints to a file."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[:1] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    printed = os.open(output, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(printed, stream)
    main(arguments)


if __name__ == "__main__":
    get_argument_parser()  # imports the plugins
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
