"""`tfgraphtools kernel` beside kernels of the user's own."""

import json
import pathlib

import pytest

from tfgraphtools.cli import kernel, main

#: It reads and writes one JSON file.
pytestmark = pytest.mark.once

#: id -> what the user's kernel.json holds.
FOREIGN = {
    "python": json.dumps({"argv": ["python", "-m", "ipykernel_launcher"], "language": "python"}),
    "no-argv": "{}",
    "not-json": "{",
    "a-list": "[]",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(kernel, "_require_ipykernel", lambda: None)
    return pathlib.Path(str(tmp_path)) / "kernels" / "mine"


@pytest.mark.parametrize("action", ["install", "remove"])
@pytest.mark.parametrize("content", FOREIGN)
def test_a_kernel_of_the_users_stays(content, action, place, capsys):
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(FOREIGN[content])
    (place / "logo.svg").write_text("mine")
    assert main(["kernel", action, "--name", "mine"]) == 2
    message = capsys.readouterr().err
    assert len(message.splitlines()) == 1 and "Nothing was changed" in message
    assert (place / "kernel.json").read_text() == FOREIGN[content]
    assert (place / "logo.svg").read_text() == "mine"


def test_files_beside_our_kernel_stay(place):
    assert main(["kernel", "install", "--name", "mine"]) == 0
    (place / "logo.svg").write_text("mine")
    assert main(["kernel", "install", "--name", "mine"]) == 0
    assert main(["kernel", "remove", "--name", "mine"]) == 0
    assert [path.name for path in place.iterdir()] == ["logo.svg"]


def test_our_kernel_is_removed_with_its_folder(place):
    assert main(["kernel", "install", "--name", "mine"]) == 0
    assert main(["kernel", "remove", "--name", "mine"]) == 0
    assert not place.exists()


def test_our_kernel_that_somebody_changed_stays(place, capsys):
    assert main(["kernel", "install", "--name", "mine"]) == 0
    path = place / "kernel.json"
    changed = path.read_text().replace('"env": {', '"env": {\n  "MINE": "1",')
    path.write_text(changed)
    assert main(["kernel", "install", "--name", "mine"]) == 2
    assert "which was changed since it was written" in capsys.readouterr().err
    assert path.read_text() == changed


def test_a_kernel_of_an_earlier_version_is_replaced(place):
    """It has no mark, and may name a Python that is gone."""
    assert main(["kernel", "install", "--name", "mine"]) == 0
    path = place / "kernel.json"
    specification = json.loads(path.read_text())
    del specification["metadata"]["written_by"]
    specification["argv"][0] = "/gone/python"
    path.write_text(json.dumps(specification))
    assert main(["kernel", "install", "--name", "mine"]) == 0
    assert "/gone/python" not in path.read_text()
