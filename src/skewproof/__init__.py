"""Does a classification metric still mean the same thing when the classes are imbalanced?

The modules, in the order in which a number passes through them: :mod:`~skewproof.confusion`,
:mod:`~skewproof.registry`, :mod:`~skewproof.normalize`, :mod:`~skewproof.metrics`,
:mod:`~skewproof.levels`, :mod:`~skewproof.design`, :mod:`~skewproof.indices`,
:mod:`~skewproof.quadrature`, :mod:`~skewproof.sweep`, :mod:`~skewproof.convergence`,
:mod:`~skewproof.significance`, :mod:`~skewproof.contours`, :mod:`~skewproof.behavior`,
:mod:`~skewproof.paper`, :mod:`~skewproof.tables`, :mod:`~skewproof.comparison`,
:mod:`~skewproof.figures`, :mod:`~skewproof.curves`; for the verdicts :mod:`~skewproof.invariance`,
:mod:`~skewproof.replication`, :mod:`~skewproof.shift`, :mod:`~skewproof.robustness`,
:mod:`~skewproof.verdicts`, :mod:`~skewproof.discrepancies`, :mod:`~skewproof.overviews`.
On labels work :mod:`~skewproof.scoring`, :mod:`~skewproof.threshold_curves`,
:mod:`~skewproof.projection` and :mod:`~skewproof.uncertainty`; a user's own metric is read and
examined by :mod:`~skewproof.formulas`, :mod:`~skewproof.ranges`, :mod:`~skewproof.extra`,
:mod:`~skewproof.audit` and :mod:`~skewproof.cli`. The survey's other measures are in
:mod:`skewproof.absolute`. :mod:`~skewproof.config` checks a study before
its first stage, :mod:`~skewproof.catalog` writes metrics as formulas and the page of all of them.
None imports a later one, and importing the package imports none of them.
"""
