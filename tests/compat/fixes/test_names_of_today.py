"""What ``removed.tsv`` names for removed names is there: a slip in one line is found by each run.

`test_rewrites` also asks whether it is what `run` gives, which takes a minute.
"""

import json

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes import removed

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.once

CONTRIB = "tensorflow.contrib"  # `run` brings it

#: What may not be installed here.
OPTIONAL = {"librosa", "matplotlib", "networkx", "pandas", "PIL", "scipy", "skimage", "sklearn"}
OPTIONAL.add("tensorflow_estimator")

LOOKED_UP = """
import importlib, importlib.util, json
absent = []
for old, module, name in json.load(open("names.json")):
    if not importlib.util.find_spec(module.partition(".")[0]):
        absent.append(module.partition(".")[0])
        continue
    try:
        value = importlib.import_module(module)
        for part in name.split(".") if name else ():
            value = getattr(value, part)
    except Exception as error:
        print(old, repr(error))
print("absent", *sorted(set(absent)))
"""


def test_names_of_today(compat_server, tmp_path):
    names = [
        (line.old, *line.now.partition(":")[::2])
        for line in removed.lines()
        if ":" in line.now and not line.now.startswith(("=", CONTRIB))
    ]
    modules = [
        (line.old, module, "")
        for line in removed.lines()
        if line.now.startswith(("module ", "names of "))
        for module in line.now.split()[-1:]
        if not module.startswith(CONTRIB)
    ]
    assert len(names) > 1000 and len(modules) > 300
    (tmp_path / "names.json").write_text(json.dumps(names + modules))
    (tmp_path / "look.py").write_text(LOOKED_UP)
    done = compat_server.run_python(tmp_path, "look.py")
    *wrong, absent = done.checked().splitlines()
    assert wrong == []
    assert set(absent.split()[1:]) <= OPTIONAL
