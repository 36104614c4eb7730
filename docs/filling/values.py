"""Numbers of the pages, computed from the tables of a run by one function per study.

`VALUES` has the functions by the study's name. Each takes the folder of the results and returns
numbers by name; the page writes ``study.name``. Numbers that need no run belong to `package`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from skewproof import ConfusionMatrix, get_metric
from skewproof.audits.auditing import nearest_metrics
from skewproof.audits.choosing.clusterings import adjusted_rand
from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES, RankingModel
from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.curves import chance_area
from skewproof.metrics import METRICS, bounded, f1, f1_i, mcc
from skewproof.metrics.atlas import CATALOG
from skewproof.operating_points.demands import UNDIRECTED
from skewproof.operating_points.optimum import FLAT
from skewproof.probabilities import binormal_score
from skewproof.sensitivity import exact_indices
from skewproof_studies.atlas.report import RARE_EVENTS, kept_orderings, same_for_equal_positives
from skewproof_studies.burduk.claim import claim_in_the_tables
from skewproof_studies.burduk.tables import classifier_rows
from skewproof_studies.choices.points import Chosen
from skewproof_studies.choices.report import (
    BETWEEN,
    EVERYTHING,
    NOTHING,
    STAYS,
    fates,
    group_counts,
    support_counts,
)
from skewproof_studies.mullick.conditions.report import verdicts
from skewproof_studies.mullick.example_1 import fitting_half_distances
from skewproof_studies.mullick.experiment.report import chance_table
from skewproof_studies.tharwat.claims import adjusted_g_mean_of_shares_shifts
from skewproof_studies.van_zyl.paper_tables.comparison import (
    implied_types,
    scores_met_by_rounding,
)
from skewproof_studies.van_zyl.real_data.comparison import residuals
from skewproof_studies.van_zyl.real_data.folds import fold_means, scores
from skewproof_studies.van_zyl.verdicts.robustness import exchanges_by_choice

Values = dict[str, float]

FATE_NAMES = {NOTHING: "nothing", BETWEEN: "between", STAYS: "stays", EVERYTHING: "everything"}


def places(report: Path) -> int:
    """Count the discrepancies of a report."""
    return sum(line.startswith("## ") for line in report.read_text(encoding="utf-8").splitlines())


def van_zyl(results: Path) -> Values:
    """Return the numbers of the default target and of `conclusions`."""
    return (
        _printed_numbers(pd.read_csv(results / "comparison.csv", dtype={"printed": str}))
        | _sampling_errors(results)
        | _orders(results)
        | {"discrepancies": places(results / "discrepancies.md")}
    )


def _printed_numbers(comparison: pd.DataFrame) -> Values:
    appendix = comparison["table"].str.startswith("a")
    scores = comparison[appendix & comparison["column"].isin(["tp", "fp"])]
    missed = scores[~scores["exact_agrees"].astype(bool)]
    half_widths = appendix & comparison["column"].str.endswith("half_width", na=False)
    deviations = comparison[comparison["table"] == "7"]
    return {
        "printed": len(comparison),
        "agreeing": comparison["agrees"].astype(bool).sum(),
        "scores": len(scores),
        "exact_scores": scores["exact_agrees"].astype(bool).sum(),
        **{f"exact_scores.{rule}": met for rule, met in scores_met_by_rounding(comparison).items()},
        "sampled_scores": scores["agrees"].astype(bool).sum(),
        "missed_score": missed["exact"].max(),
        "ratios": (appendix & (comparison["column"] == "ratio")).sum(),
        "half_widths": half_widths.sum(),
        "zeros": (deviations["printed"].astype(float) == 0).sum(),
        "sigma_of_f1": float(
            deviations.set_index(["metric", "column"]).loc[("f1", "1:100"), "computed"]
        ),
        "types": (comparison["table"] == "8").sum(),
        "types_of_table_5": implied_types(comparison)["6"],
    }


def _sampling_errors(results: Path) -> Values:
    widths = pd.read_csv(results / "half_widths.csv")
    scrambles = pd.read_csv(results / "scrambles.csv").iloc[0]
    rejected = widths[widths["metric"] == scrambles["metric"]]
    ratios = widths["s1_conf"] / widths["error"]
    return {
        "scramble_pairs": scrambles["pairs"],
        "rejections": scrambles["rejections"],
        "median_half_width": widths["s1_conf"].median(),
        "median_error": widths["error"].median(),
        "largest_error": widths["error"].max(),
        "median_ratio": ratios.median(),
        "quarter_of_ratios": ratios.quantile(0.25),
        "least_ratio": ratios.min(),
        "error_of_rejected": rejected["error"].max(),
    }


def _orders(results: Path) -> Values:
    orderings = pd.read_csv(results / "orderings.csv")
    judged = pd.read_csv(results / "verdicts.csv")
    pairs = exchanges_by_choice(pd.read_csv(results / "robustness.csv", dtype={"value": str}))
    metrics = judged.drop_duplicates("metric")["symbolic"]
    kinds = orderings.groupby("ordering").size()
    return {
        "robust": (metrics == "same").sum(),
        "moved": (metrics == "differs").sum(),
        "orderings": len(kinds),
        "orderings_of_one": (kinds == 1).sum(),
        "pairs": pairs["pairs"].max(),
        "exchanged_pairs": pairs["exchanged"].max(),
        "exchanged_pairs_of_grids": pairs.query("choice != 'positives'")["exchanged"].max(),
    }


def _likeness(metric: Metric, other: str) -> float:
    (found,) = [row for row in nearest_metrics(metric) if row["metric"] == other]
    return found["rank_correlation"]


def burduk(results: Path) -> Values:
    """Return the numbers of `burduk`."""
    folder = results / "burduk"
    comparison = pd.read_csv(folder / "comparison.csv")
    claimed = pd.concat(
        claim_in_the_tables(classifier_rows(1000, negatives)) for negatives in (10, 100, 250)
    )
    values = {
        "printed": len(comparison),
        "agreeing": comparison["agrees"].sum(),
        "discrepancies": places(folder / "discrepancies.md"),
        "pairs": len(claimed),
        "pairs_as_claimed": claimed["holds"].sum(),
        "likeness_of_g_mean": _likeness(get_metric("hmnc"), "g_mean"),
    }
    border = pd.read_csv(folder / "border.csv").query("scale == 'rates'")
    for row in border.itertuples():
        values[f"border_{row.reacts_to_majority}.{row.imbalance_ratio}"] = row.holds
    shares = pd.read_csv(folder / "claim_shares.csv").query("metric == 'every'")
    regions = {"u > IR": "above_border", "u < IR": "below_border", "u > 1/2": "above_half"}
    for row in shares[shares["region"].isin(regions)].itertuples():
        values[f"{regions[row.region]}.{row.imbalance_ratio}"] = row.both
    return values


def tharwat(results: Path) -> Values:
    """Return the numbers of `tharwat`."""
    folder = results / "tharwat"
    examples = pd.read_csv(folder / "examples.csv")
    claims = pd.read_csv(folder / "invariance.csv").dropna(subset="agrees")
    by_measure = claims.groupby("measure")["agrees"].agg(lambda of: of.astype(bool).all())
    shifts = pd.read_csv(folder / "adjusted_g_mean.csv").groupby("positives")["largest_shift"].max()
    total = pd.read_csv(folder / "total_area.csv")
    areas = pd.read_csv(folder / "areas.csv")
    return {
        "printed": len(examples),
        "agreeing": examples["agrees"].astype(bool).sum(),
        "claims": len(by_measure),
        "claims_that_hold": by_measure.sum(),
        "auc": areas.query("area == 'roc'")["exact"].max(),
        "discrepancies": places(folder / "discrepancies.md"),
        **{f"agm_shift.{positives}": shift for positives, shift in shifts.items()},
        **{f"auc_total.{row.sizes.replace(':', '_')}": row.auc_total for row in total.itertuples()},
    }


def survey(results: Path) -> Values:
    """Return the numbers of `survey`."""
    folder = results / "survey"
    values = {"discrepancies": float(places(folder / "discrepancies.md"))}
    clusters = pd.read_csv(folder / "cluster_indices.csv").query("input == 'smaller'")
    for row in clusters[clusters["level"] == "1:1000"].itertuples():
        values[f"small_cluster.{row.measure}"] = row.st
    for kind in ("cluster", "ranking"):
        shifts = pd.read_csv(folder / f"{kind}_shifts.csv")
        for row in shifts[shifts["level"].isin(["1:1", "1:1000"])].itertuples():
            name = f"{row.measure}.{row.level.replace(':', '_')}"
            values[f"mean.{name}"] = row.mean
            values[f"shift.{name}"] = row.mean_shift
            if kind == "ranking":
                values[f"perfect.{name}"] = row.perfect
    for row in pd.read_csv(folder / "ranking_indices.csv").itertuples():
        values[f"s1.{row.measure}.{row.input}"] = row.s1
    return values


def real_data(results: Path) -> Values:
    """Return the numbers of `real_world`, with the data sets D2 and D4."""
    comparison = pd.read_csv(
        results / "real_world_comparison.csv", dtype={"table": str, "printed": str}
    )
    comparison = comparison[comparison["column"].isin(["D2", "D4"])]
    computed = comparison[comparison["table"] == "11"].dropna(subset="agrees")
    matrices = pd.concat(
        pd.read_csv(results / f"real_world/{dataset}/fold_matrices.csv").assign(dataset=dataset)
        for dataset in ("D2", "D4")
    )
    means = fold_means(scores(matrices, list(computed["row"].unique()), registry=METRICS))
    found = residuals(comparison, means)
    of_thyroid = comparison.query("table == '11' and column == 'D2'").set_index("row")["printed"]
    values = {
        "printed_f1_less_f1_i.d2": abs(float(of_thyroid["f1"]) - float(of_thyroid["f1_i"])),
        "values": len(computed),
        "agreeing": computed["agrees"].astype(bool).sum(),
        "below": found["below"].sum(),
        "independent": found["independent"].max(),
        "independent_of_all": found["independent"].sum(),
    }
    for cut, name in (("half", "ranking_flips"), ("moved", "ranking_flips_moved")):
        table = pd.read_csv(results / f"{name}.csv").dropna(subset="modified")
        for dataset, rows in table.groupby(table["dataset"].str.lower()):
            values[f"variants.{dataset}"] = len(rows)
            values[f"flips.{cut}.{dataset}"] = rows["flips"].astype(bool).sum()
            confidences = rows.set_index("metric")["flip_confidence"]
            values |= {f"sure.{cut}.{dataset}.{key}": sure for key, sure in confidences.items()}
            values[f"sure.{cut}.{dataset}.fifth"] = confidences.nsmallest(5).max()
            values[f"sure.{cut}.{dataset}.least"] = confidences.min()
    return values


def shuffles(results: Path) -> Values:
    """Return the numbers of `shuffle_search`."""
    table = pd.read_csv(results / "shuffle_search.csv", dtype={"random_state": str})
    worst = table.groupby("random_state")["distance"].max()
    values = {
        "tried": table["random_state"].nunique(),
        "found": (table["matched"] == table["values"]).sum(),
        "common_seed": float(worst.idxmin()),
        "common_distance": worst.min(),
    }
    for dataset, rows in table.groupby(table["dataset"].str.lower()):
        best = rows.loc[rows["distance"].idxmin()]
        values[f"seed.{dataset}"] = float(best["random_state"])
        values[f"matched.{dataset}"] = best["matched"]
        values[f"distance.{dataset}"] = best["distance"]
        values[f"median.{dataset}"] = rows["distance"].median()
    return values


def mullick(results: Path) -> Values:
    """Return the numbers of `mullick`."""
    folder = results / "mullick"
    conditions = pd.read_csv(folder / "conditions.csv")
    stated = verdicts(conditions)[["satisfied", "paper"]].dropna()
    values = {
        "statements": len(stated),
        "statements_met": (stated["satisfied"] == stated["paper"]).sum(),
        "discrepancies": places(folder / "discrepancies.md"),
    }
    for row in conditions.query("condition == 2 and sizes == 'equal'").itertuples():
        values[f"lowest.{row.index}.{row.classes}"] = row.low
    for row in conditions.query("condition == 3 and sizes == 'any'").itertuples():
        values[f"limit.{row.index}.{row.classes}"] = row.limit
    crossings = pd.read_csv(folder / "forgetting.csv").dropna(subset="ratio")
    for row in crossings[::-1].itertuples():
        place = f"{row.index}.{row.classes}.{row.shape}".replace(" ", "_")
        values[f"crossing.{place}.{row.direction.split()[0]}"] = row.ratio
    return values


def experiment(results: Path) -> Values:
    """Return the numbers of `mullick_experiment`."""
    folder = results / "mullick/experiment"
    variability = pd.read_csv(folder / "variability.csv")
    times = chance_table(variability)
    moving, others = times[times["dependent"]], times[~times["dependent"]]
    values = {
        "problems": variability["problem"].nunique(),
        "others_at_most": others["largest"].max(),
        "others_at_most_of_many": others.query("classes == 'more'")["largest"].max(),
    }
    for row in moving.query("classes == 'more'").itertuples():
        key = row.index.lower().replace("-", "_")
        values |= {f"{key}.least": row.smallest, f"{key}.most": row.largest}
    return values


def atlas(results: Path) -> Values:
    """Return the numbers of `atlas`."""
    classes = pd.read_csv(results / "atlas/classes.csv")
    measures = pd.read_csv(results / "atlas/measures.csv")
    names = {
        (name.community, name.name) for key in classes["measure"] for name in CATALOG[key].names
    }
    verdicts, orders = classes["verdict"], classes["order_invariant"]
    values = {
        "names": float(len(names)),
        "communities": len({community for community, _ in names}),
        "measures": len(classes),
        "values": classes["equal"].nunique(),
        "affine": classes["affine"].nunique(),
        "undecided.values": classes["equal"].isna().sum(),
        "undecided.affine": classes["affine"].isna().sum(),
        "same": (verdicts == "same").sum(),
        "same_for_equal_positives": len(same_for_equal_positives(measures)),
        "differs": (verdicts == "differs").sum(),
        "order_invariant": (orders == "yes").sum(),
        "order_undecided": (orders == "undecided").sum(),
        "kept": len(kept_orderings(measures)),
    }
    for level in ("1_1", "1_100"):
        values[f"orderings.{level}"] = classes[f"ordering_{level}"].nunique()
        values[f"undecided.{level}"] = classes[f"ordering_{level}"].isna().sum()
    values |= label_errors(pd.read_csv(results / "atlas/label_errors.csv"))
    shifts = measures[measures["level"] == "1:1000"].set_index("measure")["mean_shift"]
    return values | {f"shift.{key}": shifts[key] for key in RARE_EVENTS}


def label_errors(shares: pd.DataFrame) -> Values:
    """Count the measures with more than half of the variance due to the labels."""
    values = {}
    for level, part in shares.groupby("level"):
        groups = part.pivot(index="measure", columns="input", values=["s1", "st"]).dropna()
        place = f"label_errors.{level.replace(':', '_')}"
        values |= {
            f"{place}.resolved": len(groups),
            f"{place}.part_in_half": (groups["st", "labels"] > 1 / 2).sum(),
            f"{place}.more": (groups["s1", "labels"] > groups["s1", "classifier"]).sum(),
        }
    return values


def choices(results: Path) -> Values:
    """Return the numbers of `choices`."""
    folder = results / "choices"
    values: Values = {}
    for of, place in (("metrics", folder), ("atlas", folder / "atlas")):
        tables = Chosen(*(pd.read_csv(place / f"{name}.csv") for name in Chosen._fields))
        found = fates(tables.points, tables.limits)
        groups = group_counts(pd.read_csv(place / "groups.csv", keep_default_na=False))
        stays = found[found["fate"] == STAYS].groupby("metric").size()
        values |= {f"{of}.{name}": number for name, number in groups.items()}
        values |= {f"{of}.{name}": n for name, n in support_counts(tables.limits).items()}
        values |= {
            f"{of}.examined": len({*tables.points["metric"], *tables.missing["metric"]}),
            f"{of}.with_points": tables.points["metric"].nunique(),
            f"{of}.stay": (stays == found["curve"].nunique()).sum(),
            f"{of}.jump": tables.points.dropna(subset="jumps_at")["metric"].nunique(),
        }
        reasons = tables.missing.drop_duplicates("metric")["reason"]
        values[f"{of}.undirected"] = reasons.str.endswith(UNDIRECTED).sum()
        values[f"{of}.flat"] = reasons.str.endswith(FLAT).sum()
        for fate, name in FATE_NAMES.items():
            for curve, part in found[found["fate"] == fate].groupby("curve"):
                values[f"{of}.{name}.{curve}"] = len(part)
    points = pd.read_csv(folder / "points.csv").query("curve == 'd2'")
    for row in points.itertuples():
        values[f"tpr.{row.metric}.{row.level.replace(':', '_')}"] = row.tpr
        values[f"alarms.{row.metric}.{row.level.replace(':', '_')}"] = row.alarms_per_hit
    for row in pd.read_csv(folder / "limits.csv").itertuples():
        values[f"limit.{row.metric}.{row.curve}"] = row.tpr
    return values


def at_rates(key: str, tpr: float, fpr: float) -> float:
    """Return the value of a metric of the rates."""
    return float(get_metric(key)(ConfusionMatrix.from_rates(tpr, fpr, positives=1, negatives=1)))


def package(results: Path) -> Values:
    """Return the numbers of functions of the package, without a run."""
    balanced, rare = (
        ConfusionMatrix.from_rates(0.9, 0.01, positives=100, negatives=negatives)
        for negatives in (100, 100_000)
    )
    infinite = ConfusionMatrix.from_rates(0.8, 0.2, positives=1, negatives=1)
    clusters = np.repeat([0, 1], 10)
    one_error_in_each = np.roll(clusters, 1)
    lists, ndcg = RankingModel(items=10_010, k=10), RANKING_MEASURES["ndcg"]
    fitting = fitting_half_distances()
    rates, level = Level.parse("1:1"), Level.parse("1:1000")
    (shift,) = adjusted_g_mean_of_shares_shifts([level], rates, 100)["largest_shift"]
    kappa = bounded(get_metric("cohen_kappa"))
    example = ConfusionMatrix(tp=80, fp=300, fn=20, tn=99_700)
    s1 = exact_indices([get_metric("accuracy"), get_metric("iba")], positives=1, negatives=2).s1
    return {
        "accuracy_s1.1_2": s1[0, 0],
        "iba.no_false_alarms": at_rates("iba", 0.2, 0),
        "iba.many_false_alarms": at_rates("iba", 0.2, 0.3),
        "optimized_precision_i.fewer_hits": at_rates("optimized_precision_i", 0.3, 0.7),
        "optimized_precision_i.more_hits": at_rates("optimized_precision_i", 0.7, 0.7),
        "iba_s1": s1[1, 0],
        "example.f1": f1(example),
        "example.f1_i": f1_i(example),
        "alarms_for_a_hit.1_1": balanced.fp / balanced.tp,
        "alarms_for_a_hit.1_1000": rare.fp / rare.tp,
        "precision.1_1000": rare.ppv,
        "mcc.1_1": mcc(ConfusionMatrix.from_rates(0.9, 0.1, positives=1000, negatives=1000)),
        "mcc.1_1000": mcc(ConfusionMatrix.from_rates(0.9, 0.1, positives=1, negatives=1000)),
        "lists_without_relevant": np.exp(-10),
        "ari_of_infinite_clusters": CLUSTER_MEASURES["adjusted_rand"](infinite),
        "ari_of_ten_and_ten": adjusted_rand(clusters, one_error_in_each),
        "ndcg.auc_0.99": lists.value(ndcg, 0.99, 1000),
        "ndcg.auc_0.999": lists.value(ndcg, 0.999, 1000),
        "half_distance.low": fitting.low,
        "half_distance.high": fitting.high,
        "agm_of_shares_shift": shift,
        "chance_ap.5_50": chance_area("average_precision", 5, 50),
        "prevalence.5_50": 5 / 55,
        "brier_skill.1_1": binormal_score("brier_skill", "1:1", mean=2),
        "brier_skill.1_1000": binormal_score("brier_skill", "1:1000", mean=2),
        "brier_skill_left_alone.1_1000": binormal_score(
            "brier_skill", "1:1000", mean=2, trained="1:1"
        ),
        "log_loss_skill.1_1": binormal_score("log_loss_skill", "1:1", mean=2),
        "log_loss_skill.1_1000": binormal_score("log_loss_skill", "1:1000", mean=2),
        "lowest_kappa": kappa(ConfusionMatrix(tp=0, fp=1000, fn=1, tn=0)),
    }


VALUES: dict[str, Callable[[Path], Values]] = {
    one.__name__: one
    for one in (
        van_zyl,
        real_data,
        shuffles,
        burduk,
        mullick,
        experiment,
        survey,
        tharwat,
        atlas,
        choices,
        package,
    )
}
