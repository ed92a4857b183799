"""No page of the site is long but the references, and every job has the same four sections."""

import pathlib
import re
import sys

import pytest
from doc_blocks import PAGES
from places import ROOT

import tfgraphtools

pytestmark = [pytest.mark.quick, pytest.mark.once]

MOST_WORDS = 2500
PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent

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


def test_the_map_of_the_design_names_what_is_there():
    """Every file, folder and module of the page is in the package."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    text = text[text.index("## The way through the package") :]
    files = re.findall(r"`([a-z0-9_/]+/[a-z0-9_.]*)`", text)
    modules = [name.replace(".", "/") for name in re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", text)]
    outside = [path for path in files if path.startswith(("tests/", "docs/", "scripts/"))]
    inside = [path for path in files if path not in outside]
    assert all((ROOT / path).exists() for path in outside), outside
    assert len(inside) > 8 and len(modules) > 10
    names = [str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*")]
    for name in inside + modules:
        ends = (name.rstrip("/"), name + ".py", *_owner_of(name))
        assert any(("/" + path).endswith(tuple("/" + end for end in ends)) for path in names), name


def _owner_of(name):
    """Returns the file of ``module/Class`` and of ``module/function``."""
    owner = name.rpartition("/")[0]
    return [owner + ".py"] if owner and "." not in name else []
