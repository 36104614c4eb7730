"""Provenance of results: versions, seed, configuration and commit.

``results/provenance.json`` has all of it, and it alone has the commit. Figures and tables carry the
versions, the seed, and a digest of the keys of the configuration that they depend on. They are
therefore identical files whenever these are the same, and are not made again because of a commit or
another key. A commit that changes code that one of them runs has it made again in the next run of
its target. Each run of a target updates the provenance file, so that its commit reproduces all that
the target makes. CSV files carry nothing, since readers would take it for data.
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from skewproof import __version__
from skewproof_studies.settings.faults import value_at

LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "SALib", "snakemake")
"""Libraries whose versions are recorded, if they are installed."""

COMPUTING = ("numpy", "scipy", "pandas", "matplotlib")
"""Libraries among them that figures and tables name themselves."""


def versions(libraries: Sequence[str] = LIBRARIES) -> dict[str, str]:
    """Return the versions of this package and of some libraries, by name."""
    installed = {"skewproof": __version__}
    for library in libraries:
        try:
            installed[library] = version(library)
        except PackageNotFoundError:
            continue
    return installed


def config_digest(config: Mapping[str, Any]) -> str:
    """Return a digest of a configuration that does not depend on the order of its keys.

    Parameters
    ----------
    config
        A checked configuration, or a part of one, with values that JSON can represent.

    Returns
    -------
    SHA-256, in hexadecimal digits, of the configuration as JSON on one line with sorted keys.

    Examples
    --------
    >>> from skewproof_studies.pipeline.writing.provenance import config_digest
    >>> config_digest({"seed": 1, "levels": ["1:1"]})[:16]
    '0c588ec220fb8250'
    """
    text = json.dumps(config, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def code_digest(source: Path, folders: Iterable[str]) -> str:
    """Return a digest of all files in some folders of a source folder, data files included.

    A process reads each folder once.

    Parameters
    ----------
    source
        The folder of the packages.
    folders
        Folders in it, with "/" as separator.
    """
    lines = "".join(_digests_of_files(source, folder) for folder in folders)
    return hashlib.sha256(lines.encode()).hexdigest()


@functools.cache
def _digests_of_files(source: Path, folder: str) -> str:
    lines = []
    for path in sorted((source / folder).rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            lines.append(f"{path.relative_to(source).as_posix()} {content}\n")
    return "".join(lines)


def made_from(config: Mapping[str, Any], keys: Sequence[str]) -> str:
    """Describe the part of a configuration that a figure or a table was made from.

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
    """Return the versions of this package and of the libraries that it computes and draws with."""
    return ", ".join(f"{name} {number}" for name, number in versions(COMPUTING).items())


def provenance(config: Mapping[str, Any], project: Path) -> dict[str, Any]:
    """Return the provenance of a run: versions, platform, seed, digest of the configuration,
    commit.

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
    """Return the commit of a project's files, with "+ changes" if tracked files differ from it.

    Returns
    -------
    None if the folder is not that of a git repository, or if git is not available or refuses.
    """
    top = _git(project, "rev-parse", "--show-toplevel")
    if top is None or not Path(top).samefile(project):
        return None
    head = _git(project, "rev-parse", "HEAD")
    changes = _git(project, "status", "--porcelain", "--untracked-files=no")
    return f"{head} + changes" if head and changes else head


def _git(project: Path, *arguments: str) -> str | None:
    """Return the output of git, or None if it fails."""
    command = ["git", "--no-optional-locks", "-C", str(project), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
