"""Does a classification metric still mean the same thing when the classes are imbalanced?

The modules, in the order in which a number passes through them: :mod:`~skewproof.core.confusion`,
:mod:`~skewproof.core.metric`, :mod:`~skewproof.core.normalize`, :mod:`~skewproof.metrics`,
:mod:`~skewproof.core.levels`, :mod:`~skewproof.sensitivity.saltelli`, :mod:`~skewproof.sensitivity.sampled`,
:mod:`~skewproof.sensitivity.exact`, :mod:`~skewproof.sensitivity.sweep`, :mod:`~skewproof.sensitivity.convergence`,
:mod:`~skewproof.sensitivity.welch`, :mod:`~skewproof.sensitivity.surfaces`, :mod:`~skewproof.sensitivity.types`,
:mod:`~skewproof.studies.van_zyl.setting`, :mod:`~skewproof.studies.van_zyl.tables`, :mod:`~skewproof.studies.van_zyl.comparison`,
:mod:`~skewproof.reporting.contour_plot`, :mod:`~skewproof.studies.van_zyl.index_figures`; for the verdicts :mod:`~skewproof.sensitivity.invariance`,
:mod:`~skewproof.sensitivity.replicates`, :mod:`~skewproof.sensitivity.surface_shift`, :mod:`~skewproof.studies.van_zyl.robustness`,
:mod:`~skewproof.studies.van_zyl.verdicts`, :mod:`~skewproof.studies.van_zyl.discrepancies`, :mod:`~skewproof.studies.van_zyl.verdict_figures`.
On labels work :mod:`~skewproof.practice.scoring`, :mod:`~skewproof.practice.thresholds`,
:mod:`~skewproof.practice.prevalence` and :mod:`~skewproof.practice.uncertainty`; a user's own metric is read and
examined by :mod:`~skewproof.core.formulas`, :mod:`~skewproof.sensitivity.ranges`, :mod:`~skewproof.practice.own_metrics`,
:mod:`~skewproof.practice.audit` and :mod:`~skewproof.cli`. The survey's other measures are in
:mod:`skewproof.absolute`. :mod:`~skewproof.config` checks a study before
its first stage, :mod:`~skewproof.core.symbolic` writes metrics as formulas and the page of all of them.
None imports a later one, and importing the package imports none of them.
"""
