"""Every link of the built site leads somewhere, under any path of a server.

A browser resolves a relative link against its page, so that a site of relative links works at the
root of a host, below a path and from a disk. The page of error 404 alone may not: it stands for
pages of any depth.
"""

import html.parser
import posixpath
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.once]


class _Page(html.parser.HTMLParser):
    """The ids of a page, and its links."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = {""}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)


@pytest.fixture(scope="module")
def pages(site):
    """{path in the site: its `_Page`}."""
    return {
        path.relative_to(site).as_posix(): _Page(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
        if path.name != "404.html"
    }


def _is_elsewhere(link):
    return bool(urlsplit(link).scheme or urlsplit(link).netloc)


def test_links_are_relative(pages):
    links = [(page, link) for page, of in pages.items() for link in of.links]
    assert len(links) > 1000
    assert [row for row in links if row[1].startswith("/")] == []


def test_links_lead_somewhere(pages, site):
    dead = []
    for page, of in pages.items():
        for link in filter(lambda link: not _is_elsewhere(link), set(of.links)):
            path, anchor = unquote(urlsplit(link).path), unquote(urlsplit(link).fragment)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
            target = page if not path else target
            exists = not target.startswith("..") and (site / target).is_file()
            if not exists or target in pages and anchor not in pages[target].ids:
                dead.append(f"{page}: {link}")
    assert dead == []


def test_no_page_asks_another_host(pages):
    """But for links that a reader follows: no scripts, styles, fonts or pictures."""
    assert pages["index.html"].links
    for page, of in pages.items():
        remote = [
            link for link in of.links if _is_elsewhere(link) and link.endswith((".js", ".css"))
        ]
        assert remote == [], page
