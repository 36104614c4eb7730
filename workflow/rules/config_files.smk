"""What Snakemake would take in silence, or never finish reading, in the files of the config."""

from pathlib import Path

from skewproof_studies.config import ConfigError, read_config
from skewproof_studies.settings.faults import MOST_TEXT


def refuse(fault):
    """End with what is wrong in the config, and without the rules' file in which it was found."""
    raise SystemExit(fault)


def check_config_files(paths):
    for path in map(Path, paths):
        try:
            with path.open(encoding="utf-8") as file:
                found = read_config(file.read(MOST_TEXT + 1))
            if "__use_yte__" in found:
                raise ConfigError("__use_yte__: unknown key; Snakemake would run what is in it")
        except FileNotFoundError:
            pass  # Snakemake says so
        except (ConfigError, OSError, UnicodeDecodeError) as error:
            refuse(f"{path}: {error}")


if STARTS_JOBS:
    check_config_files(internals.config_files(workflow, "config.yaml"))
