import jinja2
import pandas as pd
import pytest

from skewproof.reporting.templates import environment, render


def test_a_frame_is_a_table_with_the_options_of_pandas():
    templates = environment(jinja2.DictLoader({"report": '{{ rows | table(floatfmt=".1f") }}'}))
    text = templates.get_template("report").render(rows=pd.DataFrame({"value": [0.25]}))
    assert text.split() == ["|", "value", "|", "|--------:|", "|", "0.2", "|"]


def test_a_value_that_is_not_given_is_an_error():
    with pytest.raises(jinja2.UndefinedError, match="'title' is undefined"):
        render("skewproof.audits.choosing", "worth.md.jinja", rows=pd.DataFrame(), sentences=[])
