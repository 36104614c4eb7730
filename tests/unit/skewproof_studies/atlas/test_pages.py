"""The printed formulas and directions of the atlas's pages, against the declarations by floats."""

import itertools
import re
from functools import reduce

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import matrix_in_paper_notation
from skewproof.metrics.atlas import ATLAS, CATALOG, COMMUNITIES
from skewproof.metrics.atlas.families import FAMILIES
from skewproof_studies.atlas.pages import community_pages, further_pages
from skewproof_studies.atlas.references import REFERENCES

pytestmark = pytest.mark.slow

TP, FP, FN, TN = np.array(
    [cells for cells in itertools.product([0, 1, 3, 7, 20], repeat=4) if sum(cells) > 1],
    dtype=float,
).T

with np.errstate(invalid="ignore"):
    PRINTED = {
        **{"t_p": TP, "f_p": FP, "f_n": FN, "t_n": TN},
        **{"P": TP + FN, "N": FP + TN, "P'": TP + FP, "N'": FN + TN},
        **{r"\Phi_{t_p}": TP / (TP + FN), r"\Phi_{f_n}": FN / (TP + FN)},
        **{r"\Phi_{f_p}": FP / (FP + TN), r"\Phi_{t_n}": TN / (FP + TN)},
        **{r"\rho_{t_p}": TP / (TP + FP), r"\rho_{t_n}": TN / (FN + TN)},
    }
"""Values of the symbols of a printed formula, at matrices with and without zeros."""


def root(value):
    """Take the square root; a negative number due to rounding counts as 0."""
    return np.sqrt(np.where(np.abs(value) < 1e-12, 0, value))


def logarithm(value):
    """Take the natural logarithm; where it is infinite, a finite number makes 0 times it 0."""
    found = np.log(value)
    return np.where(np.isfinite(found) | np.isposinf(found), found, -1e3)


def printed_values(formula, log):
    names = {
        "log": log,
        "sqrt": root,
        "Min": lambda *values: reduce(np.minimum, values),
        "Max": lambda *values: reduce(np.maximum, values),
    }
    symbols = sorted(formula.free_symbols, key=str)
    function = sympy.lambdify(symbols, formula, modules=[names, "scipy", "numpy"])
    with np.errstate(all="ignore"):
        found = function(*(PRINTED[str(symbol)] for symbol in symbols))
    return np.broadcast_to(np.asarray(found, dtype=float), TP.shape)


@pytest.fixture(scope="module")
def pages():
    return dict(community_pages())


@pytest.fixture(scope="module")
def sections(pages):
    """Map labels to the texts of each measure's places: a label is the key, followed by a hyphen
    and the page if the place is not its home."""
    parts = re.split(r"^\(([\w-]+)\)=$", "\n".join(pages.values()), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_each_measure_is_on_the_page_of_every_community_that_names_it(pages, sections):
    assert set(pages) == {one.key.replace(" ", "_") for one in COMMUNITIES}
    expected = set()
    for key, entry in CATALOG.items():
        home, *others = dict.fromkeys(name.community.replace(" ", "_") for name in entry.names)
        assert f"\n({key})=\n" in pages[home]
        expected |= {key, *(f"{key}-{other}" for other in others)}
        for other in others:
            assert f"\n({key}-{other})=\n" in pages[other]
        for name in entry.names:
            text = pages[name.community.replace(" ", "_")]
            lines = re.findall(rf"^- {re.escape(name.name)} \(.*$", text, flags=re.MULTILINE)
            years = set(re.findall(r"[12]\d{3}", name.source))
            assert any(years <= set(re.findall(r"[12]\d{3}", line)) for line in lines), name
    assert set(sections) == expected
    for name, text in pages.items():
        labels = re.findall(r"^\(([\w-]+)\)=$", text, re.M)
        home = sum("-" not in label for label in labels)
        counts = f"has {len(labels)} with a name from this field. This page describes {home} of"
        assert counts in text, name


def test_the_page_of_species_distribution_models_has_what_ecologists_use(pages):
    text = pages["species_distribution_models"]
    for heading in ("True skill statistic", "Kappa", "Sensitivity", "Sørensen"):
        assert f"\n## {heading}\n" in text
    for name in ("critical success index", "true skill statistic", "bias score"):
        assert f"\n- {name} (" in text


AWAY = "youden_j-species_distribution_models"
SAID = {
    "jaccard_4w": "- Jaccard with hits four times (similarity: named here: Ling 2010, as",
    "maximum_class_error": "- maximum class error (machine learning: named here)",
    "f1": "[van Zyl and Engelbrecht 2025](https://doi.org/10.1016/j.eij.2025.100711), Eq. 19",
    "fowlkes_mallows": "Eq. 26 corrected)",
    "f1-similarity": "[Dice 1945](https://doi.org/10.2307/1932409), p. 302; Choi et al. 2010, Eq.",
    "cole_c7": "his C7, p. 420",
    "f2_of_negatives": "van Rijsbergen 1975°",
    "hmnc": "Burduk 2020; Burduk 2020, Eq. 11",
    "mcc": "https://doi.org/10.1016/0005-2795%2875%2990109-9",
    "naish_o": r"f_{n} > 0",
    "naish_binary": r"f_{n} > 0",
    "base_rate": "the same for all classifiers of given classes",
    "michael": "neither higher nor lower is better at all class sizes",
    "rajski_distance": "smallest for the perfect classifier and for the one that is always",
    "quantity_disagreement": "smallest if as many instances are called positive as are positive",
    "unknown_l": "from 0 to 1; higher is better",
    "rand_index": "from -∞ to 1, for whole counts from 0 to 1; largest for",
    AWAY: r"$$\Phi_{t_n} + \Phi_{t_p} - 1$$",
    "precision": "Undefined or infinite where these are 0: fp and tp.",
}
"""Contents of places: sources with a DOI or a place, cases at zero, the range and what is good."""


def test_what_places_say(sections):
    for label, said in SAID.items():
        assert said in sections[label], label
    for said in (r"$$\rho_{t_p}$$", "- confidence (association rules: "):
        assert said in sections["precision"]
    assert "the value may depend on the class sizes" in sections["precision"]
    # A place away from home has name, formula, source and link.
    assert "## True skill statistic" in sections[AWAY]
    assert "in full under class imbalance: [Youden's J](#youden_j)" in sections[AWAY]
    source = "[Allouche et al. 2006](https://doi.org/10.1111/j.1365-2664.2006.01214.x)"
    assert f"- true skill statistic ({source}" in sections[AWAY]


def test_families_have_their_formulas_and_members():
    text = dict(further_pages())["families"]
    for family in FAMILIES.values():
        assert f"\n## {family.name}\n" in text
        assert all(f"](#{key})" in text for key in family.members)
    assert r"T_{\alpha, \beta} = \frac{t_{p}}{\alpha f_{p} + \beta f_{n} + t_{p}}" in text


def test_sources_are_listed_once_each_as_seen_or_not():
    text = dict(further_pages())["sources"]
    seen, unverified = text.split("\n## Unverified publications\n")
    for citation, reference in REFERENCES.items():
        start = f"\n- [{citation}](" if reference.doi else f"\n- {citation}"
        assert (start in seen) == reference.verified
        assert (f"\n- {citation}, for `" in unverified) != reference.verified
    assert f"Of {len(REFERENCES)} publications" not in text
    assert text.count("\n- ") == 4 + len(REFERENCES)


@pytest.mark.parametrize("key", ATLAS)
def test_the_printed_formula_is_the_measure_at_zeros_too(key, sections):
    formula = sympy.sympify(ATLAS[key](matrix_in_paper_notation()))
    assert f"$${sympy.latex(formula)}$$" in sections[key]
    with np.errstate(all="ignore"):
        values = np.broadcast_to(ATLAS[key](ConfusionMatrix(tp=TP, fp=FP, fn=FN, tn=TN)), TP.shape)
    defined = np.isfinite(values)
    plain = printed_values(formula, np.log)
    np.testing.assert_array_equal(np.isfinite(plain) & ~defined, False)
    wrong = ~np.isclose(plain[defined], values[defined], rtol=1e-7, atol=1e-7)
    assert wrong.any() == (r"Here $0 \log x$ is 0" in sections[key])
    with_zeros = printed_values(formula, logarithm)
    np.testing.assert_allclose(with_zeros[defined], values[defined], rtol=1e-7, atol=1e-7)
