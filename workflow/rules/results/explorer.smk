EXPLORER = "src/skewproof/practice/explorer/assets"


rule explorer:
    input:
        modules=script_modules("results/explorer"),
        assets=[
            project_file(f"{EXPLORER}/{path.name}")
            for path in sorted((PROJECT / EXPLORER).iterdir())
        ],
    output:
        "results/explorer.html",
    log:
        "logs/explorer.log",
    message:
        "Writing the page in which one moves the imbalance"
    script:
        "../../scripts/results/explorer.py"
