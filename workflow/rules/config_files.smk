"""Check of the config files for content that Snakemake accepts silently or never finishes."""

from pathlib import Path

from skewproof_studies.config import ConfigError, read_config
from skewproof_studies.settings.faults import MOST_TEXT


def refuse(fault):
    """Exit with the config's fault, and without naming the file of rules that found it."""
    raise SystemExit(fault)


def check_config_files(paths):
    for path in map(Path, paths):
        try:
            with path.open(encoding="utf-8") as file:
                found = read_config(file.read(MOST_TEXT + 1))
            if "__use_yte__" in found:
                raise ConfigError("__use_yte__: unknown key; Snakemake would run its content")
        except FileNotFoundError:
            pass  # reported by Snakemake
        except (ConfigError, OSError, UnicodeDecodeError) as error:
            refuse(f"{path}: {error}")


if STARTS_JOBS:
    check_config_files(internals.config_files(workflow, "config.yaml"))
