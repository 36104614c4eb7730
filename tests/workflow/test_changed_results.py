"""Results that were changed since a run wrote them are made anew; bad files are refused."""

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


def test_an_edited_and_a_truncated_result_are_made_anew(study):
    before = study.produced()
    change(study.folder / SCORES, before[SCORES].decode().replace("0.", "1.", 1))
    change(study.folder / EXACT, before[EXACT].decode()[:500])
    output = study.run("--cores", "2", SCORES, EXACT)
    for path in (SCORES, EXACT):
        assert f"{path} is not what was written there, and is made anew" in output
    assert study.produced() == before
    assert study.planned() == []


def test_results_that_are_dated_ahead_do_not_hide_an_edited_module(study):
    ahead = (study.folder / SCORES).stat().st_mtime + 3600
    for path in (study.folder / "results").rglob("*.csv"):
        os.utime(path, (ahead, ahead))
    module = study.folder / "src/skewproof/sensitivity/sampling/welch.py"
    module.write_text(module.read_text() + "\n")
    output = study.run("--cores", "2", "--dry-run")
    named = "results/p_values.csv is from another src/skewproof/sensitivity/sampling/welch.py"
    assert [line.strip() for line in output.splitlines() if "is made anew" in line] == [
        f"{named}, whatever the dates say, and is made anew"
    ]
    assert "Testing the importance scores against those at 1:1" in study.planned()


def test_of_a_killed_run_nothing_is_said(study):
    module = study.folder / "src/skewproof/core/algebra.py"
    module.write_text(module.read_text() + "\n")
    run = study.start("--cores", "2")
    time.sleep(random.Random(time.time_ns()).uniform(2, 6))
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    output = study.run("--cores", "1", "--dry-run")
    assert "made anew" not in output
    assert "Estimating the importance scores" in output or "All tables and figures" in output


def test_a_folder_in_the_place_of_a_result(study):
    (study.folder / SCORES).unlink()
    (study.folder / SCORES).mkdir()
    output = study.run("--cores", "1", fails=True)
    assert f"{SCORES}: a folder is in the place of a result: remove it" in output


def test_files_of_the_config_are_read_with_care(study):
    good, bad = study.folder / "good.yaml", study.folder / "bad.yaml"
    good.write_text("seed: 3.0\n")
    bad.write_text("seed: 3\nseed: 4\n")
    dry = ["--cores", "1", "--dry-run"]
    output = study.run(*dry, "--configfile", "bad.yaml", fails=True)
    assert "line 2: key 'seed' stands in line 1 already" in output
    output = study.run(*dry, "--configfile", "good.yaml", "--config", "positives=50.0")
    assert "Estimating the importance scores" in output
    config = study.folder / "config.yaml"
    text = config.read_text()
    config.write_text(text + "seed: 3\n")
    output = study.run(*dry, fails=True)
    assert "key 'seed' stands in line" in output
    assert "Traceback" not in output
    config.write_text(text.replace("seed: 1\n", "seed: 1.0\n"))
    assert study.planned() == []


def test_a_record_of_batches_that_can_not_be_read(study):
    change(study.folder / "results/batches.json", "{")
    output = study.run("--cores", "1", "--dry-run", fails=True)
    assert "results/batches.json: not the record of what was computed together" in output
    assert "Traceback" not in output
