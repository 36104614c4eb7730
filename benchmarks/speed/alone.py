"""Run a function in a process of its own, and measure its seconds and memory.

``python benchmarks/speed/alone.py engines:study '[["salib", {"log2_samples": 12}], []]'`` calls the
function of a module beside this one with some arguments, after it has imported further modules.
"""

import importlib
import json
import os
import resource
import subprocess
import sys
import time


def alone(function, *arguments, modules=(), environment=None):
    """Return a function's result, its seconds without imports, the process's peak MB, and its wall
    seconds."""
    command = [sys.executable, __file__, function, json.dumps([arguments, list(modules)])]
    start = time.perf_counter()
    done = subprocess.run(
        command, env=os.environ | (environment or {}), capture_output=True, text=True, check=True
    )
    wall = time.perf_counter() - start
    print(function, arguments, done.stdout.strip(), flush=True)
    return json.loads(done.stdout) | {"wall": wall}


def main():
    module, _, function = sys.argv[1].partition(":")
    arguments, modules = json.loads(sys.argv[2])
    call = getattr(importlib.import_module(module), function)
    for name in modules:
        importlib.import_module(name)
    start = time.perf_counter()
    result = call(*arguments)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"result": result, "seconds": seconds, "peak_mb": peak}))


if __name__ == "__main__":
    main()
