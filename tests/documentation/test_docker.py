"""The images install what the tests have: one TensorFlow of each age."""

import re
import shlex

import pytest
from places import ROOT

pytestmark = pytest.mark.once

ENVIRONMENT = (ROOT / "scripts" / "shell" / "environment.sh").read_text(encoding="utf-8")
(TENSORFLOW1,) = re.findall('^TENSORFLOW1="(.*)"$', ENVIRONMENT, re.MULTILINE)


@pytest.mark.parametrize(
    "name, python, requirements",
    [
        ("Dockerfile", "3.11", ["/src[tensorflow,run,export]"]),
        ("Dockerfile.tf1", "3.7", [TENSORFLOW1, "protobuf<3.21", "/src"]),
    ],
)
def test_image(name, python, requirements):
    text = (ROOT / "docker" / name).read_text(encoding="utf-8")
    (command,) = re.findall(r"^RUN pip install (.*)$", text, re.MULTILINE)
    assert f"FROM python:{python}-slim\nCOPY . /src\n" in text
    assert [w for w in shlex.split(command) if not w.startswith("--")] == requirements


RUN_AS_CALLER = 'docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" tfgraphtools'


@pytest.mark.parametrize("name", ["Dockerfile", "Dockerfile.tf1"])
def test_an_image_runs_as_the_callers_user(name):
    text = (ROOT / "docker" / name).read_text(encoding="utf-8")
    assert RUN_AS_CALLER in text and "ENV HOME=/tmp\n" in text


def test_every_page_shows_the_same_image():
    """A page that has a Dockerfile has the one of the repository, and its commands."""
    image = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    image = "".join(line for line in image.splitlines(True) if not line.startswith("#   docker"))
    image = image[image.index("FROM") :]
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```dockerfile\n(.*?)```", text, re.DOTALL):
            assert block == image, page
            shown += 1
        for command in re.findall(r"docker run .*", text):
            assert command.startswith(RUN_AS_CALLER), page
    assert shown == 1


def test_no_page_has_a_placeholder():
    """The address stands in setup.cfg alone; a command that needs it is left out until then."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    pattern = re.compile(r"\b(ADDRESS|REPOSITORY|OWNER|YOUR_\w+)\b|git clone https?://")
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
    assert {
        name: pattern.findall(text) for name, text in texts.items() if pattern.search(text)
    } == {}
