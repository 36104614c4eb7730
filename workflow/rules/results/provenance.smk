COMMIT = told("commit", lambda: origin.commit(PROJECT))


rule provenance:
    input:
        modules=script_modules("results/provenance"),
    output:
        "results/provenance.json",
    log:
        "logs/provenance.log",
    params:
        provenance=lambda wildcards: origin.provenance(config, PROJECT) | {"commit": COMMIT},
    message:
        "Recording versions, seed, configuration and commit"
    script:
        "../../scripts/results/provenance.py"
