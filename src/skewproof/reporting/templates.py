"""Reports from templates: files with prose, in which numbers are filled."""

from __future__ import annotations

from functools import cache
from typing import Any

from skewproof.core.extras import jinja2


def render(package: str, name: str, **values: Any) -> str:
    """Render a report or a part of one from a Jinja2 template in a package's folder `templates`.

    Parameters
    ----------
    package
        The package's name, such as "skewproof_studies.survey".
    name
        The template's file.
    values
        The values of the names in the template, all of which are needed; filters are those of
        :func:`environment`.

    Raises
    ------
    jinja2.UndefinedError
        If the template names a value that is not given.
    """
    return _environment(package).get_template(name).render(values)


@cache
def _environment(package: str) -> jinja2.Environment:
    return environment(jinja2.PackageLoader(package, "templates"))


def environment(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """Make an environment of templates that refuses a name without a value.

    The filter ``table`` turns frames into tables and takes the options of
    :meth:`pandas.DataFrame.to_markdown`.
    """
    templates = jinja2.Environment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["table"] = lambda frame, **options: frame.to_markdown(
        **{"index": False} | options
    )
    return templates
