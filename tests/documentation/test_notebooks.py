"""The notebooks run from top to bottom in an install of their own, and print what they show."""

import json
import os
import re
import shutil

import installs
import pytest
from places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.once]

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("install")
    return installs.make(folder, "tensorflow,run", ["nbclient", "ipykernel"])


def printed(notebook):
    """Returns [(source, what it printed)] of the code cells, without stderr: TensorFlow's log."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return [("".join(cell["source"]), _stdout(cell["outputs"])) for cell in code]


def _stdout(outputs):
    texts = ["".join(output["text"]) for output in outputs if output.get("name") == "stdout"]
    text = "".join(texts).replace("\r\n", "\n")
    return re.sub(r"(?<= by at most )\S+", "#", text)  # roundings are each processor's own


def test_there_is_one_for_each_job():
    names = {notebook.stem for notebook in NOTEBOOKS}
    assert names == {"run", "upgrade", "maintain", "migrate"}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in names if f"docs/notebooks/{name}.ipynb" not in readme] == []


@pytest.mark.slow(in_ci=1)
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_prints_what_it_shows(notebook, programs, tmp_path):
    copy = tmp_path / notebook.name
    shutil.copy(str(notebook), str(copy))
    words = ["jupyter", "execute", "--inplace", "--startup_timeout=600", notebook.name]
    done = installs.run(programs, words, tmp_path, path=[os.defpath])  # cells have a shell
    assert done.returncode == 0, done.stderr
    assert printed(copy) == printed(notebook)
