"""Hooks of MkDocs: adds the pages that are generated from the code."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import gallery  # noqa: E402
import reference  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: Files of the repository that are pages of the site, too.
FROM_ROOT = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}

#: How much more the words of a page weigh in the search: an error text is to lead to its entry.
#: More for the page of checkpoints would hide recipes.
SEARCH_BOOST = {"faq.md": 8, "faq_checkpoints.md": 2, "questions.md": 8}


def _as_page(name):
    """The text of a file of the repository with its links as a page needs them."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = text.replace("](docs/", "](")
    for file, page in FROM_ROOT.items():
        text = text.replace(f"]({file})", f"]({page})")
    text = text.replace(" · [citation](CITATION.cff)", "")
    return text.replace("see [LICENSE](LICENSE)", "see LICENSE")


def on_files(files, config):
    """Adds the reference, the gallery, and the files of the repository to the pages."""
    sys.path.insert(0, str(ROOT))  # MkDocs has restored the path after loading the hooks
    pages = {f"reference/{name}.md": reference.api_page(name) for name in reference.PAGES}
    pages["reference/cli.md"] = reference.cli_page()
    pages["reference/rewrites.md"] = reference.rewrites_page()
    pages.update(gallery.pages())
    pages.update({page: _as_page(name) for name, page in FROM_ROOT.items()})
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    """Sets the weight of a page in the search."""
    if page.file.src_uri in SEARCH_BOOST:
        page.meta["search"] = {"boost": SEARCH_BOOST[page.file.src_uri]}
    return markdown
