"""A reader of HTML that must be well formed."""

from html.parser import HTMLParser


class WellFormed(HTMLParser):
    """A parser that refuses an element which is not closed by its own end."""

    VOID = ("img",)

    def __init__(self):
        super().__init__()
        self.open = []
        self.texts = []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in self.VOID

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def texts_of(html):
    """Read the texts of an element, each of whose parts is closed by its own end."""
    parser = WellFormed()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return [text for text in parser.texts if text.strip()]
