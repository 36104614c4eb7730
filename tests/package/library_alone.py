"""Neither the studies nor what only they need is in this environment: `make library`."""

from importlib.util import find_spec

LABORATORY = ["skewproof_studies", "snakemake", "SALib", "jsonschema", "imblearn", "filelock"]

if __name__ == "__main__":
    found = [name for name in LABORATORY if find_spec(name)]
    assert not found, f"{found} are in the environment: expected the library alone"
