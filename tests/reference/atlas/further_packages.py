"""Values by packages of rules, of words, of faults in programs, of images and of tensors."""

import numpy as np


def labels(tp, fp, fn, tn):
    """Make true and predicted labels."""
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


def interest_measures_values(tp, fp, fn, tn):
    from functools import cached_property

    from interest_measures import InterestMeasures

    total = tp + fp + fn + tn
    shares = ([cell / total] for cell in (tp + fp, tp + fn, tp))
    found = InterestMeasures(*shares, total)
    names = [name for name, kind in vars(InterestMeasures).items() if type(kind) is cached_property]
    return {name: float(getattr(found, name)[0]) for name in names}


def association_measures_values(tp, fp, fn, tn):
    import pandas as pd
    from association_measures import measures

    sizes = {"R1": tp + fp, "R2": fn + tn, "C1": tp + fn, "C2": fp + tn, "N": tp + fp + fn + tn}
    cells = {"O11": tp, "O12": fp, "O21": fn, "O22": tn}
    rows, columns = ("R1", "R1", "R2", "R2"), ("C1", "C2", "C1", "C2")
    chance = {
        f"E{cell[1:]}": sizes[row] * sizes[column] / sizes["N"]
        for cell, row, column in zip(cells, rows, columns, strict=True)
    }
    table = pd.DataFrame([cells | sizes | chance])
    names = ("z_score", "t_score", "min_sensitivity", "liddell", "dice")
    found = {name: getattr(measures, name)(table) for name in names}
    for name in ("log_likelihood", "simple_ll"):
        found[name] = getattr(measures, name)(table, signed=False)
    return {name: float(value.iloc[0]) for name, value in found.items()}


def sflkit_values(tp, fp, fn, tn):
    from sflkit.analysis.spectra import DummySpectrum, Spectrum

    spectrum = DummySpectrum("", 0, fp, tn, tp, fn)
    names = [name for name in vars(Spectrum) if name[0].isupper()] + ["qe"]
    return {name: float(getattr(spectrum, name)()) for name in names}


def miseval_values(tp, fp, fn, tn):
    from miseval import mcc, volumetric_similarity

    true, called = labels(tp, fp, fn, tn)
    found = {name: getattr(mcc, name)(true, called) for name in vars(mcc) if "MCC_" in name}
    name = "calc_VolumetricSimilarity"
    return found | {name: getattr(volumetric_similarity, name)(true, called)}


def torchmetrics_values(tp, fp, fn, tn):
    import torch
    from torchmetrics import classification, clustering, nominal
    from torchmetrics.segmentation import MeanIoU

    # It divides in float32; only doubles distinguish formulas.
    torch.Tensor.float = torch.Tensor.double
    torch.set_default_dtype(torch.float64)
    true, called = map(torch.tensor, labels(tp, fp, fn, tn))
    named = {
        f"Binary{name}": (getattr(classification, f"Binary{name}")(), called)
        for name in (
            *("Accuracy", "CohenKappa", "F1Score", "HammingDistance", "JaccardIndex", "Precision"),
            *("MatthewsCorrCoef", "NegativePredictiveValue", "Recall", "Specificity"),
        )
    }
    for name in ("AUROC", "AveragePrecision", "CalibrationError", "EER"):
        named[f"Binary{name}"] = getattr(classification, f"Binary{name}")(), called.double()
    named["BinaryFBetaScore beta=2"] = classification.BinaryFBetaScore(beta=2.0), called
    for name in ("CramersV", "TschuprowsT"):
        named[name] = getattr(nominal, name)(num_classes=2, bias_correction=False), called
    for name in ("PearsonsContingencyCoefficient", "TheilsU"):
        named[name] = getattr(nominal, name)(num_classes=2), called
    for name in ("AdjustedRand", "Completeness", "Homogeneity", "MutualInfo", "Rand", "VMeasure"):
        named[f"{name}Score"] = getattr(clustering, f"{name}Score")(), called
    for name in ("FowlkesMallowsIndex", "NormalizedMutualInfoScore"):
        named[name] = getattr(clustering, name)(), called
    found = {name: float(metric(given, true)) for name, (metric, given) in named.items()}
    images = called[None], true[None]
    found["MeanIoU"] = float(MeanIoU(num_classes=2, input_format="index")(*images))
    return found


FURTHER = {
    "interest-measures": interest_measures_values,
    "association-measures": association_measures_values,
    "sflkit": sflkit_values,
    "miseval": miseval_values,
    "torchmetrics": torchmetrics_values,
}
