"""Records in results of how they were made."""

import importlib.metadata
import json
import platform
import re

import pytest
import yaml
from PIL import Image

import skewproof
from skewproof_studies.pipeline.writing.provenance import config_digest
from study import PROJECT

SHA_256 = re.compile(r"config sha256 ([0-9a-f]{64}) of ([\w., ]+)")


@pytest.fixture(scope="module")
def config(whole):
    return yaml.safe_load((whole.folder / "config.yaml").read_text())


def digest_of(config, keys):
    """Digest some dotted keys; the small study lists its metrics one by one."""
    part = {}
    for key in keys:
        part[key] = config
        for name in key.split("."):
            part[key] = part[key][name]
    return config_digest(part)


def test_one_file_has_all_of_it(whole, config):
    found = json.loads((whole.folder / "results/provenance.json").read_text())
    libraries = ("numpy", "scipy", "pandas", "SALib", "snakemake")
    assert (
        found["versions"].items()
        >= {
            "python": platform.python_version(),
            "skewproof": skewproof.__version__,
            **{name: importlib.metadata.version(name) for name in libraries},
        }.items()
    )
    assert found["seed"] == config["seed"]
    assert found["config_sha256"] == config_digest(config)
    assert found["commit"] is None  # a copy without its repository


def test_every_figure_and_table_says_what_it_was_made_from(whole, config):
    texts = {}
    for path, content in whole.produced().items():
        if path.endswith(".tex"):
            text = content.decode()
            texts[path] = text.splitlines()[0]
            markdown = whole.folder / path.replace(".tex", ".md")
            texts[str(markdown)] = markdown.read_text().splitlines()[0]
        elif path.endswith(".png"):
            with Image.open(whole.folder / path) as image:
                texts[path] = "; ".join(image.text.values())
    assert len(texts) > 40
    for path, text in texts.items():
        assert f"skewproof {skewproof.__version__}, numpy " in text, path
        found = SHA_256.search(text)
        if found is None:
            assert "no key of the config" in text, path
            assert path.startswith("figures/choose_"), path
        else:
            keys = found[2].strip(" -").split(", ")
            assert found[1] == digest_of(config, keys), path
            assert (f"seed {config['seed']}; " in text) == ("seed" in keys), path


RULE = re.compile(r"params:\n(.*?)made_from=made_from\((.*?)\),\n(?! *[*\")])", flags=re.DOTALL)
SHARED_KEYS = re.compile(r"^(\w+_KEYS) = \[(.*?)\]$", flags=re.DOTALL | re.MULTILINE)


def test_the_keys_that_are_told_are_at_least_those_of_the_rules_own_parameters():
    count = 0
    texts = {path: path.read_text() for path in (PROJECT / "workflow/rules").rglob("*.smk")}
    shared = dict(pair for text in texts.values() for pair in SHARED_KEYS.findall(text))
    assert len(shared) == 3
    for path, text in texts.items():
        for block in text.split("rule")[1:]:
            for parameters, told in RULE.findall(block):
                told += "".join(shared[name] for name in re.findall(r"\*(\w+_KEYS)", told))
                keys = re.findall(r'"([\w.]+)"', told)
                used = re.findall(r'config\["(\w+)"\](?:\["(\w+)"\])?', parameters)
                count += 1
                for part, key in used:
                    assert part in keys or f"{part}.{key}" in keys, (path.name, part, key)
    assert count == 24
