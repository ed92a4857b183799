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
