"""Actions of a reader in the explorer, in Chromium; numbers are compared with Python's."""

import math
import re
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import betaincinv

from fuzz.formulas import VALID, texts
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.formulas.metrics import FormulaError, ParsedFormula
from skewproof.core.scales import bounded
from skewproof.curves.areas.area import area
from skewproof.curves.thresholds import threshold_matrices
from skewproof.explorer.facts import index_levels
from skewproof.explorer.page import explorer_page
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof.metrics.atlas.entry import listed_names
from skewproof.metrics.lookup import meanings
from skewproof.operating_points.curves import BinormalCurve, EmpiricalCurve
from skewproof.operating_points.demands import has_best_point
from skewproof.operating_points.optimum import best_point
from skewproof.reporting.style import GREEN
from skewproof.sensitivity.quadrature.exact import exact_indices
from written import check_written

MEGABYTE = 10**6


def numbers(texts):
    return [float(text.replace("undefined", "NaN").replace("∞", "inf")) for text in texts]


def random_counts():
    """Make whole and other counts of all sizes, with zeros in every combination."""
    random = np.random.default_rng(1)
    counts = 10 ** random.uniform(-3, 6, (1000, 4))
    counts[:500] = np.rint(counts[:500])
    counts[random.random((1000, 4)) < 0.25] = 0
    return counts


def assert_same(found, expected, tolerance, name):
    """Compare undefined or infinite values exactly, and others relative to at least 1."""
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~finite], expected[~finite], err_msg=name)
    found, expected = found[finite], expected[finite]
    errors = np.abs(found - expected) / np.maximum(1, np.abs(expected))
    assert errors.max(initial=0) <= tolerance, name


def test_it_is_one_file_that_asks_for_nothing(page, page_path):
    page.open()
    assert page_path.stat().st_size < 2 * MEGABYTE
    assert page.requests() == [page.address]


def test_the_browser_refuses_to_fetch_and_to_run_text(page):
    page.run(
        "window.refused = []; addEventListener('securitypolicyviolation', (event) =>"
        " refused.push(event.effectiveDirective));"
        "setTimeout(() => new Function('return 1')()); setTimeout(() => fetch('https://127.0.0.1'))"
    )
    page.until("refused.length === 2")
    assert sorted(page.run("return refused")) == ["connect-src", "script-src"]
    assert len(page.errors()) >= 2


LEFT_OUT = {
    "beta",
    "criterion",
    "d_prime",
    "gilbert_wells",
    "largest_share_right",
    "log_beta",
    "normal_area",
    "relative_criterion",
}
"""Measures with a normal quantile or a factorial in their formula, which JavaScript lacks."""

OFFERED = {key: metric for key, metric in ATLAS.items() if key not in LEFT_OUT}


def values_in_page(page, metrics, counts):
    """Evaluate metrics in the page, shape (metrics, matrices)."""
    script = (
        "const [keys, rows] = arguments;"
        "return keys.map((key) => rows.map((row) => String(skewproof.value(key, ...row))))"
    )
    found = page.run(script, list(metrics), counts.tolist())
    return np.array([[float(text) for text in row] for row in found])


def test_every_measure_of_the_atlas_but_those_that_the_page_names(page):
    assert set(page.run("return skewproof.keys()")) == set(OFFERED)
    said = page.text("footer")
    assert f"{len(OFFERED)} measures can be chosen. {len(LEFT_OUT)} of the atlas are left" in said
    assert all(ATLAS[key].name in said for key in LEFT_OUT)


def classifiers_at_levels(rarest):
    """Draw counts of any classifiers at levels from 100:1 to 1 to a power of ten."""
    random = np.random.default_rng(2)
    tpr, fpr = random.uniform(0, 1, (2, 200))
    negatives = 100 * 10.0 ** random.integers(-2, rarest + 1, 200)
    matrices = ConfusionMatrix.from_rates(tpr, fpr, positives=100, negatives=negatives)
    return np.stack([matrices.tp, matrices.fp, matrices.fn, matrices.tn], axis=1)


@pytest.mark.parametrize(
    ("metrics", "counts", "tolerance"),
    [
        (METRICS, random_counts(), 1e-12),
        (OFFERED, classifiers_at_levels(2), 1e-11),
        (OFFERED, classifiers_at_levels(5), 1e-8),
    ],
    ids=["any counts", "to 1:100", "to 1:100,000"],
)
def test_values_are_those_of_python(page, metrics, counts, tolerance):
    """Beyond 1:100 the page loses digits of a few statistics whose terms are as large as the number
    of instances and cancel; Python loses fewer if its formula has another form."""
    matrices = matrix_of(counts.T)
    for key, values in zip(metrics, values_in_page(page, metrics, counts), strict=True):
        assert_same(values, np.asarray(metrics[key](matrices)), tolerance, name=key)


def test_every_measure_is_scaled_as_in_python(page):
    matrices = matrix_of(classifiers_at_levels(2)[:40].T)
    script = (
        "const [keys, rows] = arguments;"
        "return keys.map((key, place) =>"
        " rows[place].map((value) => String(skewproof.unit(key, Number(value)))))"
    )
    values = [[str(float(one)) for one in metric(matrices)] for metric in OFFERED.values()]
    texts = [
        [one.replace("inf", "Infinity").replace("nan", "NaN") for one in row] for row in values
    ]
    found = page.run(script, list(OFFERED), texts)
    for (key, metric), row in zip(OFFERED.items(), found, strict=True):
        expected = np.asarray(bounded(metric)(matrices), dtype=float)
        np.testing.assert_allclose(
            [float(one) for one in row], expected, rtol=0, atol=1e-12, err_msg=key
        )


def test_every_name_of_the_atlas_finds_its_measure(page):
    """The words that mean a measure to `get_metric` fit it exactly in the page."""
    words = [name.name for entry in CATALOG.values() for name in entry.names]
    words += [row.name.name for row in listed_names()]
    words += [alias for metric in METRICS.values() for alias in metric.aliases]
    words += [word.upper() for word in CATALOG]
    found = page.run("return arguments[0].map(skewproof.find)", words)
    for word, measures in zip(words, found, strict=True):
        exact = {key for key, rank in measures if rank == 0}
        assert set(meanings(word)) - LEFT_OUT <= exact, word
        ranks = [rank for _, rank in measures]
        assert ranks == sorted(ranks)


def test_a_measure_is_found_and_shown(page):
    page.enter("#search", "Jaccard")
    keys = page.run(
        "return [...document.querySelectorAll('#found li')].map((one) => one.dataset.key)"
    )
    (meant,) = meanings("Jaccard")
    assert keys[0] == meant
    page.run("document.querySelector('#found button').click()")
    page.until(f"skewproof.state().metric === '{meant}'")
    page.until(f"location.hash.includes('metric={meant}')")
    name = ATLAS[meant].name
    page.until(
        f"document.querySelector('#panel-metric h2').textContent.toLowerCase() === {name.lower()!r}"
    )
    assert page.row(meant)
    page.enter("#search", "no such measure")
    assert page.text("#search-message") == "No measure has 'no such measure' in its names."
    assert page.wrong() == ["search"]
    assert page.state()["metric"] == meant


def test_a_measure_of_the_atlas_has_its_published_range_and_verdict(page):
    page.run("location.hash = 'metric=lift&second=gilbert_ratio'")
    page.until("document.querySelector('#panel-metric h2').textContent === 'Lift'")
    assert "From 0 to ∞" in page.text("#panel-metric .facts")
    assert page.text("#panel-metric .formula code") == "tp*(P + N)/(P*(tp + fp))"
    # With tp/P = u and fp/N = v, lift is u (P + N)/(P u + N v): 1 where u = v, at each level.
    assert page.text("#panel-metric .verdict") == "Imbalance changes it."


@pytest.mark.parametrize("key", ["gilbert_ratio", "scott_pi", "lift"])
def test_indices_of_a_measure_are_near_the_exact_ones(page, key):
    found = page.run("return skewproof.indices(arguments[0])", key)
    for level in (-3, 0, 2, 4):
        metric = bounded(ATLAS[key])
        exact = exact_indices([metric], positives=100, negatives=100 * 10.0**level).s1[0]
        place = index_levels().index(level)
        assert [found[0][place], found[1][place]] == pytest.approx(exact, abs=1e-3)


def test_no_counts_have_no_value(page):
    for counts in ("-1, 1, 1, 1", "Infinity, 1, 1, 1"):
        assert page.run(f"return String(skewproof.value('accuracy', {counts}))") == "NaN"


def formulas():
    drawn = [text for text in texts(400, seed=3) if text.isprintable() and len(text) < 500]
    return [*VALID, *drawn, "1__0 + tp", "1_0*tp", "tp**(1/0)", "2**3**2 + tp", "-tp**2", "(tp", ""]


def read_here(text):
    try:
        return ParsedFormula(text)
    except FormulaError:
        return None


def test_formulas_are_read_as_in_python(page):
    counts = random_counts()[:20]
    script = (
        "const [formulas, rows] = arguments;"
        "return formulas.map((text) => { try {"
        " return rows.map((row) => String(skewproof.formulaValue(text, ...row)))"
        " } catch (error) { return error.message } })"
    )
    tried = formulas()
    read = [read_here(text) for text in tried]
    assert min(sum(one is None for one in read), sum(one is not None for one in read)) > 50
    found = page.run(script, tried, counts.tolist())
    matrices = matrix_of(counts.T)
    for text, formula, values in zip(tried, read, found, strict=True):
        assert isinstance(values, list) == (formula is not None), text
        if formula is not None:
            with warnings.catch_warnings(action="ignore"):
                expected = np.broadcast_to(formula(matrices), len(counts))
            found_here = np.array([float(value) for value in values])
            assert_same(found_here, expected, tolerance=1e-12, name=text)


def test_slide(page):
    before = page.run("return document.querySelector('canvas').toDataURL()")
    page.enter("#level", "3")
    page.until("document.querySelector('#level-text').textContent === '1:1,000'")
    page.until("skewproof.frames() > seen + 1")
    assert page.run("return document.querySelector('canvas').toDataURL()") != before
    for key in ("f1", "youden_j", "adjusted_g_mean", "positive_likelihood_ratio"):
        expected = [
            float(
                METRICS[key](
                    ConfusionMatrix.from_rates(0.8, 0.1, positives=100, negatives=negatives)
                )
            )
            for negatives in (100_000, 100, 99_900)
        ]
        assert numbers(page.row(key)) == pytest.approx(expected, rel=0.05, abs=6e-5)


def test_best_points_are_those_of_python_to_a_hundredth_of_a_pixel(page):
    """Both axes agree, for every metric whose good values are high or low."""
    steps = [-3, -1, 0, 1.5, 3, 6]
    script = (
        "const [keys, steps] = arguments;"
        "return keys.map((key) => steps.map((step) => skewproof.best(key, 100, 10 ** step)))"
    )
    found = page.run(script, list(METRICS), steps)
    seen = 0
    for (key, metric), row in zip(METRICS.items(), found, strict=True):
        for step, shown in zip(steps, row, strict=True):
            if not has_best_point(metric):
                assert shown is None, key
                continue
            share = 1 / (1 + 10.0**step)
            point = best_point(metric, BinormalCurve(mean=2), at=share, total=100 / share)
            # The diagnostic odds ratio has no bound at either end of the curve.
            best = [point, *(peak for peak in point.others if peak.value == point.value)]
            apart = min(pixels_apart(shown, one) for one in best)
            assert apart < 0.01, (key, step)
            seen += 1
    assert seen > 200


def pixels_apart(shown, point):
    """Compute the distance in pixels along the farther axis, on panels of the largest size."""
    linear = max(abs(shown["tpr"] - point.tpr), abs(shown["fpr"] - point.fpr))
    ends = [math.log10(max(fpr, 1e-7)) / 7 for fpr in (shown["fpr"], point.fpr)]
    return 440 * max(linear, abs(ends[0] - ends[1]))


def test_the_best_point_moves_with_the_slider(page):
    sentence = "#panel-metric .best"
    page.until(f"document.querySelector('{sentence}').textContent.includes('TPR is 0.318')")
    page.enter("#level", "3")
    page.until(f"document.querySelector('{sentence}').textContent.includes('1:1,000')")
    point = best_point("f1", BinormalCurve(mean=2), at="1:1000")
    said = page.text(sentence)
    assert f"TPR is {point.tpr:.3f} and FPR" in said
    rate, alarms = re.search(r"FPR (\S+), with (\S+) false alarms", said).groups()
    assert float(rate) == pytest.approx(point.fpr, rel=0.05)
    assert float(alarms) == pytest.approx(point.alarms_per_hit, rel=0.01)
    page.run("location.hash = 'metric=accuracy&second=hmnc&level=6'")
    page.until(f"document.querySelector('{sentence}').textContent.includes('next to nothing')")
    page.until("document.querySelector('#panel-second .best').textContent.includes('everything')")


def test_the_best_point_is_drawn_on_the_curve(page):
    """The middle of the diamond differs in color from the contours there."""
    drawn = (
        "const canvas = document.querySelector('#panel-metric canvas');"
        "const density = canvas.width / canvas.clientWidth, size = canvas.clientWidth - 68;"
        "const best = skewproof.best('f1', 100, 100);"
        "const x = (50 + size * best.fpr) * density, y = (10 + size * (1 - best.tpr)) * density;"
        "return [...canvas.getContext('2d').getImageData(Math.round(x), Math.round(y), 1, 1).data]"
    )
    assert page.run(drawn)[:3] == [int(GREEN[start : start + 2], 16) for start in (1, 3, 5)]


def test_the_farthest_moved_metrics_are_first(page):
    page.until("document.querySelector('#announcement').textContent.startsWith('1:100: F1 score')")
    moved = page.run(
        "return [...document.querySelectorAll('#values .moved span')].map((one) => one.textContent)"
    )
    distances = numbers([text.replace("–", "-1") for text in moved])
    assert len(distances) == len(METRICS)  # and no other measures, as none is chosen
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] <= 0 < distances[0]


def test_drag(page):
    from selenium.webdriver.common.action_chains import ActionChains

    canvas = page.element("#panel-metric canvas")
    page.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
    ActionChains(page.driver).click_and_hold(canvas).move_by_offset(40, -60).release().perform()
    page.until("skewproof.state().tpr !== 0.8")
    box = page.run(
        "const box = document.querySelector('#panel-metric canvas').getBoundingClientRect();"
        "return [box.width - 50 - 18, box.height - 10 - 44, (50 - 18) / 2, (44 - 10) / 2]"
    )
    width, height, left_of_middle, below_middle = box
    state = page.state()
    assert state["fpr"] == pytest.approx(0.5 + (40 - left_of_middle) / width, abs=0.01)
    assert state["tpr"] == pytest.approx(0.5 + (60 - below_middle) / height, abs=0.01)
    assert float(page.element("#tp").get_property("value")) == pytest.approx(
        100 * state["tpr"], rel=1e-4
    )


def test_keys_move_slider_and_point(page):
    from selenium.webdriver.common.keys import Keys

    page.element("#level").send_keys(Keys.ARROW_RIGHT)
    page.until("skewproof.state().level > 2")
    page.element("#panel-metric .plot").send_keys(Keys.ARROW_UP, Keys.ARROW_RIGHT)
    page.until("skewproof.state().fpr > 0.1")
    state = page.state()
    assert (state["level"], state["tpr"], state["fpr"]) == (2.01, 0.81, 0.11)
    page.until("document.querySelector('.plot').ariaLabel.includes('rate 0.81')")
    page.until("document.querySelector('#announcement').textContent.includes('F1 score')")


def test_counts(page):
    for cell, count in (("tp", 30), ("fp", 5), ("fn", 10), ("tn", 195)):
        page.enter(f"#{cell}", str(count))
    page.until("skewproof.state().positives === 40")
    page.until("document.querySelector('tr[data-key=f1] td').textContent === '0.8'")
    page.until("document.querySelector('#level-text').textContent === '1:5'")
    page.enter("#tp", "-1")
    assert page.text("#classifier-message") == (
        "tp: expected a number from 0 to 1,000,000,000,000; the classifier stays as it was."
    )
    assert page.wrong() == ["tp"]
    assert page.state()["positives"] == 40
    page.enter("#tp", "0")
    assert page.wrong() == []
    page.enter("#fn", "0")
    assert "at least one positive" in page.text("#classifier-message")
    assert page.wrong() == ["tp", "fn"]
    # Frames do not touch an invalid field until the classifier changes elsewhere.
    page.enter("#deployment", "3")
    page.until("skewproof.state().deployment === 0.03")
    assert page.wrong() == ["tp", "fn"]
    assert page.element("#fn").get_property("value") == "0"
    page.enter("#level", "0")
    page.until("skewproof.state().level === 0")
    page.until("document.querySelector('#classifier-message').textContent === ''")
    assert page.wrong() == []
    assert page.element("#fn").get_property("value") == "10"


def test_a_prevalence_that_is_wrong_leaves_the_last_one(page):
    page.enter("#deployment", "20")
    page.until("document.querySelector('#deployed-level').textContent === '1:4'")
    page.enter("#deployment", "200")
    assert page.text("#deployment-message").endswith("; the page keeps 20 %.")
    assert page.state()["deployment"] == 0.2
    page.enter("#deployment", "30")
    assert page.wrong() == []
    assert page.text("#deployment-message") == ""


def test_a_formula_that_is_wrong_leaves_the_last_one(page):
    page.enter("#formula", "tp/P - fp/N")
    page.until("skewproof.state().metric === 'own'")
    page.enter("#formula", "tp/P -")
    page.until("document.querySelector('#formula').ariaInvalid === 'true'")
    assert page.text("#formula-message").endswith("; the page keeps tp/P - fp/N.")
    assert page.state()["formula"] == "tp/P - fp/N"
    assert numbers(page.row("own")) == pytest.approx([0.7] * 3)
    page.enter("#formula", "")
    page.until("!skewproof.keys().includes('own')")
    assert page.wrong() == []


def test_every_typed_field_has_a_place_for_what_is_wrong(page):
    """Lists and sliders have no invalid state."""
    fields = page.run(
        "return [...document.querySelectorAll('input:not([type=range]), textarea')].map((one) =>"
        " [one.id, document.getElementById(one.getAttribute('aria-describedby'))?.role"
        " ?? document.getElementById(one.getAttribute('aria-describedby'))?.getAttribute('role')])"
    )
    expected = "search deployment formula tp fp fn tn labels scores cutoff-score"
    assert fields == [[key, "status"] for key in expected.split()]


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("truth,model\n1,1\n1,0\n0,0\n0,0\n0,1\n", "5 pairs counted, '1'"),
        ("spam\tspam\nham\tham\nham\tspam\nham\tham\n", "'spam' as the positive label, guessed as"),
    ],
)
def test_pasted_labels(page, pasted, said):
    page.enter("#labels", pasted)
    assert said in page.text("#labels-message")
    assert page.wrong() == []


def test_the_other_label_is_positive_if_one_says_so(page):
    page.enter("#labels", "1,1\n1,0\n0,0\n0,0\n0,1\n")
    page.until("skewproof.state().positives === 2")
    page.run(
        "const select = document.querySelector('#positive'); select.value = '0';"
        "select.dispatchEvent(new Event('change'))"
    )
    page.until("skewproof.state().positives === 3")
    assert page.state()["tpr"] == pytest.approx(2 / 3)


def scores_with_ties(positives=80, negatives=400, seed=7):
    """Draw true labels and scores of two decimals in a random order."""
    random = np.random.default_rng(seed)
    y_true = random.permutation(np.repeat([1, 0], [positives, negatives]))
    return y_true, random.normal(y_true).round(1) + 0.25


def rows_of(y_true, y_score, head="y_true,y_score"):
    lines = [f"{label},{score!r}" for label, score in zip(y_true, y_score.tolist(), strict=True)]
    return "\n".join([head, *lines])


@pytest.mark.parametrize("key", ["f1", "mcc", "youden_j", "accuracy", "false_positive_rate"])
@pytest.mark.parametrize("share", [0.001, 0.3])
def test_cutoffs_of_scores_are_those_of_python(page, key, share):
    y_true, y_score = scores_with_ties()
    matrices, thresholds = threshold_matrices(y_true, y_score, at=share)
    text = rows_of(y_true, y_score)
    found = page.run("return skewproof.cutoffs(...arguments)", text, key, share)
    shown = {name: [point[name] for point in found["points"]] for name in found["points"][0]}
    assert shown["threshold"][1:] == thresholds.tolist()
    assert len(set(thresholds)) < len(y_true) / 2  # there are ties
    rates = ("true_positive_rate", "false_positive_rate", "precision")
    for name, metric in zip(("tpr", "fpr", "precision"), rates, strict=True):
        np.testing.assert_allclose(shown[name][1:], METRICS[metric](matrices), rtol=1e-12)
    point = best_point(key, EmpiricalCurve(y_true, y_score), at=share)
    best = found["points"][found["best"]]
    assert best["threshold"] == (None if np.isinf(point.threshold) else point.threshold)
    assert found["values"][found["best"]] == pytest.approx(point.value, rel=1e-12)
    for name, expected in (
        ("tpr", point.tpr),
        ("fpr", point.fpr),
        ("shareCalled", point.share_called),
        ("alarmsPerHit", point.alarms_per_hit),
    ):
        np.testing.assert_allclose(
            np.nan if best[name] is None else best[name], expected, rtol=1e-12
        )
    assert found["area"] == pytest.approx(area("auc", y_true, y_score), rel=1e-12)


def test_among_equal_cutoffs_the_highest_is_best(page):
    """Rounding of rates that are not floats, such as sevenths, makes no difference."""
    tied = 0
    for seed in range(20):
        y_true, y_score = scores_with_ties(7, 7, seed)
        informedness = {np.inf: Fraction(0)}
        for cut in np.unique(y_score)[::-1]:
            hits, alarms = (np.sum(y_score[y_true == label] >= cut) for label in (1, 0))
            informedness[cut] = Fraction(int(hits) - int(alarms), 7)
        highest = max(informedness.values())
        best = [cut for cut, value in informedness.items() if value == highest]
        tied += len(best) > 1
        text = rows_of(y_true, y_score)
        found = page.run("return skewproof.cutoffs(...arguments)", text, "youden_j", 0.001)
        shown = found["points"][found["best"]]["threshold"]
        assert shown == (None if best[0] == np.inf else best[0])
    assert tied > 5


def test_bounds_of_shares_are_those_of_clopper_and_pearson(page):
    for hits, trials in ((0, 7), (7, 7), (1, 100_000), (99_990, 100_000), (430, 1_000)):
        found = page.run("return skewproof.bounds(...arguments)", hits, trials, 0.975)
        low = 0.0 if hits == 0 else betaincinv(hits, trials - hits + 1, 0.025)
        high = 1.0 if hits == trials else betaincinv(hits + 1, trials - hits, 0.975)
        assert found == pytest.approx([low, high], rel=1e-9)


def shown_values(page):
    names = "[...document.querySelectorAll('#cutoff-values div')]"
    return dict(
        page.run(f"return {names}.map((one) => [...one.children].map((cell) => cell.textContent))")
    )


def paste_scores(page, text):
    page.enter("#scores", text)
    page.until("document.querySelector('#scores-message').textContent")
    return page.text("#scores-message")


def test_a_cutoff_on_pasted_scores(page):
    y_true, y_score = scores_with_ties()
    page.enter("#deployment", "1")
    said = paste_scores(page, rows_of(y_true, y_score, head="truth,model"))
    assert said.startswith("480 scores read, '1' as the positive label, guessed by its name; AUC")
    page.until("!document.querySelector('#cutoff-panel').hidden")
    point = best_point("f1", EmpiricalCurve(y_true, y_score), at=0.01)
    assert page.element("#cutoff-score").get_property("value") == str(point.threshold)
    assert f"best at 1:99 at the cut-off {point.threshold}:" in page.text("#cutoff-best")
    assert page.run("return document.querySelector('#cutoff-jump').disabled")
    # The slider moves the classifier, and its counts are those of the pasted rows.
    threshold = 0.25
    above = y_score >= threshold
    steps = np.unique(y_score).searchsorted(threshold)
    page.enter("#cutoff", str(steps))
    page.until(f"document.querySelector('#cutoff-score').value === '{threshold}'")
    counts = [np.sum(called & (y_true == label)) for called in (above, ~above) for label in (1, 0)]
    page.until(f"document.querySelector('#tp').value === '{counts[0]}'")
    cells = [page.element(f"#{cell}").get_property("value") for cell in ("tp", "fp", "fn", "tn")]
    assert cells == [str(count) for count in counts]
    hits, alarms = 0.01 * counts[0] / 80, 0.99 * counts[1] / 400
    values = shown_values(page)
    assert float(values["Precision at 1:99"]) == pytest.approx(hits / (hits + alarms), rel=1e-3)
    assert float(values["False alarms for each hit"]) == pytest.approx(alarms / hits, rel=1e-3)
    assert float(values["Share called positive"]) == pytest.approx(hits + alarms, rel=1e-3)
    tpr = betaincinv(counts[0], 81 - counts[0], 0.025)
    fpr = betaincinv(counts[1] + 1, 400 - counts[1], 0.975)
    bound = float(re.search(r"at least (\S+) at 1:99", page.text("#cutoff-bound"))[1])
    assert bound == pytest.approx(tpr / (tpr + 99 * fpr), rel=1e-3)
    page.run("document.querySelector('#cutoff-jump').click()")
    page.until(f"document.querySelector('#cutoff-score').value === '{point.threshold}'")
    assert page.text("#command").endswith('--require "precision >= 0.5" --at 0.01')
    page.until("location.hash.includes('deployment=0.01')")
    assert "scores" not in page.run("return location.hash")


def test_a_typed_cutoff(page):
    y_true, y_score = scores_with_ties()
    paste_scores(page, rows_of(y_true, y_score))
    page.until("!document.querySelector('#cutoff-panel').hidden")
    page.enter("#cutoff-score", "0.6")  # scores are 0.55 and 0.65
    page.until(f"document.querySelector('#tp').value === '{np.sum(y_score[y_true == 1] > 0.6)}'")
    assert float(page.run("return document.querySelector('#cutoff').ariaValueText")) == 0.65
    page.enter("#cutoff-score", "99")
    page.until("document.querySelector('#tp').value === '0'")
    assert shown_values(page)["Precision at 1:999"] == "undefined"
    assert page.text("#cutoff-bound") == ""
    page.enter("#cutoff-score", "")
    assert page.wrong() == ["cutoff-score"]
    assert page.text("#cutoff-message") == (
        "Expected a number as cut-off; the cut-off stays as it was."
    )


def test_a_promise_is_asked_for_the_positive_label_that_was_chosen(page):
    paste_scores(page, "ham\t0.1\nit's\t0.9\nham\t0.4\n")
    page.until("document.querySelector('#command').textContent")
    assert page.text("#command").endswith(r"--at 0.001 --pos-label='it'\''s'")
    page.choose("#scores-positive", "ham")
    page.until("document.querySelector('#command').textContent.endsWith(`'ham'`)")
    assert "AUC is 0, so higher scores go with negatives" in page.text("#scores-message")


def test_wrong_scores_leave_the_last_ones(page):
    paste_scores(page, "1,0.9\n0,0.1")
    page.enter("#scores", "1,0.9\n0,x")
    page.until("document.querySelector('#scores').ariaInvalid === 'true'")
    assert page.text("#scores-message").endswith("; the panel keeps the scores before.")
    assert not page.run("return document.querySelector('#cutoff-panel').hidden")


def test_100_000_pasted_scores(page):
    y_true, _ = scores_with_ties(10_000, 90_000)
    y_score = np.random.default_rng(8).normal(y_true)
    said = paste_scores(page, rows_of(y_true, y_score))
    assert said.startswith("100000 scores read")
    point = best_point("f1", EmpiricalCurve(y_true, y_score), at=0.001)
    page.until(f"document.querySelector('#cutoff-score').value === '{point.threshold}'")


def test_an_own_formula(page):
    page.enter("#formula", "tp/P - fp/N")
    page.until("skewproof.keys().includes('own')")
    page.until("document.querySelector('tr[data-key=own] td').textContent === '0.7'")
    assert "from -1 to 1;" in page.text("#formula-message")
    assert numbers(page.row("own_i")) == pytest.approx([0.85] * 3)
    assert "does not prove it" in page.text("#panel-metric .evidence")


def test_indices_of_an_own_formula_are_near_the_exact_ones(page):
    page.enter("#formula", "2*tp/(2*tp + fn + fp)")
    page.until("skewproof.state().metric === 'own'")
    page.until("document.querySelector('.in-words').textContent")
    exact = exact_indices([METRICS["f1"]], positives=100, negatives=10_000).s1[0]
    tp, fp = (f"{100 * index:.1f} %" for index in exact)
    page.until("document.querySelector('#panel-metric h2').textContent === 'Your formula'")
    assert f"tp alone explains {tp}, fp alone explains {fp}," in page.text(
        "#panel-metric .in-words"
    )


@pytest.fixture
def write(page, page_path, monkeypatch, tmp_path):
    """Open another page of F1 that is written for a test."""
    library = page_path.read_text(encoding="utf-8").split("<script>")[1].split("</script>")[0]
    bundle = SimpleNamespace(javascript_bundle=lambda snippet: library)
    monkeypatch.setitem(sys.modules, "vl_convert", bundle)

    def written(*shown, **options):
        path = tmp_path / "written.html"
        text = explorer_page(*shown, metrics={"f1": METRICS["f1"]}, measures={}, **options)
        path.write_text(text, encoding="utf-8")
        opened = type(page)(page.driver, path.as_uri())
        opened.open()
        return opened

    return written


def test_a_page_opens_at_a_prevalence_and_says_it_beside_every_value(write):
    """The rates at the start are 0.8 and 0.1."""
    written = write(at=0.02)
    value = float(METRICS["f1"](ConfusionMatrix.from_rates(0.8, 0.1, positives=2, negatives=98)))
    assert written.state()["deployment"] == 0.02
    assert written.text("#level-text") == written.text("#deployed-level") == "1:49"
    assert written.text("#panel-metric .value").startswith(f"{value:.4g} at 1:49, with true pos")
    here, _, deployed = numbers(written.row("f1"))
    assert here == deployed == pytest.approx(value, abs=5e-5)
    # The counts of a test set move the slider, but not the prevalence of deployment.
    for name, count in {"tp": 80, "fn": 20, "fp": 40, "tn": 360}.items():
        written.enter(f"#{name}", str(count))
    written.until("document.querySelector('#here-level').textContent === '1:4'")
    assert numbers(written.row("f1"))[0] == pytest.approx(160 / 220, abs=5e-5)
    assert numbers(written.row("f1"))[2] == pytest.approx(value, abs=5e-5)
    assert written.text("#deployed-level") == "1:49"
    written.until("location.hash.includes('deployment=0.02')")


def test_a_prevalence_is_shown_with_four_digits_at_most(write):
    written = write(at="1:1000")
    assert written.state()["deployment"] == 1 / 1001
    assert written.element("#deployment").get_property("value") == "0.0999"


def test_a_formula_that_the_page_was_written_for_is_proved(write):
    written = write("tp/P - 2*fp/N")
    assert "Values from -2 to 1;" in written.text("#formula-message")
    assert "proved" in written.text("#panel-metric .verdict")
    assert written.text("#panel-metric .proof math") == "u-2\N{INVISIBLE TIMES}v"
    # u has a quarter of the variance of 2 v.
    assert "tp alone explains 20 %, fp alone explains 80 %," in written.text(
        "#panel-metric .in-words"
    )
    written.enter("#formula", "tp/P - fp/N")
    written.until("document.querySelector('#formula-message').textContent.includes('from -1 to 1')")
    written.until("!document.querySelector('#panel-metric .proof math')")


REFUSED = {
    "deployment": ["200", "-5", "100", "0", ""],
    "labels": ["1 1\n0 2\n", "1,1\n0\n"],
    "scores": [
        "1,0.5\n0,0.2\n2,0.1",
        "y,score\n1,0.5\n\n0,high\n",
        "1,inf\n0,0.1",
        "1,0.5\n1,0.7",
        "1 0.5\n0 0.5",
        "1 0.5\n0",
    ],
    "formula": [
        "<img src=x onerror=hit=1>",
        "tp + <script>hit=1</script>",
        "constructor(tp)",
        "__proto__",
        "tp" + "+tp" * 33_333,
        "(" * 10_000,
        "+".join(["(tp"] * 2_500),
        "tp/fp",
        "tp - tp",
        "P/N",
        "1/(tp - tp)",
    ],
}
"""Texts that a field refuses."""


def test_what_is_refused_is_marked_and_changes_nothing(page):
    """The messages are in a file."""
    elements = "return document.querySelectorAll('*').length"
    before = page.run(elements), page.state()
    messages = dict.fromkeys(REFUSED, "")
    for field, texts_refused in REFUSED.items():
        for text in texts_refused:
            said = f"document.querySelector('#{field}-message').textContent"
            page.enter(f"#{field}", text)
            page.until(said)
            message = page.run(f"return {said}")
            assert len(message) < 300
            assert page.wrong() == [field]
            assert (page.run(elements), page.state()) == before
            messages[field] += f"{text[:60]!r}\n    {message}\n"
            page.enter(f"#{field}", "0.1" if field == "deployment" else "")
            page.until(f"!{said}")
    assert page.run("return window.hit === undefined && !skewproof.keys().includes('own')")
    assert page.run("return document.querySelector('#cutoff-panel').hidden")
    check_written(Path(__file__).with_name("refused.txt"), **messages)


def test_the_address_has_the_state(page):
    page.open("#metric=own&second=mcc&level=-1.5&tpr=0.6&fpr=0.2&axis=log&formula=tp%2FP")
    state = page.state()
    assert (state["metric"], state["second"], state["axis"]) == ("own", "mcc", "log")
    page.enter("#level", "1")
    page.until("location.hash.includes('level=1&')")
    sent = page.driver.current_url
    page.driver.refresh()
    page.until("skewproof.frames() > 0")
    assert page.state() == state | {"level": 1}
    assert page.driver.current_url == sent
    page.run("location.hash = 'metric=accuracy'")
    page.until("document.querySelector('#panel-metric h2').textContent === 'Accuracy'")


def test_a_wrong_address_is_the_first_view(page):
    first = page.state()
    page.open("#metric=%3Cimg%3E&second=x&level=abc&tpr=&fpr=NaN&axis=3d&formula=%3Cb%3E")
    assert page.state() == first
    assert "Character 1, '<'" in page.text("#formula-message")
    assert page.wrong() == ["formula"]
    assert page.text("#link-message") == (
        "In this link metric, second, level, tpr, fpr, axis have values that the page cannot show:"
        " it shows the first view's instead."
    )
    page.open("#level=1e9&tpr=7&deployment=0.2")
    assert page.state() == first | {"deployment": 0.2}
    assert "In this link level, tpr have values" in page.text("#link-message")


def test_a_link_has_every_control(page):
    """A view in which everything was changed is restored from its link."""
    page.enter("#formula", "2*tp/P - fp/N")
    page.until("skewproof.state().metric === 'own'")
    page.enter("#deployment", "12.5")
    for cell, count in (("tp", 30), ("fp", 5), ("fn", 10), ("tn", 195)):
        page.enter(f"#{cell}", str(count))
    for control, value in (("second", "lift"), ("axis", "log")):
        page.choose(f"#{control}", value)
    page.run(
        "Object.defineProperty(navigator, 'clipboard', { configurable: true,"
        " value: { writeText: async (text) => { window.copied = text } } });"
        "document.querySelector('#copy-link').click()"
    )
    page.until("window.copied")
    assert page.text("#link-message") == "The link is copied. It opens this view."
    link, state = page.run("return window.copied"), page.state()
    page.run("location.hash = ''")
    page.until("skewproof.state().deployment === 0.001")
    start = page.state()
    assert all(start[name] != state[name] for name in start)
    page.open(f"#{link.partition('#')[2]}")
    assert page.state() == state
    assert page.element("#formula").get_property("value") == "2*tp/P - fp/N"
    assert page.element("#deployment").get_property("value") == "12.5"
    cells = [page.element(f"#{cell}").get_property("value") for cell in ("tp", "fp", "fn", "tn")]
    assert cells == ["30", "5", "10", "195"]


def test_a_link_that_cannot_be_copied_is_shown(page):
    page.run(
        "Object.defineProperty(navigator, 'clipboard', { configurable: true,"
        " value: { writeText: () => Promise.reject(new Error('refused')) } });"
        "document.querySelector('#copy-link').click()"
    )
    page.until("document.querySelector('#link-message').textContent.includes('#')")
    assert page.text("#link-message").endswith("metric=f1")


@pytest.mark.parametrize("width", [380, 800, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_widths_and_colors(page, width, scheme):
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    try:
        right = "document.querySelector('canvas').getBoundingClientRect().right"
        page.until(f"innerWidth === {width} && {right} <= {width}")
        assert page.run("return document.documentElement.scrollWidth") <= width
        ground = page.run("return getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_every_control_has_a_name(page):
    unnamed = page.run(
        "return [...document.querySelectorAll('input, select, textarea, button, [tabindex]')]"
        ".filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel))"
        ".map((one) => one.outerHTML)"
    )
    assert unnamed == []
