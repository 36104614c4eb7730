"""Measures of the experiment's matrices, and their statistics."""

import numpy as np
import pandas as pd
import pytest

from skewproof_studies.mullick.experiment.statistics import (
    deviation_by_chance,
    deviation_over_all,
    deviation_over_settings,
    jackknife_error,
    lost_classes,
    mean_performance,
    measure_values,
    minima,
    smallest_mean,
    variability,
    with_a_lost_class,
)

pytestmark = pytest.mark.slow


def toy_values(cells, *, classes=2, index="g_mean"):
    """Make values by (classifier, run, fold, setting)."""
    names = ["classifier", "run", "fold", "setting"]
    frame = pd.Series(cells, name="value").rename_axis(names).reset_index()
    return frame.assign(problem="p", classes=classes, index=index)


class TestValues:
    def test_two_classes_by_hand_the_smaller_one_being_positive(self):
        cells = {(0, 0): 2, (0, 1): 1, (1, 0): 4, (1, 1): 8}
        frame = pd.DataFrame(cells.items(), columns=["cell", "count"])
        frame[["true", "predicted"]] = list(cells)
        frame = frame.assign(problem="p", classes=2, classifier="c", run=1, fold=1, setting="s")
        values = measure_values(frame.sample(frac=1, random_state=1)).set_index("index")["value"]
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

    def test_deviations_and_minimum_by_hand(self):
        """Effects of folds and settings are no chance."""
        assert deviation_over_settings(self.CELLS).tolist() == pytest.approx([(0.2 + 0) / 2])
        means = [0.2, 0.4, 0.6, 0.5, 0.5, 0.5]
        assert deviation_over_all(self.CELLS).tolist() == pytest.approx([np.std(means, ddof=1)])
        assert deviation_by_chance(self.CELLS).tolist() == pytest.approx([0])
        assert smallest_mean(self.CELLS).tolist() == pytest.approx([0.2])
        (row,) = minima(pd.concat([self.CELLS, self.CELLS.assign(run=2)])).itertuples()
        assert (row.minimum, row.smallest) == pytest.approx((0.2, 0.19))

    def test_chance_alone_gives_the_deviation_that_it_is_stated_to_give(self):
        random = np.random.default_rng(1)
        places = [("c", 1, fold, setting) for fold in range(2000) for setting in "vwxyz"]
        cells = {place: random.normal(0, 3) for place in places}
        by_chance = deviation_by_chance(toy_values(cells))
        assert by_chance.tolist() == pytest.approx([3 / np.sqrt(2000)], rel=0.05)

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
        (row,) = lost_classes(measure_values(pd.concat([lost, kept]))).itertuples()
        assert (row.matrices, row.zeros, row.combinations, row.zero_means) == (2, 1, 1, 0)
        assert row.acsa_smallest == row.acsa_mean == pytest.approx(2 / 3)
        (row,) = lost_classes(measure_values(lost)).itertuples()
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
