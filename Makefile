# Each target sets up what it needs in .venv, from requirements.lock: the library with its extras, the laboratory
# (skewproof_studies) from src, and the dependency groups of pyproject.toml.

PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help atlas classifiers reproduce conclusions real-world burduk mullick mullick-experiment explorer survey tharwat report unit spark test test-slurm coverage fuzz check bench bench-large bench-scoring error-rates docs numbers linkcheck lock library lowest package clean

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

atlas: .venv/installed  ## every published measure: which are the same, and what prevalence does to each, in about five minutes
	$(BIN)/snakemake --cores all atlas

classifiers: .venv/installed  ## what imbalance does to metrics over other distributions of classifiers
	$(BIN)/snakemake --cores all classifiers

explorer: .venv/installed  ## a page in which one moves the imbalance
	$(BIN)/snakemake --cores all explorer

survey: .venv/installed  ## measures of clusterings and rankings, and trees to choose one
	$(BIN)/snakemake --cores all survey

tharwat: .venv/installed  ## measures, curves and examples of Tharwat
	$(BIN)/snakemake --cores all tharwat

report: .venv/installed  ## results/report.html: all figures and tables of what was run, to look at in a browser
	$(BIN)/snakemake --cores all all explorer
	$(BIN)/snakemake --cores all report
	$(BIN)/snakemake report --report results/report.html

unit: .venv/installed  ## the tests of the package, in seconds
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" tests/unit

spark: .venv/spark  ## PySpark, without which the test of that engine is skipped

test: .venv/installed  ## all tests, whole runs included
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile thorough

test-slurm: .venv/installed  ## a study on a Slurm that is started here as root, whose jobs, node and run are killed
	$(BIN)/python -m pytest -rs tests/cluster/on_slurm.py

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

bench: .venv/installed  ## benchmarks/speed/results.md and engine_growth.md, in about half an hour
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group bench
	$(BIN)/python benchmarks/speed/run.py
	$(BIN)/python benchmarks/speed/engine_growth.py

bench-scoring: .venv/installed  ## benchmarks/speed/scoring.md, in about ten minutes
	$(BIN)/python benchmarks/speed/scoring.py

bench-large: .venv/installed  ## benchmarks/speed/large_study.md, in about a quarter of an hour
	$(BIN)/python benchmarks/speed/large_study.py

error-rates: .venv/installed  ## the measured tables of docs/evidence: how often intervals cover and tests err, in about an hour
	$(BIN)/python benchmarks/evidence/error_rates.py
	$(BIN)/python benchmarks/evidence/reliability.py
	$(BIN)/python benchmarks/evidence/deployment_coverage.py
	$(BIN)/python benchmarks/evidence/multiclass_coverage.py
	$(BIN)/python benchmarks/evidence/unlabeled_coverage.py
	$(BIN)/python benchmarks/evidence/labeling.py
	$(BIN)/python benchmarks/evidence/watch_power.py
	$(BIN)/python benchmarks/evidence/winners.py
	$(BIN)/python benchmarks/evidence/area_coverage.py
	$(BIN)/python benchmarks/evidence/promised_thresholds.py

docs: .venv/installed  ## pages, pictures and the site in docs/_build; no page may have another number than the results
	$(BIN)/python -m skewproof.reporting.metric_page > docs/reference/metrics.md
	$(BIN)/python -m skewproof.practice.choosing.catalog > docs/reference/measures.md
	$(BIN)/python docs/filling/markers.py
	$(BIN)/python docs/filling/pictures.py
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build

numbers: .venv/installed  ## numbers and pictures of the pages, from the results that are there
	$(BIN)/python docs/filling/markers.py --results results --fill
	$(BIN)/python docs/filling/pictures.py --results results

linkcheck: .venv/installed  ## links of the pages to other sites, with a network
	SKEWPROOF_DOCS_ONLINE=1 $(BIN)/sphinx-build --builder linkcheck docs docs/_build/linkcheck

LOCKED := --universal --fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --upgrade --quiet

lock:  ## requirements.lock and requirements-spark.lock anew, from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml $(LOCKED) --all-extras --group test --group check --group docs --output-file requirements.lock
	$(BIN)/uv pip compile pyproject.toml $(LOCKED) --group spark --constraint requirements.lock --output-file requirements-spark.lock

VERSIONS := --constraint requirements.lock
TESTS := -m "not slow"

library: .venv/installed  ## the tests of the library in an environment of its own, without the laboratory and its libraries
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/library
	$(BIN)/uv pip install --quiet --python build/library $(VERSIONS) --requirements pyproject.toml --all-extras --group test-library .
	build/library/bin/python tests/package/library_alone.py
	build/library/bin/python -m pytest -n auto --dist worksteal $(TESTS) tests/unit/skewproof

lowest:  ## the same, slow ones included, with the lowest versions that the library takes
	$(MAKE) library VERSIONS='--resolution lowest-direct' TESTS=

package: .venv/installed  ## wheel and sdist in dist/, checked, and tried in an empty environment
	$(BIN)/uv build --quiet --clear
	$(BIN)/uvx --quiet twine@6.2.0 check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/python tests/package/try_wheel.py dist/*.whl

clean:  ## removes what a run produces
	find results figures -mindepth 1 ! -path results/README.md ! -path figures/README.md -delete
	rm -rf logs .snakemake

.venv/spark: requirements-spark.lock .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-spark.lock
	touch $@

# RESOLUTION=highest takes the newest versions that pyproject.toml allows in place of the locked ones.
.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv .venv
ifeq ($(RESOLUTION),)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --resolution $(RESOLUTION) --requirements pyproject.toml --all-extras --group test --group check --editable .
endif
	touch $@
