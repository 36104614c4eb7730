# Each target sets up what it needs in .venv and nothing else: both packages from src, and the libraries of one of the sets in locks.

PYTHON ?= python3
BIN := .venv/bin

# Modules are compiled once, not by each of hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help atlas atlas-data choices classifiers made-for-imbalance reproduce conclusions real-world burduk mullick mullick-experiment explorer survey tharwat report unit spark test test-slurm coverage fuzz check bench bench-scoring error-rates unlabeled-tools group-tools docs kernels generated-pages generated-pictures numbers linkcheck lock library lowest package clean

help:  ## lists these targets
	@grep -hE '^[a-z-]+:.*  ## ' $(MAKEFILE_LIST) | awk -F ':.*  ## ' '{ printf "  %-20s%s\n", $$1, $$2 }'

define run
@$(BIN)/snakemake --cores all $(1) || { echo "If an earlier run was killed, free its lock: $(BIN)/snakemake --unlock" >&2; exit 1; }
endef

reproduce: .venv/reproduce  ## every table and figure of the paper, on all cores
	$(call run,)

conclusions: .venv/reproduce  ## verdicts on every metric by five methods, and what the paper got wrong
	$(call run,conclusions)

real-world: .venv/studies  ## Tables 9 to 11, and which classifier wins under which metric
	$(call run,real_world)

burduk: .venv/reproduce  ## tables and figures on HMNC
	$(call run,burduk)

mullick: .venv/reproduce  ## conditions for measures of many classes, and which measures ignore rare classes
	$(call run,mullick)

mullick-experiment: .venv/studies  ## four classifiers on test sets of five ratios, in about two minutes
	$(call run,mullick_experiment)

atlas: .venv/reproduce  ## all published measures: which are the same, and what prevalence does to each, in about five minutes
	$(call run,atlas)

atlas-data: .venv/reproduce  ## build/atlas: the atlas as a data package, with a table that has proofs, in about a minute
	mkdir -p build/atlas
	cp src/skewproof/metrics/atlas/*.csv src/skewproof/metrics/atlas/datapackage.json build/atlas
	$(BIN)/python -m skewproof_studies.atlas.catalog build/atlas/atlas.csv

choices: .venv/studies  ## which point of a ROC curve each metric is best at, in about three minutes
	$(call run,choices)

made-for-imbalance: .venv/studies  ## measures that were proposed for imbalance: what each keeps, in about two minutes
	$(call run,made_for_imbalance)

classifiers: .venv/reproduce  ## what imbalance does to metrics over other distributions of classifiers
	$(call run,classifiers)

explorer: .venv/reproduce  ## an interactive page to change the imbalance
	$(call run,explorer)

survey: .venv/studies  ## measures of clusterings and rankings, and decision trees to choose a measure
	$(call run,survey)

tharwat: .venv/studies  ## Tharwat's measures, curves and examples
	$(call run,tharwat)

report: .venv/reproduce  ## results/report.html: the findings, with all figures and tables of the targets that were run
	$(call run,all explorer)
	$(call run,report)

unit: .venv/tests  ## the fast tests of both packages, in about 25 seconds
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" tests/unit

spark: .venv/tests .venv/spark  ## installs PySpark, so that its test is not skipped

test: .venv/tests  ## all tests, including complete runs
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile thorough

test-slurm: .venv/tests .venv/cluster  ## starts Slurm as root, runs a study on it, and kills jobs, the node and the run
	$(BIN)/python -m pytest -rs tests/cluster/on_slurm.py

coverage: .venv/tests  ## lists the lines that no test of the package runs
	$(BIN)/python -m pytest -n auto --dist worksteal tests/unit --cov --cov-report term

fuzz: .venv/tests  ## 100,000 broken configs and 100,000 hostile formulas, in about an hour
	$(BIN)/python tests/fuzz/configs.py --cases 100000 --seed 1
	$(BIN)/python tests/fuzz/formulas.py --cases 100000 --seed 1

check: .venv/tests  ## linters, types, format, import rules, licenses, and what is expected of a repository
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/zizmor --offline --quiet --no-progress --min-severity medium .github
	$(BIN)/reuse lint --quiet
	$(BIN)/sp-repo-review --show err .

bench: .venv/tests  ## measures benchmarks/speed/results.md and engine_growth.md, in about half an hour
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group bench
	$(BIN)/python benchmarks/speed/run.py
	$(BIN)/python benchmarks/speed/engine_growth.py

bench-scoring: .venv/tests  ## measures benchmarks/speed/scoring.md, in about ten minutes
	$(BIN)/python benchmarks/speed/scoring.py

error-rates: .venv/tests  ## the measured tables of docs/evidence, and which shares changed by more than three standard errors, in about an hour
	$(BIN)/python benchmarks/evidence/measure.py

unlabeled-tools: .venv/tests  ## docs/evidence/unlabeled_tools.md, beside QuaPy and NannyML in an environment of their own of 2 GB, in a few minutes
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/unlabeled_tools
	$(BIN)/uv pip install --quiet --python build/unlabeled_tools --group unlabeled-tools '.[audit]'
	build/unlabeled_tools/bin/python benchmarks/evidence/measure.py unlabeled_tools

group-tools: .venv/tests  ## the table beside statsmodels in docs/evidence/group_coverage.md, in an environment of its own, in a few minutes
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/group_tools
	$(BIN)/uv pip install --quiet --python build/group_tools --group group-tools '.[audit]'
	build/group_tools/bin/python benchmarks/evidence/measure.py group_tools
	$(BIN)/python benchmarks/evidence/measure.py group_coverage --page-only

# The processes share the cores, so libraries of linear algebra start no threads that wait for one.
docs: export OMP_NUM_THREADS = 1
docs: .venv/docs  ## pages, figures and the site in docs/_build; fails if a number differs from the results
	$(MAKE) --no-print-directory --jobs 2 generated-pages generated-pictures
	$(BIN)/sphinx-build --jobs auto --fail-on-warning --keep-going --quiet docs docs/_build

generated-pages: .venv/docs
	$(BIN)/python docs/filling/reference_pages.py
	$(BIN)/python docs/filling/config_page.py
	$(BIN)/python -m skewproof_studies.statements.page
	$(BIN)/python docs/filling/markers.py

generated-pictures: .venv/docs
	$(BIN)/python docs/filling/pictures.py
	$(BIN)/python docs/filling/session.py

# OpenBLAS takes a kernel for each kind of processor; this one has to be able to run it.
KERNELS := Haswell Zen $(shell grep -qs avx512 /proc/cpuinfo && echo SkylakeX)

kernels: export OMP_NUM_THREADS = 1
kernels: .venv/docs  ## fails if pages or pictures depend on the processor's linear algebra
	git diff --exit-code docs config
	for kernel in $(KERNELS); do \
	  OPENBLAS_CORETYPE=$$kernel $(MAKE) --no-print-directory --jobs 2 generated-pages generated-pictures && \
	  git diff --exit-code docs config || exit 1; \
	done

numbers: .venv/docs  ## updates the numbers and figures of the pages from the existing results
	$(BIN)/python docs/filling/markers.py --results results --fill
	$(BIN)/python docs/filling/pictures.py --results results

linkcheck: .venv/docs  ## checks the external links of the pages; needs a network
	SKEWPROOF_DOCS_ONLINE=1 $(BIN)/sphinx-build --builder linkcheck docs docs/_build/linkcheck

COMPILE := $(BIN)/uv pip compile --universal --fork-strategy fewest --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --quiet
LOCK := $(COMPILE) pyproject.toml
OF_ALL := --constraint build/all.lock --output-file

lock: .venv/tests  ## rewrites locks/*.lock from pyproject.toml, with the same version of a library in all of them
	mkdir -p build
	$(LOCK) --upgrade --all-extras --group test --group check --group docs --group spark --group cluster --output-file build/all.lock
	$(LOCK) $(OF_ALL) locks/reproduce.lock --extra audit --extra figures --extra explorer --group reproduce
	$(LOCK) $(OF_ALL) locks/studies.lock --all-extras --group workflow
	$(LOCK) $(OF_ALL) locks/cluster.lock --all-extras --group workflow --group cluster
	$(LOCK) $(OF_ALL) locks/tests.lock --all-extras --group test --group check
	$(LOCK) $(OF_ALL) locks/docs.lock --all-extras --group workflow --group docs
	$(LOCK) $(OF_ALL) locks/spark.lock --group spark
	$(COMPILE) $(OF_ALL) locks/install.lock --group install

VERSIONS := --constraint locks/tests.lock
TESTS := -m "not slow"

library: .venv/tests  ## tests the library in a separate environment, without the studies and their libraries
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/library
	$(BIN)/uv pip install --quiet --python build/library $(VERSIONS) --requirements pyproject.toml --all-extras --group test-library .
	build/library/bin/python tests/package/library_alone.py
	build/library/bin/python -m pytest -n auto --dist worksteal $(TESTS) tests/unit/skewproof

lowest:  ## the same with the lowest supported versions, including slow tests
	$(MAKE) library VERSIONS='--resolution lowest-direct' TESTS='-W default'

package: .venv/tests  ## builds wheel and sdist in dist/, checks them, and tests them in an empty environment
	$(BIN)/uv build --quiet --clear
	$(BIN)/uvx --quiet twine@6.2.0 check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/python tests/package/try_wheel.py dist/*.whl
	$(BIN)/python tests/package/follow_readme.py dist/*.whl README.md

clean:  ## removes the output of runs
	find results figures -mindepth 1 ! -path results/README.md ! -path figures/README.md -delete
	rm -rf logs .snakemake

# RESOLUTION=highest takes the newest versions that pyproject.toml allows in place of the locked ones.
.venv/%: locks/%.lock pyproject.toml | $(BIN)/uv
ifeq ($(RESOLUTION),)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $<
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
else
	$(BIN)/uv pip install --quiet --python $(BIN)/python --resolution $(RESOLUTION) --requirements pyproject.toml --all-extras --group test --group check --editable .
endif
	touch $@

# uv installs in seconds what takes pip a minute.
$(BIN)/uv: locks/install.lock | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv .venv
