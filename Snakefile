"""The workflow, where `snakemake` looks for it; its rules are in workflow/Snakefile."""


include: "workflow/Snakefile"


# An included file does not set the default target.
rule reproduce:
    default_target: True
    input:
        rules.all.input,
    message:
        "All tables and figures of the paper are complete"
