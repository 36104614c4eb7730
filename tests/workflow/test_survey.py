"""The survey's decision trees."""

TREES = [
    f"figures/choose_{problem}.{kind}"
    for problem in ("classification", "clustering", "ranking", "domain")
    for kind in ("png", "pdf")
]


def test_every_output_is_there(fresh):
    fresh.run("--cores", "2", "survey")
    assert sorted(fresh.produced()) == sorted(TREES)


def test_changed_advice_draws_the_trees_again(fresh):
    fresh.run("--cores", "2", "survey")
    path = fresh.folder / "src/skewproof/absolute/choosing.yaml"
    path.write_text(path.read_text().replace("What data are there?", "Which data are there?"))
    output = fresh.run("--cores", "1", "--dry-run", "survey")
    assert "Drawing the survey's decision trees" in output
