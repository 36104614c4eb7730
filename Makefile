# Each target sets up what it needs in .venv, from requirements.lock.

PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help reproduce conclusions real-world burduk mullick mullick-experiment survey tharwat unit test coverage fuzz check bench bench-scoring error-rates docs lock clean

help:  ## these targets
	@grep -hE '^[a-z-]+:.*  ## ' $(MAKEFILE_LIST) | awk -F ':.*  ## ' '{ printf "  %-20s%s\n", $$1, $$2 }'

reproduce: .venv/installed  ## every table and figure of the paper, on all cores
	$(BIN)/snakemake --cores all

conclusions: .venv/installed  ## five columns of verdicts on every metric, and what the paper got wrong
	$(BIN)/snakemake --cores all conclusions

real-world: .venv/installed  ## Tables 9 to 11, and who wins under which metric
	$(BIN)/snakemake --cores all real_world

burduk: .venv/installed  ## tables and figures on HMNC
	$(BIN)/snakemake --cores all burduk

mullick: .venv/installed  ## conditions on measures of many classes, and which forget the rare ones
	$(BIN)/snakemake --cores all mullick

mullick-experiment: .venv/installed  ## four classifiers on test sets of five ratios, in about two minutes
	$(BIN)/snakemake --cores all mullick_experiment

survey: .venv/installed  ## measures of clusterings and rankings, and trees to choose one
	$(BIN)/snakemake --cores all survey

tharwat: .venv/installed  ## measures, curves and examples of Tharwat
	$(BIN)/snakemake --cores all tharwat

unit: .venv/installed  ## the tests of the package, in seconds
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" tests/unit

test: .venv/installed  ## all tests, whole runs included
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile thorough

coverage: .venv/installed  ## which lines no test of the package runs
	$(BIN)/python -m pytest -n auto --dist worksteal tests/unit --cov --cov-report term

fuzz: .venv/installed  ## 100,000 broken configs and as many hostile formulas, in about an hour
	$(BIN)/python tests/fuzz/configs.py --cases 100000 --seed 1
	$(BIN)/python tests/fuzz/formulas.py --cases 100000 --seed 1

check: .venv/installed  ## linters, types, format, which room imports which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/snakefmt --check Snakefile workflow

bench: .venv/installed  ## benchmarks/results.md, in about a quarter of an hour
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python benchmarks/run.py

bench-scoring: .venv/installed  ## benchmarks/scoring.md, in about ten minutes
	$(BIN)/python benchmarks/scoring.py

error-rates: .venv/installed  ## docs/error_rates.md and docs/coverage.md, in about ten minutes
	$(BIN)/python benchmarks/error_rates.py
	$(BIN)/python benchmarks/reliability.py

docs: .venv/installed  ## the pages of metrics and measures from their declarations, and the site in docs/_build
	$(BIN)/python -m skewproof.reporting.metric_page > docs/metrics.md
	$(BIN)/python -m skewproof.studies.survey.catalog > docs/measures.md
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build

lock:  ## requirements.lock anew, from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --universal --extra workflow --extra scoring --extra test --extra check --extra docs --fork-strategy fewest --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header --upgrade --quiet --output-file requirements.lock

clean:  ## removes what a run produces
	find results figures -mindepth 1 ! -path results/README.md ! -path figures/README.md -delete
	rm -rf logs .snakemake

# RESOLUTION=lowest-direct takes the lowest versions that pyproject.toml allows in place of the locked ones.
.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv .venv
ifeq ($(RESOLUTION),)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --resolution $(RESOLUTION) --editable '.[workflow,scoring,test,check]'
endif
	touch $@
