"""Studies in folders that Snakemake could take for something else."""

import subprocess
import sys

import yaml

from study import Study

SNAKEFILE = """
configfile: "mine.yaml"


module skewproof:
    snakefile:
        {snakefile!r}
    config:
        config["study"]
    prefix:
        "imbalance"


use rule * from skewproof as skewproof_*
"""


def test_a_study_in_a_folder_with_braces(finished, tmp_path):
    study = finished.copy(tmp_path / "a{b}{")
    (study.folder / "results/p_values.csv").unlink()
    study.run("--cores", "1", "results/p_values.csv")
    assert study.planned() == []
    other = tmp_path / "other"
    other.mkdir()
    config = yaml.safe_load((study.folder / "config.yaml").read_text())
    (other / "mine.yaml").write_text(yaml.safe_dump({"study": config}))
    snakefile = str(study.folder / "Snakefile")
    (other / "Snakefile").write_text(SNAKEFILE.format(snakefile=snakefile))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run"]
    done = subprocess.run(
        command,
        cwd=other,
        env=Study(study.folder).environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"{study.folder}: expected a folder without braces" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
