"""What is built and what it needs: NumPy alone, TensorFlow only where it is used."""

import configparser
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAVY = (".*", "build", "dist", "out", "*.egg-info", "__pycache__")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the wheel and the source distribution."""
    if not (ROOT / "setup.py").exists():
        pytest.skip("the package is installed, not its source")
    pytest.importorskip("setuptools")
    pytest.importorskip("wheel")
    source = tmp_path_factory.mktemp("packaging") / "source"
    shutil.copytree(str(ROOT), str(source), ignore=shutil.ignore_patterns(*HEAVY))
    subprocess.run(
        [sys.executable, "setup.py", "-q", "sdist", "bdist_wheel"],
        cwd=str(source),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return source / "dist"


def test_the_wheel_has_the_package_alone(built):
    (path,) = built.glob("*.whl")
    names = zipfile.ZipFile(str(path)).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"tfgraphtools"}
    assert "tfgraphtools/py.typed" in names and "tfgraphtools/checkpoints/__init__.py" in names
    tables = {str(path.relative_to(ROOT)) for path in (ROOT / "tfgraphtools").rglob("*.tsv")}
    assert tables and tables <= set(names)


def test_the_source_distribution_has_tests_and_docs(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(str(path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in [
        "README.md",
        "CITATION.cff",
        "mkdocs.yml",
        "docs/install.md",
        "docs/pictures/finetune_digits.png",
        "tests/conftest.py",
        "scripts/recipes/data/digits.npz",
        "tfgraphtools/py.typed",
    ]:
        assert name in names


def test_requirements():
    config = configparser.ConfigParser()
    config.read(str(ROOT / "setup.cfg"), encoding="utf-8")
    assert config["options"]["install_requires"].split() == ["numpy"]
    extras = {
        name: set(text.strip().splitlines())
        for name, text in config.items("options.extras_require")
    }
    known = {"tensorflow", "run", "upgrade", "export", "remote", "plot", "docs", "test", "all"}
    assert set(extras) == known
    together = extras["tensorflow"] | extras["run"] | extras["export"] | extras["plot"]
    assert extras["all"] == {line for line in together if not line.startswith("#")}
    for name in ("run", "export", "plot", "docs", "test"):  # beside tensorflow-cpu, say
        assert not any(line.startswith(("tensorflow", "tf_keras")) for line in extras[name]), name


#: TensorFlow is not there: a module that is None cannot be imported.
WITHOUT = "import sys; sys.modules['tensorflow'] = None\n"


@pytest.mark.parametrize(
    "code, said",
    [
        (
            "import tfgraphtools; print(tfgraphtools.checkpoints.__name__)",
            "tfgraphtools.checkpoints",
        ),
        ("import tfgraphtools; tfgraphtools.trainig", "has no attribute 'trainig'"),
        ("import tfgraphtools.training", "pip install 'tfgraphtools[tensorflow]'"),
        ("import tfgraphtools; tfgraphtools.gradients", "pip install 'tfgraphtools[tensorflow]'"),
        (
            "from tfgraphtools.cli import main; main(['explain', 'x', '--y', 'y', '--x', 'x'])",
            "tfgraphtools: tfgraphtools.gradients, .training: expected TensorFlow 1.15 or 2.x",
        ),
    ],
    ids=["lazy", "typo", "training", "gradients", "command"],
)
def test_without_tensorflow(code, said):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + code],
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert said in done.stdout.splitlines()[-1]
