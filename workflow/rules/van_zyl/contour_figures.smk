from skewproof_studies.van_zyl.config import drawn_metrics

# A job takes longer to start than to draw one figure.
FIGURES_A_JOB = 8
DRAWN = drawn_metrics(config)
CONTOUR_FIGURES = expand(
    "figures/contours/{metric}.{format}", metric=DRAWN, format=config["figures"]["formats"]
)

for batch, members in METRIC_BATCHES.items():
    drawn = [metric for metric in members if metric in DRAWN]
    for first in range(0, len(drawn), FIGURES_A_JOB):
        metrics = drawn[first : first + FIGURES_A_JOB]

        rule:
            name:
                f"contour_figures_{batch}_{first}"
            input:
                definitions=own_files(metrics),
            output:
                [
                    formats(f"figures/contours/{metric}", "figures/contours", content=metric)
                    for metric in metrics
                ],
            log:
                f"logs/contour_figures/{batch}_{first}.log",
            priority: -1  # no job waits for these; they fill idle cores
            params:
                metrics=metrics,
                own_metrics=own_metrics(metrics),
                levels=config["levels"],
                positives=config["positives"],
                grid=config["contours"]["grid"],
                made_from=made_from("levels", "positives", "contours.grid"),
            message:
                "Drawing the contours of {params.metrics}"
            script:
                "../../scripts/van_zyl/contour_figures.py"
