"""What results were made with: versions, seed, configuration and commit.

``results/provenance.json`` has all of it, the commit there alone. Figures and tables carry the
versions, and the seed and a digest of those keys of the configuration that they depend on. So they
are the same files whenever these are the same, whatever else the configuration says, and neither a
commit nor another key has them made anew. A commit that changes code that one of them runs has it
made anew in the next run of its target, so that the commit in the provenance file, which each run
of a target brings up to date, gives all that is made by this target. CSV files carry nothing, since
what reads them would take it for data.
"""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from skewproof import __version__
from skewproof_studies.settings.faults import value_at

LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "SALib", "snakemake")
"""Libraries whose versions are told, as far as they are installed."""

COMPUTING = ("numpy", "scipy", "pandas", "matplotlib")
"""Those of them that a figure or a table names itself."""


def versions(libraries: Sequence[str] = LIBRARIES) -> dict[str, str]:
    """The versions of this package and of some libraries, by name."""
    found = {"skewproof": __version__}
    for library in libraries:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def config_digest(config: Mapping[str, Any]) -> str:
    """A digest of a configuration, whatever the order of its keys.

    Parameters
    ----------
    config
        A checked configuration, or a part of one: values of JSON.

    Returns
    -------
    SHA-256, in hexadecimal digits, of the configuration as JSON in one line with sorted keys.

    Examples
    --------
    >>> from skewproof_studies.pipeline.writing.provenance import config_digest
    >>> config_digest({"seed": 1, "levels": ["1:1"]})[:16]
    '0c588ec220fb8250'
    """
    text = json.dumps(config, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def made_from(config: Mapping[str, Any], keys: Sequence[str]) -> str:
    """What a figure or a table says of the configuration that it was made from.

    Parameters
    ----------
    config
        A checked configuration.
    keys
        The keys that the figure or table depends on, such as "contours.grid".

    Examples
    --------
    >>> from skewproof_studies.pipeline.writing.provenance import made_from
    >>> made_from({"seed": 1, "levels": ["1:1"]}, ["seed"])
    'seed 1; config sha256 fbe47f6d82b435a89f6e6fca65ad16138195de06c5fc3ffb66826a76e64e479f of seed'
    """
    if not keys:
        return "no key of the config"
    part = {key: value_at(config, key) for key in keys}
    seed = f"seed {part['seed']}; " if "seed" in part else ""
    return f"{seed}config sha256 {config_digest(part)} of {', '.join(keys)}"


def made_by() -> str:
    """This package and the libraries that it computes and draws with, with their versions."""
    return ", ".join(f"{name} {number}" for name, number in versions(COMPUTING).items())


def provenance(config: Mapping[str, Any], project: Path) -> dict[str, Any]:
    """All that is told of a run: versions, platform, seed, digest of the configuration, commit.

    Parameters
    ----------
    config
        The run's checked configuration.
    project
        The project's folder.
    """
    return {
        "versions": {"python": platform.python_version()} | versions(),
        "platform": platform.platform(),
        "seed": config["seed"],
        "config_sha256": config_digest(config),
        "commit": commit(project),
    }


def commit(project: Path) -> str | None:
    """The commit of a project's files, with "+ changes" where tracked files differ from it.

    Returns
    -------
    None where the folder is not that of a git repository, or git is not at hand or refuses.
    """
    top = _git(project, "rev-parse", "--show-toplevel")
    if top is None or not Path(top).samefile(project):
        return None
    head = _git(project, "rev-parse", "HEAD")
    changes = _git(project, "status", "--porcelain", "--untracked-files=no")
    return f"{head} + changes" if head and changes else head


def _git(project: Path, *arguments: str) -> str | None:
    """What git says, or None where it fails."""
    command = ["git", "--no-optional-locks", "-C", str(project), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
