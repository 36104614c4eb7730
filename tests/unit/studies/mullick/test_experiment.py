import numpy as np
import pandas as pd
import pytest

from skewproof.config import CLASSES
from skewproof.studies.mullick.experiment.figures import (
    figure_3,
    figure_4,
    figure_5,
    problem_labels,
)
from skewproof.studies.mullick.experiment.findings import (
    deviation_table,
    experiment_report,
    findings,
    minimum_table,
    size_table,
)
from skewproof.studies.mullick.experiment.protocol import (
    SOURCES,
    classifiers,
    drawn,
    experiment_matrices,
    load_problem,
    problem_sizes,
    settings,
    sizes_in_test,
    sizes_in_training,
    training_and_held_out,
)
from skewproof.studies.mullick.experiment.statistics import (
    CONDITION_1,
    CONDITION_2,
    MULTICLASS,
    deviation_by_chance,
    deviation_over_all,
    deviation_over_settings,
    index_values,
    jackknife_error,
    losses,
    lost_classes,
    mean_performance,
    minima,
    smallest_mean,
    variability,
    with_a_lost_class,
)
from skewproof.studies.mullick.names import TWO_CLASS

OPTIONS = {"trees": 3, "hidden_units": 8, "iterations": 2000, "resamples": 2, "neighbors": 3}
TWO = load_problem("iris", [[2], [1]], 5)
THREE = load_problem("iris", [[2], [1], [0]], 4)


def matrices(problem=TWO, **changes):
    protocol = {"folds": 2, "seed": 1, "name": "toy", "run": 1} | changes
    return experiment_matrices(problem, OPTIONS, **protocol)


@pytest.fixture(scope="module")
def toy():
    """Matrices of a problem of two and one of three classes, in two runs."""
    parts = [
        matrices(problem, name=name, run=run).assign(problem=name, classes=len(problem.ratios))
        for name, problem in (("two", TWO), ("three", THREE))
        for run in (1, 2)
    ]
    return pd.concat(parts, ignore_index=True)


def toy_values(cells, *, classes=2, index="g_mean"):
    """Values by (classifier, run, fold, setting)."""
    names = ["classifier", "run", "fold", "setting"]
    frame = pd.Series(cells, name="value").rename_axis(names).reset_index()
    return frame.assign(problem="p", classes=classes, index=index)


class TestProblems:
    def test_classes_are_numbered_from_the_smallest_and_may_join_labels(self):
        problem = load_problem("wine", [[2], [0, 1]], 6)
        assert np.bincount(problem.labels).tolist() == [48, 59 + 71]
        assert problem.features.shape == (178, 13)

    def test_sizes_between_the_smallest_and_the_largest_class_rise_geometrically(self):
        assert THREE.ratios.tolist() == pytest.approx([1, 2, 4])

    @pytest.mark.parametrize("classes", [[[3], [1]], [[1], [1]], [[1], [0, 0]]])
    def test_a_label_that_is_unknown_or_repeated_is_refused(self, classes):
        with pytest.raises(ValueError, match=r"of iris: expected each of 0, 1, 2 at most once"):
            load_problem("iris", classes, 5)


class TestSettings:
    def test_two_classes_have_the_five_ratios_of_the_paper(self):
        ratios = [sizes[1] / sizes[0] for sizes in settings(np.array([1.0, 12.0])).values()]
        assert ratios == [1, 0.5, 6, 12, 24]

    def test_more_classes_are_balanced_reversed_halved_kept_and_doubled(self):
        sizes = settings(np.array([1.0, 4.0, 20.0]))
        assert {name: (each / each[0]).tolist() for name, each in sizes.items()} == {
            "balanced": [1, 1, 1],
            "reversed": pytest.approx([1, 1 / 4, 1 / 20]),
            "halved": [1, 2, 10],
            "original": [1, 4, 20],
            "doubled": [1, 8, 40],
        }

    def test_the_smallest_class_of_a_test_set_is_as_large_as_that_of_the_fold(self):
        sizes = sizes_in_test(np.array([36, 30]), np.array([2.0, 1.0]))
        assert sizes.tolist() == [60, 30]

    def test_undersampling_keeps_as_many_as_the_ratios_allow(self):
        assert sizes_in_training(np.array([40, 45]), np.array([1, 20.0])).tolist() == [2, 40]

    def test_one_instance_to_train_with_is_refused(self):
        with pytest.raises(ValueError, match=r"imbalance_ratio = 30 leaves 1 .* at least 2"):
            sizes_in_training(np.array([40, 45]), np.array([1, 30.0]))


class TestDraws:
    def test_instances_repeat_only_where_more_are_asked_for_than_there_are(self):
        labels = np.repeat([0, 1], [10, 10])
        places = drawn(labels, np.array([10, 30]), np.random.default_rng(1))
        assert np.bincount(labels[places]).tolist() == [10, 30]
        assert len(set(places[labels[places] == 0])) == 10

    @pytest.mark.parametrize("problem", [TWO, THREE])
    def test_training_has_the_ratios_and_never_what_is_held_out(self, problem):
        tested = []
        splits = training_and_held_out(problem, folds=5, seed=1, name="toy", run=1)
        for training, held_out in splits:
            assert not set(training) & set(held_out)
            assert len(set(training)) == len(training)
            sizes = np.bincount(problem.labels[training])
            np.testing.assert_array_equal(sizes, np.rint(sizes[0] * problem.ratios))
            tested.extend(held_out)
        assert sorted(tested) == list(range(len(problem.labels)))

    def test_sizes_are_those_of_the_first_fold(self):
        table = problem_sizes(TWO, folds=5, seed=1, name="toy")
        assert table["training"].tolist() == [8, 40]
        assert table["held_out"].tolist() == [10, 10]
        assert table["doubled"].tolist() == [10, 100]


class TestMatrices:
    @pytest.mark.parametrize(("name", "problem"), [("two", TWO), ("three", THREE)])
    def test_every_test_set_has_the_ratio_asked_for(self, toy, name, problem):
        chosen = toy[toy["problem"] == name]
        keys = ["classifier", "run", "fold", "setting"]
        sizes = chosen.groupby([*keys, "true"])["count"].sum().unstack()
        assert len(sizes) == 4 * 2 * 2 * 5
        for (*_, setting), row in sizes.iterrows():
            ratios = settings(problem.ratios)[setting]
            expected = sizes_in_test(np.full(len(ratios), 25), ratios)
            assert row.tolist() == expected.tolist()

    def test_classes_far_apart_are_told_apart_by_every_classifier(self):
        table = matrices(load_problem("iris", [[0], [2]], 5)).query("setting == 'balanced'")
        hits = table[table["true"] == table["predicted"]].groupby("classifier")["count"].sum()
        assert (hits > 80).all()  # of 100; a tree of ten instances may split the wrong attribute
        assert len(hits) == 4

    def test_same_seed_same_bits_and_another_seed_name_or_run_another_draw(self):
        first = matrices()
        pd.testing.assert_frame_equal(matrices(), first)
        for change in ({"seed": 2}, {"name": "other"}, {"run": 2}):
            assert not matrices(**change).assign(run=1).equals(first)

    def test_two_instances_of_the_smallest_class_suffice(self):
        features = np.vstack([np.eye(2), 5 + np.arange(40).reshape(20, 2)])
        labels = np.repeat([0, 1], [2, 20])
        for classifier in classifiers(2, 1, OPTIONS | {"iterations": 2000}).values():
            assert classifier.fit(features, labels).predict(features).shape == (22,)


class TestValues:
    def test_two_classes_by_hand_the_smaller_one_being_positive(self):
        cells = {(0, 0): 2, (0, 1): 1, (1, 0): 4, (1, 1): 8}
        frame = pd.DataFrame(
            [[*cell, count] for cell, count in cells.items()],
            columns=["true", "predicted", "count"],
        ).assign(problem="p", classes=2, classifier="c", run=1, fold=1, setting="balanced")
        values = index_values(frame.sample(frac=1, random_state=1)).set_index("index")["value"]
        precision, recall, specificity = 2 / 6, 2 / 3, 8 / 12
        modified = recall / (recall + 1 - specificity)
        assert values.to_dict() == pytest.approx(
            {
                "precision": precision,
                "precision_recall_mean": (precision + recall) / 2,
                "precision_i": modified,
                "precision_recall_mean_i": (modified + recall) / 2,
                "g_mean": np.sqrt(recall * specificity),
                "balanced_accuracy": (recall + specificity) / 2,
            }
        )

    def test_every_matrix_has_every_index(self, toy):
        counts = index_values(toy).groupby(["classes", "index"])["value"].count()
        assert set(counts) == {4 * 2 * 2 * 5}
        assert set(counts.loc[2].index) == set(TWO_CLASS)
        assert set(counts.loc[3].index) == set(MULTICLASS)

    def test_undefined_values_are_counted_and_left_out(self):
        cells = {("c", 1, 1, "s"): 0.5, ("c", 1, 2, "s"): np.nan, ("c", 2, 1, "s"): 0.9}
        (row,) = mean_performance(toy_values(cells)).itertuples()
        assert (row.matrices, row.undefined, row.smallest) == (3, 1, 0.5)
        assert row.mean == pytest.approx((0.5 + 0.9) / 2)
        assert row.run_sd == pytest.approx(0.4 / np.sqrt(2))


class TestStatistics:
    CELLS = toy_values(
        {
            (classifier, 1, fold, setting): value + 0.01 * (2 * fold - 3)
            for classifier, means in {"a": [0.2, 0.4, 0.6], "b": [0.5, 0.5, 0.5]}.items()
            for setting, value in zip("xyz", means, strict=True)
            for fold in (1, 2)
        }
    )

    def test_the_deviation_is_over_settings_and_averaged_over_classifiers(self):
        assert deviation_over_settings(self.CELLS).tolist() == pytest.approx([(0.2 + 0) / 2])

    def test_the_other_reading_takes_all_means_together(self):
        means = [0.2, 0.4, 0.6, 0.5, 0.5, 0.5]
        assert deviation_over_all(self.CELLS).tolist() == pytest.approx([np.std(means, ddof=1)])

    def test_the_minimum_is_the_smallest_mean(self):
        assert smallest_mean(self.CELLS).tolist() == pytest.approx([0.2])
        (row,) = minima(pd.concat([self.CELLS, self.CELLS.assign(run=2)])).itertuples()
        assert (row.minimum, row.smallest) == pytest.approx((0.2, 0.19))

    def test_effects_of_folds_and_settings_are_no_chance(self):
        assert deviation_by_chance(self.CELLS).tolist() == pytest.approx([0])

    def test_chance_alone_gives_the_deviation_that_it_is_said_to_give(self):
        random = np.random.default_rng(1)
        cells = {
            ("c", 1, fold, setting): random.normal(0, 3)
            for fold in range(2000)
            for setting in "vwxyz"
        }
        expected = 3 / np.sqrt(2000)
        assert deviation_by_chance(toy_values(cells)).tolist() == pytest.approx(
            [expected], rel=0.05
        )

    def test_the_jackknife_of_a_mean_is_its_standard_error(self):
        numbers = [0.1, 0.5, 0.6, 0.2]
        cells = {("c", run, 1, "s"): value for run, value in enumerate(numbers)}
        error = jackknife_error(toy_values(cells), smallest_mean)
        assert error.tolist() == pytest.approx([np.std(numbers, ddof=1) / 2])

    def test_deviations_are_normalized_by_the_smallest_of_more_than_two_classes(self):
        parts = []
        for problem, classes, spread in (("p", 2, 0.01), ("q", 3, 0.1), ("r", 5, 0.3)):
            for run in (1, 2):
                cells = {
                    ("c", run, fold, setting): value
                    for setting, value in {"x": 0.5, "y": 0.5 + spread}.items()
                    for fold in (1, 2)
                }
                parts.append(toy_values(cells, classes=classes).assign(problem=problem))
        table = variability(pd.concat(parts)).set_index("problem")["normalized_sd"]
        assert np.isnan(table["p"])
        assert table[["q", "r"]].tolist() == pytest.approx([1, 3])


class TestLostClasses:
    def test_a_class_without_hits_makes_g_mean_zero_and_acsa_not(self):
        counts = np.array([[0, 1, 1], [0, 4, 0], [0, 0, 8]])
        rows, columns = np.divmod(np.arange(9), 3)
        cells = {"true": rows, "predicted": columns, "count": counts.ravel()}
        names = {"problem": "p", "classes": 3, "classifier": "c", "run": 1, "setting": "s"}
        lost = pd.DataFrame(cells).assign(**names, fold=1)
        kept = lost.assign(fold=2, count=[1, 1, 0, 0, 4, 0, 0, 0, 8])
        (row,) = lost_classes(index_values(pd.concat([lost, kept]))).itertuples()
        assert (row.matrices, row.zeros, row.combinations, row.zero_means) == (2, 1, 1, 0)
        assert row.acsa_smallest == row.acsa_mean == pytest.approx(2 / 3)
        (row,) = lost_classes(index_values(lost)).itertuples()
        assert row.zero_means == 1

    def test_losing_the_smallest_class_moves_its_hits_to_the_largest(self, toy):
        keys = ["problem", "classifier", "run", "fold", "setting", "true"]
        without = with_a_lost_class(toy)
        sizes, other = (table.groupby(keys)["count"].sum() for table in (toy, without))
        pd.testing.assert_series_equal(sizes, other, check_dtype=False)
        hits = without[(without["true"] == 0) & (without["predicted"] == 0)]
        assert hits["count"].tolist() == [0] * len(hits)
        same = toy["true"] > 0
        assert without.loc[same, "count"].tolist() == toy.loc[same, "count"].tolist()

    def test_g_mean_is_then_zero_and_acsa_is_not(self, toy):
        table = losses(index_values(toy), index_values(with_a_lost_class(toy)))
        after = table.set_index("index")["after"]
        assert after["g_mean"] == 0
        assert 0.5 < after["acsa"] < 2 / 3


def judged(toy):
    values = index_values(toy)
    tables = {
        "performance": mean_performance(values),
        "variability": variability(values),
        "minima": minima(values),
        "lost_classes": lost_classes(values),
        "losses": losses(values, index_values(with_a_lost_class(toy))),
    }
    found = findings(tables["variability"], tables["minima"], tables["lost_classes"])
    parts = [
        problem_sizes(problem, folds=2, seed=1, name=name).assign(problem=name)
        for name, problem in (("two", TWO), ("three", THREE))
    ]
    return tables, found, size_table(pd.concat(parts))


class TestFindings:
    def test_precision_moves_with_the_ratio_and_the_invariant_indices_do_not(self, toy):
        tables, found, _ = judged(toy)
        holds = found.set_index("finding")
        assert holds.loc["Precision moves farthest of the six", ["holds", "of"]].tolist() == [1, 1]
        sd = tables["variability"].query("classes == 2").set_index("index")["sd"]
        assert sd["precision"] > 5 * sd["balanced_accuracy"]

    def test_a_finding_that_fails_is_not_counted(self, toy):
        tables, _, _ = judged(toy)
        moved = tables["variability"]
        moved = moved.assign(sd=moved["sd"].where(moved["index"] != "g_mean", 9.0))
        found = findings(moved, tables["minima"], tables["lost_classes"]).set_index("finding")
        assert found.loc["Precision moves farthest of the six", "holds"] == 0
        assert found.loc["AURPC-OVA moves farthest of the five", "holds"] == 0

    def test_a_study_of_two_classes_alone_has_no_problem_of_more(self, toy):
        _, found, _ = judged(toy[toy["classes"] == 2])
        assert found.groupby("section")["of"].sum().to_dict() == {
            "5.3": 8,
            "5.4": 0,
            "5.5": 0,
            "5.6": 0,
        }

    def test_deviations_are_compared_with_those_of_g_mean_and_auroc(self, toy):
        tables, _, _ = judged(toy)
        table = deviation_table(tables["variability"]).set_index(["classes", "index"])
        two = table.loc["2"]
        reference = (two.loc["GMean", "sd"] + two.loc["AUROC", "sd"]) / 2
        expected = two.loc["Precision", "sd"] / reference
        assert two.loc["Precision", "times_reference"] == pytest.approx(expected)
        assert set(table.loc["more"].index) == set(MULTICLASS.values())

    def test_the_shortfall_of_auroc_ovo_is_its_theoretical_share_of_acsas(self, toy):
        (row,) = minimum_table(judged(toy)[0]["minima"]).to_dict("records")
        assert row["AUROC-OVO: shortfall share"] == pytest.approx(3 / (2 * (3 - 1)))

    def test_the_report_has_sizes_findings_and_undefined_values(self, toy):
        tables, found, sizes = judged(toy)
        text = experiment_report(found, sizes, tables)
        for finding in found["finding"]:
            assert finding in text
        assert "| two " in text
        assert "none is undefined" in text
        performance = tables["performance"].assign(undefined=3)
        text = experiment_report(found, sizes, tables | {"performance": performance})
        assert "left out of the means" in text


class TestFigures:
    def test_every_index_has_a_marker_for_every_problem(self, toy):
        tables, _, sizes = judged(toy)
        labels = problem_labels(sizes)
        assert labels == {"two": "two\nIR 5", "three": "three\nIR 4"}
        first = figure_3(tables["variability"], labels)
        second = figure_4(tables["variability"], labels)
        third = figure_5(tables["minima"], labels)
        names = [
            [text.get_text() for text in axes.get_legend().get_texts()]
            for figure in (first, second, third)
            for axes in figure.axes
        ]
        assert names == [
            list(TWO_CLASS.values()),
            [MULTICLASS[key] for key in CONDITION_1],
            ["ACSA", "nAUROC-OVA"],
            [MULTICLASS[key] for key in CONDITION_2],
        ]

    def test_markers_are_at_the_values_and_bars_reach_one_standard_error(self, toy):
        tables, _, sizes = judged(toy)
        (axes,) = figure_3(tables["variability"], problem_labels(sizes)).axes
        rows = tables["variability"].query("classes == 2").set_index("index")
        for container, key in zip(axes.containers, TWO_CLASS, strict=True):
            line, _, (bar,) = container
            value, error = rows.loc[key, ["sd", "standard_error"]]
            assert line.get_ydata().tolist() == pytest.approx([value])
            ends = bar.get_segments()[0][:, 1]
            assert ends.tolist() == pytest.approx([value - error, value + error])


def test_the_config_knows_the_labels_of_each_source():
    found = {name: len(set(load().target)) for name, load in SOURCES.items()}
    assert found == CLASSES
