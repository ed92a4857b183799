"""Hooks of MkDocs: adds the pages that are generated from the code."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import gallery  # noqa: E402
import reference  # noqa: E402
import search_weights  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: Files of the repository that are pages of the site, too.
FROM_ROOT = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}


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
    pages["reference/environment_variables.md"] = reference.environment_variables_page()
    pages["reference/rewrites.md"] = reference.rewrites_page()
    pages.update(gallery.pages())
    pages.update({page: _as_page(name) for name, page in FROM_ROOT.items()})
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    """Sets the weight of a page in the search, and its words."""
    weight = search_weights.of(page.file.src_uri)
    page.meta["search"] = {"boost": weight.boost}
    if weight.words:
        page.meta["tags"] = weight.words
    return markdown


def on_post_build(config):
    """Puts our ranking of results before the theme's search worker."""
    workers = pathlib.Path(config["site_dir"]) / "assets" / "javascripts" / "workers"
    (worker,) = workers.glob("search.*.js")
    worker.write_text(search_weights.ranking() + worker.read_text("utf-8"), "utf-8")
