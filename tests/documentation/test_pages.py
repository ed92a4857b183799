"""No page of the site is long but the references, and every job has the same four sections."""

import re
import sys

import pytest
from doc_blocks import PAGES
from places import ROOT

pytestmark = [pytest.mark.quick, pytest.mark.once]

MOST_WORDS = 2500

#: Pages that hooks of the site make; those below reference/ are looked up and may be long.
FROM_ROOT = [ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]

JOBS = ["Run", "Upgrade", "Maintain", "Migrate"]
SECTIONS = ["Start", "How-to", "Reference", "Evidence"]


@pytest.mark.parametrize("page", PAGES + FROM_ROOT, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_is_short(page):
    words = len(page.read_text(encoding="utf-8").split())  # code and tables, too
    assert words <= MOST_WORDS, "split it along its subjects"


def test_the_pages_of_the_gallery_are_short(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts" / "site"), *sys.path])
    import gallery

    pages = gallery.pages()
    assert len(pages) > 20
    assert [name for name, text in pages.items() if len(text.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("job", JOBS)
def test_a_job_has_its_sections(job):
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (tab,) = re.findall(rf"^  - {job}:\n((?:      .*\n)+)", text, re.MULTILINE)
    assert re.findall(r"^      - (.*):$", tab, re.MULTILINE) == SECTIONS
