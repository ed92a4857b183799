"""What the sources of ``legacy install`` import is installed with ``tensorflow`` and ``[run]``."""

import ast
import configparser
import pathlib
import re
import sys

import pytest

from tfgraphtools.compat import is_tf1, legacy

if is_tf1() or legacy.find() is None:
    pytest.skip("needs TF 2.x and 'tfgraphtools legacy install'", allow_module_level=True)

metadata = pytest.importorskip("importlib.metadata")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: Backends of Keras that a user chooses, and has then.
OPTIONAL = ("keras/backend/cntk_backend.py", "keras/backend/theano_backend.py")

#: Packages whose modules have other names.
MODULES = {"absl_py": "absl", "protobuf": "google", "pyyaml": "yaml", "tf_slim": "tf_slim"}


def _imported():
    """{module: a file that imports it when it is loaded}, of the legacy installation."""
    place = legacy.find()
    own = {path.stem for path in place.iterdir()}
    imported = {}
    for path in place.rglob("*.py"):
        name = path.relative_to(place).as_posix()
        for node in ast.parse(path.read_bytes()).body if name not in OPTIONAL else ():
            modules = []
            if isinstance(node, ast.Import):
                modules = [item.name for item in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module]
            for module in modules:
                root = module.partition(".")[0]
                if root not in own and root not in sys.stdlib_module_names:
                    imported.setdefault(root, name)
    return imported


def _installed():
    """The modules that `pip install tfgraphtools[tensorflow,run]` brings."""
    setup = configparser.ConfigParser()
    setup.read(str(ROOT / "setup.cfg"))
    extras = setup["options.extras_require"]
    requirements = extras["tensorflow"].splitlines() + extras["run"].splitlines()
    requirements += setup["options"]["install_requires"].splitlines()
    requirements += metadata.requires("tensorflow")
    names = {re.match(r"[\w.-]*", one).group().lower().replace("-", "_") for one in requirements}
    return {MODULES.get(name, name) for name in names}


@pytest.mark.slow
def test_what_they_import_is_installed():
    imported = _imported()
    assert "numpy" in imported and "yaml" in imported  # or the test reads nothing
    installed = _installed()
    assert {name: file for name, file in imported.items() if name not in installed} == {}
