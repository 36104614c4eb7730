EXPLORER = "src/skewproof/practice/explorer/assets"


rule explorer:
    input:
        assets=code(os.path.relpath(path) for path in sorted((PROJECT / EXPLORER).glob("*"))),
    output:
        "results/explorer.html",
    log:
        "logs/explorer.log",
    message:
        "Writing the explorer"
    script:
        "../../scripts/results/explorer.py"
