"""Packages of gigabytes: which commands need them."""

import pytest

from tfgraphtools import compat
from tfgraphtools.revive import large_packages
from tfgraphtools.revive.declared_packages import Requirement
from tfgraphtools.revive.entry_points import Command

pytestmark = [
    pytest.mark.quick,
    pytest.mark.once,
    pytest.mark.skipif(compat.is_tf1(), reason="revive acts on TF 2.x"),
]

SOURCES = {
    "train.py": "import tensorflow\nfrom models import net\n",
    "models/__init__.py": "",
    "models/net.py": "from .parts import layer\n",
    "models/parts.py": "import numpy\n",
    "tools/convert.py": "import torch\n",
    "evaluate.py": "from tools import convert\n",
    "by_name.py": "import importlib\nimportlib.import_module('tools.' + 'conv' + 'ert')\n",
    "tests/test_net.py": "import torch\n",
}

#: Command lines: whether torch is installed.
COMMANDS = {
    ("python train.py --steps 3",): False,
    ("python ./train.py", "python -m models.net"): False,
    ("python train.py", "python tools/convert.py a"): True,
    ("cd tools && python convert.py",): True,
    ("python -m tools.convert",): True,
    ("python evaluate.py",): True,
    ("python by_name.py",): True,
    ("python -m pytest -q tests",): True,
    ("pytest",): True,
    ("bash run.sh",): True,
    ("python train.py 'a",): True,
}


@pytest.mark.parametrize("lines", COMMANDS)
def test_who_needs_torch(lines):
    packages = [Requirement("numpy", "", "a.py:1", ("numpy",))]
    packages.append(Requirement("torch", "==1.0", "requirements.txt:1", ("torch", "torch.nn")))
    commands = [Command(line, "--run") for line in lines]
    commands.append(Command("python evaluate.py DIR_X", "README.md:1", "DIR_X stands for"))
    numpy, torch = large_packages.marked(packages, commands, SOURCES)
    assert numpy == packages[0]
    assert bool(torch.why_not) != COMMANDS[lines] and torch._replace(why_not="") == packages[1]
