DATASETS = config["real_world"]["datasets"]


wildcard_constraints:
    dataset=r"[A-Za-z][A-Za-z0-9_]*",


rule data_source:
    input:
        modules=script_modules("data_source"),
    output:
        "results/real_world/{dataset}/source.csv",
    log:
        "logs/data_source/{dataset}.log",
    conda:
        "../../environment.yml"
    params:
        source=lambda wildcards: DATASETS[wildcards.dataset],
        folders=data_folders(),
        attempt=attempt,
    message:
        "Looking for the file of {wildcards.dataset}, and downloading it if need be"
    script:
        "../scripts/data_source.py"


rule fold_matrices:
    input:
        source_record,
        modules=script_modules("fold_matrices"),
    output:
        matrices="results/real_world/{dataset}/fold_matrices.csv",
        characteristics="results/real_world/{dataset}/characteristics.csv",
    log:
        "logs/fold_matrices/{dataset}.log",
    conda:
        "../../environment.yml"
    params:
        source=lambda wildcards: DATASETS[file_of(wildcards.dataset)],
        undersample=lambda wildcards: wildcards.dataset != file_of(wildcards.dataset),
        seed=config["seed"],
        logistic_regression=config["real_world"]["logistic_regression"],
        folds=config["real_world"]["folds"],
        shuffles=config["real_world"]["shuffles"],
    message:
        "Fitting logistic regressions to {wildcards.dataset}, in {params.folds} folds of"
        " 1 + {params.shuffles} shuffles; progress in {log}"
    script:
        "../scripts/fold_matrices.py"


rule label_ways:
    input:
        source_record,
        modules=script_modules("label_ways"),
    output:
        "results/real_world/{dataset}/label_ways.csv",
    log:
        "logs/label_ways/{dataset}.log",
    conda:
        "../../environment.yml"
    params:
        source=lambda wildcards: DATASETS[file_of(wildcards.dataset)],
        undersample=lambda wildcards: wildcards.dataset != file_of(wildcards.dataset),
        seed=config["seed"],
        logistic_regression=config["real_world"]["logistic_regression"],
        folds=config["real_world"]["folds"],
    message:
        "Fitting five classifiers to {wildcards.dataset}; progress in {log}"
    script:
        "../scripts/label_ways.py"


rule real_world_tables:
    input:
        modules=script_modules("real_world_tables"),
        printed=workflow_file("resources/van_zyl/printed_real_world.csv"),
        sources=[
            f"results/real_world/{dataset}/source.csv"
            for dataset in DATASETS
            if dataset == file_of(dataset)
        ],
        matrices=expand("results/real_world/{dataset}/fold_matrices.csv", dataset=DATASETS),
        characteristics=expand("results/real_world/{dataset}/characteristics.csv", dataset=DATASETS),
    output:
        tables=expand(
            "results/tables/table_{name}.{extension}",
            name=["9", "10", "11", "11_pooled"],
            extension=["csv", "md", "tex"],
        ),
        values="results/real_world.csv",
        spread="results/real_world_spread.csv",
        comparison="results/real_world_comparison.csv",
        summary="results/real_world_comparison.md",
    log:
        "logs/real_world_tables.log",
    conda:
        "../../environment.yml"
    params:
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        datasets=DATASETS,
        logistic_regression=config["real_world"]["logistic_regression"],
    message:
        "Scoring the folds by every metric, and comparing with the printed values"
    script:
        "../scripts/real_world_tables.py"


rule ranking_flips:
    input:
        modules=script_modules("ranking_flips"),
        ways=expand("results/real_world/{dataset}/label_ways.csv", dataset=DATASETS),
    output:
        flips="results/ranking_flips.csv",
        figure=expand("figures/ranking_flips.{format}", format=config["figures"]["formats"]),
    log:
        "logs/ranking_flips.log",
    conda:
        "../../environment.yml"
    params:
        metrics=studied_metrics(config),
        extra_metrics=config["extra_metrics"],
        datasets=DATASETS,
        seed=config["seed"],
        draws=config["real_world"]["resamples"],
    message:
        "Finding which classifier wins under which metric"
    script:
        "../scripts/ranking_flips.py"
