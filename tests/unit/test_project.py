"""Facts that are written in two places agree; a forgotten step of a recipe is named."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import skewproof
from skewproof.core.extras import EXTRAS
from skewproof_studies.config import STUDIES, check_config, config_schema

PROJECT = Path(__file__).parents[2]
TOML = tomllib.loads((PROJECT / "pyproject.toml").read_text())
PYPROJECT, BUILD = TOML["project"], TOML["build-system"]
EXTRAS_OF_STUDIES = ("audit", "figures", "explorer")
PAPER = (PROJECT / "config/paper.yaml").read_text()
CONFIG = yaml.safe_load(PAPER)
CONDA_NAMES = {"snakemake": "snakemake-minimal", "matplotlib": "matplotlib-base"}
RULES = {path: path.read_text() for path in (PROJECT / "workflow/rules").rglob("*.smk")}


def keys_of(schema, path=""):
    for key, part in schema.get("properties", {}).items():
        yield f"{path}{key}"
        yield from keys_of(part, f"{path}{key}.")


def commented_keys():
    """List the keys of config/paper.yaml, each with whether it or its parent has a comment."""
    keys, above = {}, ""
    parents = []
    for line in PAPER.splitlines():
        if found := re.match(r"( *)([\w-]+):", line):
            del parents[len(found[1]) // 2 :]
            whole = keys.get(".".join(parents), False)
            parents.append(found[2])
            keys[".".join(parents)] = whole or " #" in line or above.lstrip().startswith("#")
        above = line
    return keys


def test_a_config_key_has_a_value_with_a_comment():
    keys = commented_keys()
    for key in keys_of(config_schema()):
        value = CONFIG
        for part in key.split("."):
            assert part in value, f"add {key} to config/paper.yaml and config.yaml"
            value = value[part]
        assert keys.get(key, True) or isinstance(value, dict), (
            f"say in config/paper.yaml what {key} is"
        )


@pytest.mark.slow
def test_the_config_is_valid():
    check_config(yaml.safe_load((PROJECT / "config.yaml").read_text()))


def test_a_config_key_is_used_by_a_rule():
    text = "".join(RULES.values())
    whole = [key for key in config_schema()["properties"] if f'config["{key}"]' not in text]
    # A study's config.py decides which metrics it has.
    assert whole == ["metrics"], f"pass {whole} on in the params of a rule, or drop them"


def scripts():
    folder = PROJECT / "workflow/scripts"
    return {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.py")}


def test_a_script_has_a_rule_and_a_rule_its_script():
    named = {
        name
        for text in RULES.values()
        for name in re.findall(r'"(?:\.\./)+scripts/(.+)\.py"', text)
    }
    assert named == scripts(), "give each script a rule that names it, and each rule its script"


def test_a_rule_runs_again_if_the_code_of_its_script_changes():
    for name, text in RULES.items():
        for rule in re.split(r"^(?=rule )", text, flags=re.MULTILINE):
            if "script:" in rule and "rule provenance" not in rule:
                missing = f"{name}: {rule.split(':')[0]} has no code=... under params:"
                assert re.search(r"^        code=", rule, re.MULTILINE), missing


def test_a_study_has_its_parts():
    snakefile = (PROJECT / "workflow/Snakefile").read_text()
    for name in STUDIES:
        rules = "van_zyl/study.smk" if name == "van_zyl" else f"{name}.smk"
        for part in (
            f"src/skewproof_studies/{name}/config.schema.yaml",
            f"workflow/rules/{rules}",
            f"workflow/scripts/{name}",
            f"tests/unit/skewproof_studies/{name}",
        ):
            assert (PROJECT / part).exists(), f"the study {name} has no {part}"
        assert f'include: "rules/{rules}"' in snakefile


OF_NO_MODULE = {
    *("test_project", "test_english"),
    *("skewproof/test_installing", "skewproof/test_public_face", "skewproof/test_wrong_arguments"),
    *("skewproof/audits/test_outputs", "skewproof/cli/test_outputs", "skewproof/cli/test_json"),
    *("skewproof/cli/test_refusals", "skewproof/cli/test_cli", "skewproof/cli/test_completion"),
    "skewproof/metrics/test_metrics",
    *("skewproof/metrics/atlas/test_known_values", "skewproof/metrics/atlas/test_laws"),
    "skewproof_studies/atlas/test_tables_and_report",
    *("skewproof/sensitivity/test_arguments", "skewproof_studies/pipeline/test_batch_scripts"),
    "skewproof_studies/settings/test_fuzzed_formulas",
    *("skewproof_studies/tharwat/test_equations", "skewproof_studies/tharwat/test_printed_formula"),
}
"""Tests of a whole package, folder or script."""


def test_unit_tests_mirror_the_packages():
    """A test has the name and the folder of its module, or of the folder that it tests."""
    source, tests = PROJECT / "src", PROJECT / "tests/unit"
    for path in tests.rglob("test_*.py"):
        name = path.relative_to(tests).with_suffix("").as_posix()
        module = source / name.replace("test_", "")
        there = module.with_suffix(".py").exists() or module.is_dir()
        assert there or name in OF_NO_MODULE, f"tests/unit/{name}.py is the test of no module"


def required(*extras):
    """Read the versions that the package and some of its extras need, by name."""
    found = versions(PYPROJECT["dependencies"])
    for extra in extras:
        own = versions(PYPROJECT["optional-dependencies"][extra])
        others = re.findall(r"\w+", own.pop("skewproof", ""))
        found |= required(*others) | own
    return found


def in_group(name):
    """Read the versions in a dependency group and in the groups that it includes, by name."""
    found = {}
    for line in TOML["dependency-groups"][name]:
        found |= versions([line]) if isinstance(line, str) else in_group(line["include-group"])
    return found


def versions(lines):
    pairs = [re.fullmatch(r"([A-Za-z0-9_.-]+)(.*)", line).groups() for line in lines]
    return {name.lower(): pins for name, pins in pairs}


def for_conda(needed, separator=""):
    return {CONDA_NAMES.get(name, name) + separator + pins for name, pins in needed.items()}


def test_conda_environment_agrees_with_pyproject():
    expected = for_conda(
        required(*EXTRAS_OF_STUDIES)
        | in_group("reproduce")
        | {"python": PYPROJECT["requires-python"], "pip": ""}
    )
    environment = yaml.safe_load((PROJECT / "environment.yml").read_text())
    assert set(environment["dependencies"]) == expected, "make environment.yml like pyproject.toml"


def test_conda_recipe_agrees_with_pyproject():
    recipe = yaml.safe_load((PROJECT / "recipe/recipe.yaml").read_text())
    advice = "make recipe/recipe.yaml like pyproject.toml"
    least = {"python": ">=${{ python_min }}"}
    assert set(recipe["requirements"]["run"]) == for_conda(required() | least, " "), advice
    builder = for_conda(versions(BUILD["requires"]), " ")
    assert set(recipe["requirements"]["host"]) == builder | {"python ${{ python_min }}.*", "pip"}
    command, _, function = recipe["build"]["python"]["entry_points"][0].partition(" = ")
    assert PYPROJECT["scripts"] == {command: function}
    context, about = recipe["context"], recipe["about"]
    assert (f">={context['python_min']}", context["version"], about["summary"]) == (
        PYPROJECT["requires-python"], skewproof.__version__, PYPROJECT["description"],
    )  # fmt: skip
    assert (about["license"], [about["license_file"]]) == (
        PYPROJECT["license"], PYPROJECT["license-files"],
    )  # fmt: skip


INSTALLING = (PROJECT / "docs/guide/installing.md").read_text()


def test_the_page_on_installing_has_the_lowest_versions():
    rows = re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|$", INSTALLING, re.MULTILINE)
    assert rows, "no versions in docs/guide/installing.md"
    needed = required("audit", "scoring", "figures", "frames")
    for name, lowest in rows:
        bounds = needed[name.lower()]
        assert bounds.startswith(f">={lowest},"), f"correct {name} in docs/guide/installing.md"


def test_only_the_library_bounds_what_it_needs():
    library = required(*PYPROJECT["optional-dependencies"])
    for group in TOML["dependency-groups"]:
        both = set(library) & set(in_group(group))
        assert not both, f"{both} have bounds in the group {group}: those of the library are enough"


def test_the_tests_of_the_library_need_nothing_of_the_studies():
    both = set(in_group("test-library")) & set(in_group("workflow"))
    assert not both, f"the group test-library has {both} of the group workflow"
    of_studies = {"skewproof_studies", "snakemake", "SALib", "jsonschema", "imblearn", "filelock"}
    folder = PROJECT / "tests/unit"
    for path in [folder / "conftest.py", *(folder / "skewproof").rglob("*.py")]:
        text = path.read_text()
        found = set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE)) & of_studies
        assert not found, f"{path.relative_to(folder)} imports {found}, which only studies need"


@pytest.mark.parametrize("module", EXTRAS)
def test_a_message_names_the_extra_that_brings_the_library(module):
    library, extra = EXTRAS[module]
    assert library.lower() in required(extra)
    assert library.lower() not in required(), f"{library} is always there: no extra brings it"


LOCKS = {
    "reproduce": (EXTRAS_OF_STUDIES, ["reproduce"]),
    "studies": (PYPROJECT["optional-dependencies"], ["workflow"]),
    "cluster": (PYPROJECT["optional-dependencies"], ["workflow", "cluster"]),
    "tests": (PYPROJECT["optional-dependencies"], ["test", "check"]),
    "docs": (PYPROJECT["optional-dependencies"], ["workflow", "docs"]),
    "spark": ((), ["spark"]),
    "install": (None, ["install"]),
}
"""Extras of the library (None without it) and dependency groups of each set of libraries."""


def locked(name):
    """Read the versions in a lock by library."""
    lock = (PROJECT / f"locks/{name}.lock").read_text()
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, flags=re.MULTILINE))


def test_every_lock_belongs_to_a_set():
    assert {path.stem for path in (PROJECT / "locks").glob("*.lock")} == set(LOCKS)


def test_a_library_has_one_version_in_all_locks():
    versions = {}
    for name in LOCKS:
        for library, version in locked(name).items():
            assert versions.setdefault(library, version) == version, f"run `make lock`: {library}"


def test_the_page_on_installing_counts_the_packages():
    for name in LOCKS:
        row = rf"^\| `locks/{name}.lock` \| .* \| {len(locked(name))} \|$"
        assert re.search(row, INSTALLING, re.MULTILINE)


def test_reproducing_the_paper_takes_few_packages():
    assert len(locked("reproduce") | locked("install")) <= 80


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.slow
def test_lock_pins_every_dependency_with_hashes_and_names_no_registry(name):
    extras, groups = LOCKS[name]
    lock, pinned = (PROJECT / f"locks/{name}.lock").read_text(), set(map(str.lower, locked(name)))
    of_library = set() if extras is None else required(*extras).keys()
    for needed in of_library | {one for group in groups for one in in_group(group)}:
        assert needed in pinned, f"run `make lock`: {needed}"
    assert lock.count("==") <= lock.count("--hash=sha256:")
    assert "://" not in lock
    assert "index" not in re.sub(r"#.*", "", lock)


def test_citation_and_changelog_have_the_version():
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text())
    assert citation["version"] == skewproof.__version__
    assert f"## {skewproof.__version__}" in (PROJECT / "CHANGELOG.md").read_text()
