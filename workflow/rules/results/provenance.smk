rule provenance:
    output:
        "results/provenance.json",
    log:
        "logs/provenance.log",
    # Jobs that share no files do not see the repository.
    localrule: not JOBS_SHARE_FILES
    params:
        provenance=lambda wildcards: origin.provenance(config, PROJECT),
    message:
        "Recording versions, seed, configuration and commit"
    script:
        "../../scripts/results/provenance.py"
