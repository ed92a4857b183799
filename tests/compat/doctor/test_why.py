"""``tfgraphtools run --why``: whose code a module is, and what replaces a name."""

import json

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

FOR = "replaced for user code and packages written for TF1; installed libraries keep what they have"

#: what is asked -> parts of the answer, in their order; an error begins with "error:"
ANSWERS = {
    "np.bool": ["numpy.bool  [NumPy 1.24]", FOR, "--without numpy.bool"],
    "numpy.bool": ["numpy.bool  [NumPy 1.24]"],
    "tensorflow.add": ["tensorflow.add  [TF 2.6]", FOR],
    "tf.mul": ["tensorflow.mul  [TF 1.0]"],
    "tf.placeholder": ["no fix", "tensorflow.compat.v1"],
    "cPickle": ["cPickle  [Python 3.0]", FOR],
    "pd.DataFrame.append": ["pandas.append  [pandas 2.0]", FOR],
    "pandas.DataFrame": ["differs:", "run does not hide it", "doctor --constraints"],
    "np.bol": ["error:", "Did you mean 'numpy.bool'?"],
    "no_such_module": ["error:", "a file, a module, or a name"],
    "mine": ["mine.py", "user code", "outside of the folders", "its source names 3", "numpy.bool"],
    "mine.py": ["mine.py", "user code", "its source names 3"],
    "pack.part": ["part.py", "user code"],
    "quiet_file": ["user code", "numpy.bool: ", "(disabled)", "disabled there: "],
    "modern": ["modern/__init__.py", "no user code: it is an installed package", "no fix applies"],
    "pinned": ["user code", "written for TF1", "needs tensorflow.contrib"],
    "asked": ["user code", "--v1-package asked"],
    "refused": ["no user code", "--no-v1-package refused"],
    "json": ["no user code: it is part of Python"],
}

FILES = {
    "mine.py": "import numpy as np\nnp.bool\nimport cPickle\n",
    "pack/__init__.py": "raise SystemExit('it was imported')\n",
    "pack/part.py": "",
    "quiet_file.py": "# tfgraphtools: without=numpy\nimport numpy as np\nnp.bool\n",
    "site-packages/modern/__init__.py": "import tensorflow as tf\n",
    "site-packages/pinned/__init__.py": "import tensorflow.contrib.slim\n",
    "site-packages/asked.py": "",
    "site-packages/refused.py": "import tensorflow.contrib.slim\n",
}

SCRIPT = """
import json, os, sys
sys.path.insert(0, os.path.abspath("site-packages"))
from tfgraphtools import compat, errors
from tfgraphtools.compat.doctor import why
options = compat.Options(packages=("asked",), modern_packages=("refused",))
answers = {{}}
for name in {names!r}:
    try:
        answers[name] = "\\n".join(why.explain(name, options))
    except errors.ArgumentError as error:
        answers[name] = "error: " + str(error)
print(json.dumps([answers, compat.is_active()]))
"""


@pytest.fixture(scope="module")
def answers(compat_server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("why")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "script.py").write_text(SCRIPT.format(names=list(ANSWERS)))
    done = compat_server.run_python(folder, "script.py")
    assert done.code == 0, done.err[-3000:]
    answers, is_active = json.loads(done.out.splitlines()[-1])
    assert not is_active
    return answers


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer(answers, name):
    place = 0
    for part in ANSWERS[name]:
        place = answers[name].find(part, place)
        assert place >= 0, f"no {part!r} in:\n{answers[name]}"
