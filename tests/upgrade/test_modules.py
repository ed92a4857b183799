"""The file of a codebase that an import means."""

import pytest

from tfgraphtools.upgrade.modules import Files

FILES = [
    "/c/main.py",
    "/c/game/world.py",
    "/c/game/json.py",
    "/c/game/gym.py",
    "/c/a/util.py",
    "/c/b/util.py",
    "/c/lib/kit/__init__.py",
    "/c/lib/kit/deep/part.py",
]

#: An import in /c/main.py: the file that it means.
IMPORTS = {
    "main": "/c/main.py",
    "game.world": "/c/game/world.py",
    "world": "/c/game/world.py",  # after sys.path.append("game")
    "kit": "/c/lib/kit/__init__.py",
    "kit.deep.part": "/c/lib/kit/deep/part.py",
    "util": None,  # one of two
    "json": None,  # Python has it
    "gym": None,  # a package of many codes of TF 1, which may not be installed
    "orld": None,
}


@pytest.mark.parametrize("module", IMPORTS)
def test_the_file_of_an_import(module):
    assert Files(FILES).find(0, module, "/c/main.py") == IMPORTS[module]


COMMON = (
    "import cPickle\nimport numpy as np\nimport tensorflow as tf\n"
    "from tensorflow.contrib import slim\n"
)
USES = "cPickle.dumps(np.float(2))\nslim.flatten(tf.mul(1, 2))\n"


@pytest.mark.parametrize(
    "files",
    [
        {"common.py": COMMON, "main.py": "from common import *\n" + USES},
        {
            "pkg/__init__.py": "from .core import *\n",
            "pkg/core.py": COMMON,
            "main.py": "from pkg import *\n" + USES,
        },
        {"common.py": COMMON, "main.py": "from common import cPickle, np, slim, tf\n" + USES},
    ],
    ids=["star", "star-of-a-package", "named"],
)
def test_libraries_that_come_from_another_file(files, upgraded):
    new = upgraded(files)
    assert new["main.py"].endswith("cPickle.dumps(float(2))\nslim.flatten(tf.multiply(1, 2))\n")
    common = new.get("common.py", new.get("pkg/core.py"))
    assert common.startswith("import pickle as cPickle\n") and "import slim\n" in common
    assert upgraded.report.left == 0


@pytest.mark.parametrize(
    "common, is_rewritten",
    [("x = 1\n", True), ("xrange = range\n", False), ("from numpy import *\n", False)],
)
def test_a_name_of_python_2_beside_a_star(common, is_rewritten, upgraded):
    main = "from common import *\nimport tensorflow as tf\ntf.Session()\nxrange(3)\n"
    new = upgraded({"common.py": common, "main.py": main})
    assert new["main.py"].endswith("\nrange(3)\n") is is_rewritten
