# A job takes longer to start than to draw one figure; a new metric redraws its batch only.
for batch, metrics in enumerate(batches(studied_metrics(config), size=8), start=1):

    rule:
        name:
            f"contour_figures_{batch}"
        input:
            modules=script_modules("contour_figures"),
        output:
            expand(
                "figures/contours/{metric}.{format}",
                metric=metrics,
                format=config["figures"]["formats"],
            ),
        log:
            f"logs/contour_figures/{batch}.log",
        priority: -1  # nothing waits for these: they fill the cores when the chain is done
        conda:
            "../../environment.yml"
        params:
            metrics=metrics,
            extra_metrics=config["extra_metrics"],
            levels=config["levels"],
            positives=config["positives"],
            grid=config["contours"]["grid"],
        message:
            "Drawing the contours of {params.metrics}"
        script:
            "../scripts/contour_figures.py"
