"""Reports from templates: files with prose, in which numbers are filled."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from skewproof.core.extras import extra

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment


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
def _environment(package: str) -> Environment:
    with extra("a report"):
        from jinja2 import PackageLoader

    return environment(PackageLoader(package, "templates"))


def environment(loader: BaseLoader) -> Environment:
    """Make an environment of templates that refuses a name without a value.

    The filter ``table`` turns frames into tables and takes the options of
    :meth:`pandas.DataFrame.to_markdown`.
    """
    with extra("a report"):
        from jinja2 import Environment, StrictUndefined

    templates = Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["table"] = lambda frame, **options: frame.to_markdown(
        **{"index": False} | options
    )
    return templates
