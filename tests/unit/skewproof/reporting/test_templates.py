import jinja2
import pandas as pd
import pytest

from skewproof.reporting.templates import render

TEMPLATE = """\
# {{ title }}

{{ rows | table(floatfmt=".1f") }}

{% for note in notes %}
- {{ note }}
{% else %}
None.
{% endfor %}
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A package with a template."""
    folder = tmp_path_factory.mktemp("packages") / "package_of_a_test"
    (folder / "templates").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "templates/report.md.jinja").write_text(TEMPLATE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder.parent)
        yield folder.name


def test_values_and_frames_are_put_in(package):
    rows = pd.DataFrame({"key": ["a"], "value": [0.25]})
    text = render(package, "report.md.jinja", title="<P & N>", rows=rows, notes=["first", "second"])
    assert text.splitlines() == [
        "# <P & N>",
        "",
        "| key   |   value |",
        "|:------|--------:|",
        "| a     |     0.2 |",
        "",
        "- first",
        "- second",
    ]
    assert text.endswith("second\n")


def test_a_value_that_is_not_given_is_an_error(package):
    with pytest.raises(jinja2.UndefinedError, match="'title' is undefined"):
        render(package, "report.md.jinja", rows=pd.DataFrame(), notes=[])
