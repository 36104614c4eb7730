import re
import subprocess

from needs import needs

import skewproof
from skewproof_studies.pipeline.writing.provenance import (
    code_digest,
    commit,
    config_digest,
    made_by,
    made_from,
    versions,
)

CONFIG = {"seed": 3, "levels": ["1:1", "1:2"], "contours": {"grid": 4, "undefined": "omit"}}


def test_a_digest_of_keys_and_values_whatever_their_order():
    turned = dict(reversed(CONFIG.items()))
    assert list(turned) != list(CONFIG)
    assert config_digest(turned) == config_digest(CONFIG)
    others = [CONFIG | {"seed": 4}, CONFIG | {"levels": ["1:2", "1:1"]}, {"seed": 3}]
    assert len({config_digest(one) for one in [CONFIG, *others]}) == 4


def test_only_the_keys_that_are_named_count():
    text = made_from(CONFIG, ["levels", "contours.grid"])
    assert text.startswith("config sha256 ")
    assert text.endswith(" of levels, contours.grid")
    other = CONFIG | {"seed": 5, "contours": {"grid": 4, "undefined": 0}}
    assert made_from(other, ["levels", "contours.grid"]) == text
    changed = CONFIG | {"contours": {"grid": 5}}
    assert made_from(changed, ["levels", "contours.grid"]) != text
    assert made_from(CONFIG, ["seed"]).startswith("seed 3; config sha256 ")


def test_versions_are_those_of_what_is_installed():
    assert versions(["numpy", "no-such-library"]).keys() == {"skewproof", "numpy"}
    assert made_by().startswith(f"skewproof {skewproof.__version__}, numpy ")


def test_the_commit_and_whether_files_differ_from_it(tmp_path, monkeypatch):
    needs("git", "git")

    def git(*arguments):
        author = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *author, *arguments], cwd=tmp_path, check=True, capture_output=True)

    assert commit(tmp_path) is None
    git("init")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "-m", "first")
    clean = commit(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{40}", clean)
    (tmp_path / "results").write_text("not tracked")
    assert commit(tmp_path) == clean
    (tmp_path / "file").write_text("two")
    assert commit(tmp_path) == f"{clean} + changes"
    (tmp_path / "folder").mkdir()
    assert commit(tmp_path / "folder") is None
    monkeypatch.setenv("PATH", str(tmp_path))  # without git
    assert commit(tmp_path) is None


def test_a_digest_of_code_changes_with_any_file_but_compiled_ones(tmp_path):
    trees = [
        {"one/a.py": "1", "one/data.csv": "1"},
        {"one/a.py": "1", "one/data.csv": "1", "one/a.pyc": "2", "two/b.py": "2"},
        {"one/a.py": "1", "one/data.csv": "2"},
        {"one/a.py": "1", "one/moved.csv": "1"},
    ]
    digests = []
    for number, files in enumerate(trees):
        source = tmp_path / str(number)
        for name, text in files.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text)
        digests.append(code_digest(source, ["one"]))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3
