"""Every console block runs outside the checkout, in the install that its page asks for."""

import re
import shlex

import doc_blocks
import installs
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.once]

#: What a page asks for besides the package: pip installs it, too.
PACKAGES = {
    "environment.md": ["librosa", "pandas"],
    "graph_jax.md": ["jax", "tf2jax", "flax"],
    "notebooks.md": ["ipykernel"],
    "pytest.md": ["pytest"],
}

#: What a page asks for that names no extras: the README's install with TensorFlow.
USUAL = "tensorflow,run"


def _pages():
    for page in doc_blocks.PAGES:
        text = page.read_text(encoding="utf-8")
        if "```console" in text and "elsewhere" not in doc_blocks.NEEDS.findall(text):
            yield page


@pytest.fixture(scope="module")
def programs_for(tmp_path_factory):
    """A function that returns the programs of the install that a page asks for."""
    installed = {}

    def install(extras, packages=()):
        if (extras, packages) not in installed:
            base = install(extras) if packages else None
            folder = tmp_path_factory.mktemp("install")
            installed[extras, packages] = installs.make(folder, extras, packages, base)
        return installed[extras, packages]

    def programs(page):
        asked = re.search(r'"\.\[([\w,]+)\]"', page.read_text(encoding="utf-8"))
        return install(asked.group(1) if asked else USUAL, tuple(PACKAGES.get(page.name, ())))

    return programs


@pytest.mark.slow(in_ci=2)
@pytest.mark.parametrize("page", _pages(), ids=lambda path: path.name)
def test_page(page, programs_for, tmp_path):
    programs = programs_for(page)
    for line, language, title, content, output in doc_blocks.blocks(page.read_text("utf-8")):
        where = f"{page.name}:{line}"
        if title or language == "python":
            (tmp_path / (title or "block.py")).write_text(content, encoding="utf-8")
        if language == "python" and not title:
            done = installs.run(programs, ["python", "block.py"], tmp_path)
            assert done.returncode == 0, f"{where}: {done.stderr}"
            assert doc_blocks.is_printed(output or "", done.stdout), f"{where}: {done.stdout}"
        elif language == "console":
            for command, expected in doc_blocks.commands(content):
                _run(programs, shlex.split(command, comments=True), expected, where, tmp_path)


def _run(programs, words, expected, where, folder):
    if words[0] in doc_blocks.SHOWN_ONLY or words[0].startswith("scripts/"):
        return
    done = installs.run(programs, words, folder)
    assert done.returncode == 0, f"{where}: {done.stdout}{done.stderr}"
    if expected.strip():
        assert doc_blocks.is_printed(expected, done.stdout, done.stderr), f"{where}: {done.stdout}"
