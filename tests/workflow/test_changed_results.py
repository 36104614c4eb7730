"""Results that were changed since a run wrote them are named; bad files are refused."""

import os
import random
import signal
import time

SCORES = "results/importance_scores.csv"
EXACT = "results/exact_importance.csv"


def change(path, text):
    """Change a file and keep its date."""
    dates = path.stat()
    path.write_text(text)
    os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))


def test_an_edited_and_a_truncated_result_are_named(study):
    before = study.produced()
    change(study.folder / SCORES, before[SCORES].decode().replace("0.", "1.", 1))
    change(study.folder / EXACT, before[EXACT].decode()[:500])
    output = study.run("--cores", "2", fails=True)
    assert "These results have changed since they were written; remove them" in output
    assert "Traceback" not in output
    for path in (SCORES, EXACT):
        assert path in output
        (study.folder / path).unlink()
    study.run("--cores", "2", SCORES, EXACT)
    assert study.produced() == before
    assert study.planned() == []


def test_of_a_killed_run_nothing_is_said(study):
    module = study.folder / "src/skewproof/core/algebra.py"
    module.write_text(module.read_text() + "\n")
    run = study.start("--cores", "2")
    time.sleep(random.Random(time.time_ns()).uniform(2, 6))
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    output = study.run("--cores", "1", "--dry-run")
    assert "changed since they were written" not in output
    assert "Estimating the importance scores" in output or "All tables and figures" in output


def test_a_folder_in_the_place_of_a_result(study):
    (study.folder / SCORES).unlink()
    (study.folder / SCORES).mkdir()
    output = study.run("--cores", "1", fails=True)
    assert f"{SCORES}: a folder has the name of a result; remove it" in output


def test_files_of_the_config_are_read_with_care(study):
    good, bad = study.folder / "good.yaml", study.folder / "bad.yaml"
    good.write_text("seed: 3.0\n")
    bad.write_text("seed: 3\nseed: 4\n")
    dry = ["--cores", "1", "--dry-run"]
    output = study.run(*dry, "--configfile", "bad.yaml", fails=True)
    assert "line 2: key 'seed' is already on line 1" in output
    output = study.run(*dry, "--configfile", "good.yaml", "--config", "positives=50.0")
    assert "Estimating the importance scores" in output
    config = study.folder / "config.yaml"
    text = config.read_text()
    config.write_text(text + "seed: 3\n")
    output = study.run(*dry, fails=True)
    assert "key 'seed' is already on line" in output
    assert "Traceback" not in output
    config.write_text(text.replace("seed: 1\n", "seed: 1.0\n"))
    assert study.planned() == []


def test_a_record_of_batches_that_can_not_be_read(fresh):
    (fresh.folder / "results").mkdir()
    (fresh.folder / "results/batches.json").write_text("{")
    output = fresh.run("--cores", "1", "--dry-run", fails=True)
    assert "results/batches.json: not a record of batches" in output
    assert "Traceback" not in output
