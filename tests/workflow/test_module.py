"""The workflow as a module of another one, with a config and a prefix of its own."""

import shutil

import pandas as pd
import yaml

from study import PROJECT, SMALL, Study

SNAKEFILE = """
configfile: "mine.yaml"


module skewproof:
    snakefile:
        "{project}/Snakefile"
    config:
        config["study"]
    prefix:
        "imbalance"


use rule * from skewproof as skewproof_*


rule mine:
    default_target: True
    input:
        rules.skewproof_importance_scores.output,
        rules.skewproof_behavior_types.output,
        "imbalance/figures/contours/recall_i.png",
    output:
        "mine.txt",
    shell:
        "wc -l imbalance/results/importance_scores.csv > {{output}}"
"""


def test_another_workflow_uses_it(tmp_path):
    config = yaml.safe_load((PROJECT / "config/paper.yaml").read_text()) | SMALL
    config |= {"metrics": ["f1", "f1_i"], "extra_metrics": {"recall": "mine.py:recall"}}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump({"study": config}))
    (tmp_path / "mine.py").write_text("def recall(c):\n    return c.tpr\n")
    (tmp_path / "Snakefile").write_text(SNAKEFILE.format(project=PROJECT))
    study = Study(tmp_path, PYTHONPATH=str(PROJECT / "src"))
    study.run("--cores", "2")
    scores = pd.read_csv(tmp_path / "imbalance/results/importance_scores.csv")
    assert list(scores["metric"].unique()) == ["f1", "f1_i", "recall", "recall_i"]
    assert (tmp_path / "imbalance/figures/contours/recall_i.png").exists()
    folders = {path.name for path in tmp_path.iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == {".snakemake", "imbalance"}
    assert study.planned() == []


DEPLOYED = """
module skewproof:
    snakefile:
        "{project}/workflow/Snakefile"
    config:
        config


use rule * from skewproof
"""


def test_the_workflow_catalog_can_show_and_deploy_it(tmp_path):
    """The catalog looks for two words in README, for the three files, and deploys `config`."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    assert (PROJECT / "config/README.md").exists()
    usage = yaml.safe_load((PROJECT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    shutil.copytree(PROJECT / "config", tmp_path / "config")
    (tmp_path / "workflow").mkdir()
    (tmp_path / "workflow/Snakefile").write_text(DEPLOYED.format(project=PROJECT))
    flags = usage["mandatory-flags"]["flags"].split()
    study = Study(tmp_path, PYTHONPATH=str(PROJECT / "src"))
    assert "importance_scores" in study.run("--dry-run", *flags)
