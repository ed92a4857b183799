"""What is built and what it needs: NumPy alone, TensorFlow only where it is used."""

import configparser
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
from places import CHECKOUT, PACKAGE, ROOT

NOT_SOURCE = shutil.ignore_patterns(".*", "build", "dist", "out", "*.egg-info", "__pycache__")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """The folder that has the wheel and the source distribution: those under test, or new ones."""
    if "TFGRAPHTOOLS_DIST" in os.environ:
        return pathlib.Path(os.environ["TFGRAPHTOOLS_DIST"])
    if not (ROOT / "setup.py").exists():
        pytest.skip("the package is installed, not its source")
    pytest.importorskip("setuptools")
    pytest.importorskip("wheel")
    source = tmp_path_factory.mktemp("packaging") / "source"
    shutil.copytree(str(ROOT), str(source), ignore=NOT_SOURCE)
    for name in (".ci", ".pre-commit-hooks.yaml"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(
            str(ROOT / name), str(source / name)
        )
    subprocess.run(
        [sys.executable, "setup.py", "-q", "sdist", "bdist_wheel"],
        cwd=str(source),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return source / "dist"


def _files_of_wheel(distributions):
    (path,) = distributions.glob("*.whl")
    with zipfile.ZipFile(str(path)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


def _files_of_sdist(distributions):
    (path,) = distributions.glob("*.tar.gz")
    with tarfile.open(str(path)) as archive:
        return {
            member.name.partition("/")[2]: archive.extractfile(member).read()
            for member in archive.getmembers()
            if member.isfile()
        }


def _files_of_folder(folder):
    """{path below the folder's parent: content}, without what Python compiled."""
    return {
        path.relative_to(folder.parent).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def _of_the_package(files):
    return {name: text for name, text in files.items() if name.startswith("tfgraphtools/")}


@pytest.mark.parametrize("place", ["checkout", "sdist", "imported"])
def test_the_same_files_as_the_wheel(distributions, place):
    """What is tested is what is installed: each file of the package, and its bytes."""
    if place == "checkout" and not (CHECKOUT / "tfgraphtools").is_dir():
        pytest.skip("there is no checkout here: TFGRAPHTOOLS_CHECKOUT names one")
    files = {
        "checkout": lambda: _files_of_folder(CHECKOUT / "tfgraphtools"),
        "sdist": lambda: _of_the_package(_files_of_sdist(distributions)),
        "imported": lambda: _files_of_folder(PACKAGE),
    }[place]()
    in_wheel = _of_the_package(_files_of_wheel(distributions))
    assert "tfgraphtools/runner/startup/sitecustomize.py" in in_wheel
    assert sorted(files) == sorted(in_wheel)
    assert [name for name in files if files[name] != in_wheel[name]] == []


def test_the_suite_imports_the_wheel():
    if "TFGRAPHTOOLS_DIST" not in os.environ:
        pytest.skip("the suite runs on a checkout")
    assert PACKAGE.parent.name == "site-packages" and not (ROOT / "tfgraphtools").exists()


def test_the_wheel_has_the_package_alone(distributions):
    names = _files_of_wheel(distributions)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"tfgraphtools"}


def test_the_source_distribution_has_tests_and_docs(distributions):
    in_sdist = _files_of_sdist(distributions)
    for folder in ("docker", "docs", "scripts", "tests"):
        if (CHECKOUT / folder).is_dir():
            expected = _files_of_folder(CHECKOUT / folder)
            assert [name for name in sorted(expected) if in_sdist.get(name) != expected[name]] == []
    for name in (".ci/run", "CITATION.cff", "mkdocs.yml", "README.md", "ruff.toml", "setup.cfg"):
        assert name in in_sdist


def test_an_index_takes_both(distributions):
    """Metadata and README, by the tool that uploads them."""
    if not importlib.util.find_spec("twine"):
        pytest.skip("twine is for Python 3.9 and newer")
    files = [str(path) for path in sorted(distributions.iterdir())]
    words = ["-m", "twine", "check", "--strict", *files]
    subprocess.run([sys.executable, *words], check=True)


def test_requirements():
    config = configparser.ConfigParser()
    config.read(str(ROOT / "setup.cfg"), encoding="utf-8")
    assert config["options"]["install_requires"].split() == ["numpy"]
    extras = {
        name: set(text.strip().splitlines())
        for name, text in config.items("options.extras_require")
    }
    known = {"tensorflow", "run", "upgrade", "export", "remote", "onnx", "plot"}
    known |= {"completion", "docs", "libraries", "quick", "test", "all"}
    assert set(extras) == known
    members = ("tensorflow", "run", "export", "plot", "completion")
    together = set().union(*(extras[name] for name in members))
    assert extras["all"] == {line for line in together if not line.startswith("#")}
    for name in (
        "run",
        "export",
        "plot",
        "docs",
        "libraries",
        "quick",
        "test",
    ):  # beside tensorflow-cpu, say
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
        ("import tfgraphtools.training", "pip install tensorflow tf_keras"),
        ("import tfgraphtools; tfgraphtools.gradients", "pip install tensorflow tf_keras"),
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
