"""The frame that the HTML reports share."""

from html.parser import HTMLParser

import pytest

from tfgraphtools import html_page

pytestmark = [pytest.mark.quick, pytest.mark.once]

HOSTILE = "</title><script>alert('a & b')</script>"


class _Elements(HTMLParser):
    """The tags of a page that begin and end, and its text by the tag that it is in."""

    def __init__(self, text):
        super().__init__()
        self.begun, self.ended, self.texts = [], [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.begun.append(tag)

    def handle_endtag(self, tag):
        self.ended.append(tag)

    def handle_data(self, data):
        self.texts.setdefault(self.begun[-1] if self.begun else "", []).append(data)


def test_titles_and_cells_are_text():
    body = "\n".join(html_page.table(("name", "uses"), [(HOSTILE, 3)]))
    elements = _Elements(html_page.page(HOSTILE, body))
    assert "script" not in elements.begun and elements.begun.count("td") == 2
    assert "".join(elements.texts["title"]).strip() == HOSTILE
    assert HOSTILE in "".join(elements.texts["td"])


def test_a_page_is_whole_and_needs_no_other_file():
    text = html_page.page("title", "<h1>title</h1>", "h1 { margin: 0; }", "let a = 1;")
    elements = _Elements(text)
    assert sorted(elements.ended) == sorted(tag for tag in elements.begun if tag != "meta")
    assert "h1 { margin: 0; }" in text and "<script>let a = 1;</script>" in text
    assert "http" not in text and "src=" not in text and "@import" not in text
