"""Values of measures by other packages, whose formulas are theirs alone.

``python -m reference.atlas.package_values > reference/atlas/package_values.csv``, in ``tests``,
takes a minute where pycm, scikit-learn, imbalanced-learn, scipy, statsmodels, scores, verif,
abydos, binsdpy, nltk, mlxtend, irrCAC, zepid, pysubgroup, rdkit, interest-measures,
association-measures, sflkit, miseval and torchmetrics are installed. A row is a function of a
package, a column a matrix, "tp fp fn tn". The calls are the exposed, the rule's condition, the rows
and the first of two sets; the truth is the diseased, the conclusion, the columns and the second
set.
"""

import collections.abc
import contextlib
import csv
import inspect
import math
import random
import sys
import warnings
from importlib.metadata import version

import numpy as np
from reference.atlas.further_packages import FURTHER, labels

COUNT = 20


def drawn_matrices():
    """List the matrix of the tests by hand, and random ones of all sizes and quality."""
    source = random.Random(19)
    matrices = [(9, 4, 3, 20)]
    while len(matrices) < COUNT:
        cells = tuple(round(10 ** source.uniform(0, 3)) for _ in range(4))
        tp, fp, fn, tn = cells
        if tp * tn != fp * fn and fp != fn and tp + fn != fp + tn and tp != tn:
            matrices.append(cells)
    return matrices


def pycm_values(tp, fp, fn, tn):
    import pycm
    from pycm import ConfusionMatrix, DistanceType

    matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
    found = {key: value[1] for key, value in matrix.class_stat.items()}
    found |= matrix.overall_stat
    found["Overall J"] = found["Overall J"][0]
    found |= {f"distance {kind.name}": matrix.distance(kind)[1] for kind in DistanceType}
    found["sensitivity_index"] = matrix.sensitivity_index()[1]
    found["NB w=1"] = matrix.NB()[1]
    found["NB w=1/9"] = matrix.NB(w=1 / 9)[1]
    found["TI alpha=0.7 beta=0.3"] = matrix.TI(alpha=0.7, beta=0.3)[1]
    found["IBA_alpha 0.5"] = matrix.IBA_alpha(0.5)[1]
    assert pycm.__version__ == version("pycm")
    return found


def scikit_learn_values(tp, fp, fn, tn):
    from sklearn import metrics

    true, called = labels(tp, fp, fn, tn)
    averaged = [f"{name}_score" for name in ("precision", "recall", "f1", "jaccard")]
    found = {name: getattr(metrics, name)(true, called) for name in averaged}
    for kind in ("macro", "micro", "weighted"):
        for name in averaged:
            found[f"{name} {kind}"] = getattr(metrics, name)(true, called, average=kind)
    for name in (
        *("accuracy_score", "balanced_accuracy_score", "cohen_kappa_score", "matthews_corrcoef"),
        *("zero_one_loss", "hamming_loss", "brier_score_loss", "d2_brier_score", "rand_score"),
        *("adjusted_rand_score", "homogeneity_score", "completeness_score", "v_measure_score"),
        *("mutual_info_score", "fowlkes_mallows_score", "average_precision_score"),
        *("roc_auc_score", "r2_score", "d2_absolute_error_score", "mean_absolute_error"),
        "root_mean_squared_error",
    ):
        found[name] = getattr(metrics, name)(true, called)
    found["balanced_accuracy_score adjusted"] = metrics.balanced_accuracy_score(
        true, called, adjusted=True
    )
    found["f1_score pos_label=0"] = metrics.f1_score(true, called, pos_label=0)
    for beta in (2, 0.5):
        found[f"fbeta_score beta={beta}"] = metrics.fbeta_score(true, called, beta=beta)
    for kind in ("arithmetic", "geometric", "min", "max"):
        found[f"normalized_mutual_info_score {kind}"] = metrics.normalized_mutual_info_score(
            true, called, average_method=kind
        )
    ratios = metrics.class_likelihood_ratios(true, called)
    found["class_likelihood_ratios positive"], found["class_likelihood_ratios negative"] = ratios
    return found


def imbalanced_learn_values(tp, fp, fn, tn):
    from imblearn import metrics

    true, called = labels(tp, fp, fn, tn)
    balanced = metrics.make_index_balanced_accuracy
    averages = {
        f"geometric_mean_score {kind}": metrics.geometric_mean_score(true, called, average=kind)
        for kind in ("macro", "micro", "weighted")
    }
    names = ("geometric_mean_score", "sensitivity_score", "specificity_score")
    found = {
        name: getattr(metrics, name)(true, called)
        for name in (*names, "macro_averaged_mean_absolute_error")
    }
    found["specificity_score weighted"] = metrics.specificity_score(
        true, called, average="weighted"
    )
    for alpha in (0.1, 1):
        score = balanced(alpha=alpha)(metrics.geometric_mean_score)
        name = f"make_index_balanced_accuracy alpha={alpha}"
        found[name] = score(true, called, average="binary")
    return averages | found


def scipy_values(tp, fp, fn, tn):
    from scipy.spatial import distance
    from scipy.stats import chi2_contingency, contingency, kendalltau, somersd

    true, called = (part.astype(bool) for part in labels(tp, fp, fn, tn))
    names = ("dice", "hamming", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
    found = {f"distance.{name}": getattr(distance, name)(called, true) for name in names}
    for name in ("cosine", "correlation", "braycurtis", "canberra", "euclidean", "cityblock"):
        found[f"distance.{name}"] = getattr(distance, name)(called * 1.0, true * 1.0)
    table = np.array([[tp, fp], [fn, tn]])
    for kind in ("cramer", "tschuprow", "pearson"):
        found[f"association {kind}"] = contingency.association(table, method=kind)
    kinds = ("pearson", "neyman", "freeman-tukey", "cressie-read")
    for kind in (*kinds, "log-likelihood", "mod-log-likelihood"):
        found[f"chi2_contingency {kind}"] = chi2_contingency(
            table, correction=False, lambda_=kind
        ).statistic
    found["chi2_contingency corrected"] = chi2_contingency(table).statistic
    found["relative_risk"] = contingency.relative_risk(tp, tp + fp, fn, fn + tn).relative_risk
    found["odds_ratio sample"] = contingency.odds_ratio(table, kind="sample").statistic
    found["somersd rows"] = somersd(table).statistic
    found["somersd columns"] = somersd(table.T).statistic
    found["kendalltau"] = kendalltau(*labels(tp, fp, fn, tn)).statistic
    return found


def statsmodels_values(tp, fp, fn, tn):
    from statsmodels.stats import contingency_tables, inter_rater, proportion

    table = np.array([[tp, fp], [fn, tn]])
    names = ("oddsratio", "riskratio", "log_oddsratio", "log_riskratio")
    found = {name: getattr(contingency_tables.Table2x2(table), name) for name in names}
    kappa = inter_rater.cohens_kappa(table)
    found |= {"cohens_kappa": kappa.kappa, "cohens_kappa max": kappa.kappa_max}
    for corrected in (False, True):
        test = contingency_tables.mcnemar(table, exact=False, correction=corrected)
        found[f"mcnemar{' corrected' * corrected}"] = test.statistic
    counts, sizes = [tp, fp], [tp + fn, fp + tn]
    found["proportions_ztest"] = proportion.proportions_ztest(counts, sizes)[0]
    for method in ("wald", "agresti-caffo"):
        found[f"test_proportions_2indep {method}"] = proportion.test_proportions_2indep(
            tp, tp + fn, fp, fp + tn, method=method, compare="diff"
        ).statistic
    return found


def scores_values(tp, fp, fn, tn):
    import xarray
    from scores.categorical import BasicContingencyManager

    cells = {"tp_count": tp, "tn_count": tn, "fp_count": fp, "fn_count": fn}
    counts = {key: xarray.DataArray(value) for key, value in cells.items()}
    counts["total_count"] = sum(counts.values())
    manager = BasicContingencyManager(counts)
    skipped = {"format_table", "get_counts", "get_table"}
    names = [name for name in dir(manager) if not name.startswith("_") and name not in skipped]
    return {
        name: float(getattr(manager, name)()) for name in names if callable(getattr(manager, name))
    }


def verif_values(tp, fp, fn, tn):
    from verif import metric

    kinds = [
        kind
        for _, kind in inspect.getmembers(metric, inspect.isclass)
        if issubclass(kind, metric.Contingency) and kind is not metric.Contingency
    ]
    return {kind.__name__: kind().compute_from_abcd(tp, fp, fn, tn) for kind in kinds}


def abydos_values(tp, fp, fn, tn):
    # abydos asks older ones for them.
    np.NINF, np.float, np.int = -np.inf, float, int
    collections.Iterable = collections.abc.Iterable
    from abydos import distance

    cards = {
        "_intersection_card": tp,
        "_src_only_card": fp,
        "_tar_only_card": fn,
        "_total_complement_card": tn,
        "_src_card": tp + fp,
        "_tar_card": tp + fn,
        "_union_card": tp + fp + fn,
        "_symmetric_difference_card": fp + fn,
        "_population_unique_card": tp + fp + fn + tn,
    }
    found = {}
    for name, kind in inspect.getmembers(distance, inspect.isclass):
        text = inspect.getsource(kind)
        if not issubclass(kind, distance._TokenDistance) or not any(card in text for card in cards):
            continue
        method = next(
            (m for m in ("corr", "sim_score", "dist_abs", "sim", "dist") if m in vars(kind)), None
        )
        if method is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                instance = kind()
                instance._tokenize = lambda *_: None
                instance._src_tokens = instance._tar_tokens = {"a": 1}
                for card, value in cards.items():
                    setattr(instance, card, lambda value=value: value)
                value = getattr(instance, method)("one", "other")
            except Exception as error:
                print(name, repr(error)[:100], file=sys.stderr)
                continue
        found[f"{name}.{method}"] = value
    shares = {card: value / cards["_population_unique_card"] for card, value in cards.items()}
    of_shares = {
        distance.GiniI: "corr",
        distance.GiniII: "corr",
        distance.GoodmanKruskalTauA: "sim",
        distance.GoodmanKruskalTauB: "sim",
        distance.Dunning: "sim_score",
    }
    for kind, method in of_shares.items():
        instance = kind()
        instance._tokenize = lambda *_: None
        for card, value in shares.items():
            setattr(instance, card, lambda value=value: value)
        found[f"{kind.__name__}.{method}"] = getattr(instance, method)("one", "other")
    return found


def binsdpy_values(tp, fp, fn, tn):
    from binsdpy import distance, similarity

    found = {}
    for module in (distance, similarity):
        module.operational_taxonomic_units = lambda *_: (tp, fp, fn, tn)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and name != "operational_taxonomic_units":
                with contextlib.suppress(ValueError, ZeroDivisionError, AttributeError, TypeError):
                    found[f"{module.__name__.split('.')[1]}.{name}"] = function(None, None)
    return found


def nltk_values(tp, fp, fn, tn):
    from nltk.metrics.association import BigramAssocMeasures

    arguments = tp, (tp + fp, tp + fn), tp + fp + fn + tn
    names = ("raw_freq", "student_t", "chi_sq", "mi_like", "pmi", "likelihood_ratio")
    names += ("poisson_stirling", "jaccard", "phi_sq", "dice")
    return {name: getattr(BigramAssocMeasures, name)(*arguments) for name in names}


def mlxtend_values(tp, fp, fn, tn):
    import pandas as pd
    from mlxtend.frequent_patterns import association_rules

    total = tp + fp + fn + tn
    sets = [frozenset(["call"]), frozenset(["truth"]), frozenset(["call", "truth"])]
    shares = np.array([tp + fp, tp + fn, tp]) / total
    rules = association_rules(
        pd.DataFrame({"support": shares, "itemsets": sets}), num_itemsets=total, min_threshold=0
    )
    row = rules[rules["antecedents"] == sets[0]].iloc[0]
    return {
        name: float(row[name]) for name in row.index if name not in ("antecedents", "consequents")
    }


def irrcac_values(tp, fp, fn, tn):
    import pandas as pd
    from irrCAC.table import CAC

    rated = CAC(pd.DataFrame([[tp, fp], [fn, tn]]))
    names = ("bp", "cohen", "gwet", "krippendorff", "pa2", "scott")
    rated.digits = 15
    return {name: getattr(rated, name)()["est"]["coefficient_value"] for name in names}


def zepid_values(tp, fp, fn, tn):
    from zepid import calc

    names = ("risk_ratio", "risk_difference", "number_needed_to_treat", "odds_ratio")
    found = {name: getattr(calc, name)(tp, fp, fn, tn)[0] for name in names}
    for name in ("attributable_community_risk", "population_attributable_fraction"):
        found[name] = getattr(calc, name)(tp, fp, fn, tn)
    return found


def pysubgroup_values(tp, fp, fn, tn):
    from pysubgroup import StandardQF

    sizes = tp + fp + fn + tn, tp + fn, tp + fp, tp
    return {f"StandardQF a={a}": StandardQF.standard_qf(a, *sizes) for a in (0, 0.5, 1)}


def rdkit_values(tp, fp, fn, tn):
    from rdkit import DataStructs

    true, called = (
        DataStructs.CreateFromBitString("".join(map(str, part))) for part in labels(tp, fp, fn, tn)
    )
    names = ("AllBit", "Asymmetric", "BraunBlanquet", "Cosine", "Dice", "Kulczynski")
    names += ("McConnaughey", "OnBit", "RogotGoldberg", "Russel", "Sokal", "Tanimoto")
    return {
        f"{name}Similarity": getattr(DataStructs, f"{name}Similarity")(called, true)
        for name in names
    }


PACKAGES = {
    "pycm": pycm_values,
    "scikit-learn": scikit_learn_values,
    "imbalanced-learn": imbalanced_learn_values,
    "scipy": scipy_values,
    "statsmodels": statsmodels_values,
    "scores": scores_values,
    "verif": verif_values,
    "abydos": abydos_values,
    "binsdpy": binsdpy_values,
    "nltk": nltk_values,
    "mlxtend": mlxtend_values,
    "irrCAC": irrcac_values,
    "zepid": zepid_values,
    "pysubgroup": pysubgroup_values,
    "rdkit": rdkit_values,
    **FURTHER,
}


def is_number(value):
    return isinstance(value, (int, float, np.number)) and math.isfinite(value)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    matrices = drawn_matrices()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["function", *(" ".join(map(str, cells)) for cells in matrices)])
    for package, values in PACKAGES.items():
        rows = [values(*cells) for cells in matrices]
        for name in sorted(set.intersection(*map(set, rows))):
            if all(is_number(row[name]) for row in rows):
                numbers = [f"{float(row[name]):.17g}" for row in rows]
                writer.writerow([f"{package} {version(package)}: {name}", *numbers])
