"""Reports from templates: prose stands in files, numbers are put in."""

from __future__ import annotations

from typing import Any

import pandas as pd


def render(package: str, name: str, **values: Any) -> str:
    """A report as Markdown, from a Jinja2 template in the folder `templates` of a package.

    Parameters
    ----------
    package
        The package's name, such as "skewproof.studies.survey".
    name
        The template's file.
    values
        What the template names; a name that it has and is not given is an error. Frames become
        tables by the filter ``table``, which takes the options of
        :meth:`pandas.DataFrame.to_markdown`.

    Raises
    ------
    jinja2.UndefinedError
        If the template names a value that is not given.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package, "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["table"] = _table
    return environment.get_template(name).render(values)


def _table(frame: pd.DataFrame, **options: Any) -> str:
    return frame.to_markdown(**{"index": False} | options)
