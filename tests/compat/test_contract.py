"""Only user code changes: an installed library computes and sees what it does without us.

`contract/modern.py` is copied into a folder of installed packages. Its results are compared with
those that it has in the same process before compat is active, while it is, and afterwards; and
under `run` with those of plain Python. Every attribute of TensorFlow and tf_keras that differs
while compat is active must be one that a probe of the library reaches, or is listed with a reason.
"""

import json
import pathlib
import shutil

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

MODERN = pathlib.Path(__file__).resolve().parent / "contract" / "modern.py"

#: What the library shares with a TF1 program, which works in graph mode.
SWITCHES = "import tensorflow; tensorflow.compat.v1.disable_v2_behavior()\n"

SCRIPT = """
import gc, inspect, json, os, sys, types
sys.path.insert(0, "site-packages")
eager = {eager}
{switches}
import modern, tf_keras
import tensorflow.python.debug.wrappers.hooks, tensorflow.python.debug.wrappers.local_cli_wrapper
from tfgraphtools import compat
from tfgraphtools.compat.engine import replacing, skipped, views
from tfgraphtools.compat.engine.options import Options

def snapshot():
    taken = {{}}
    for name, module in list(sys.modules.items()):
        if not name.startswith(("tensorflow", "tf_keras", "absl")):
            continue
        if not isinstance(module, types.ModuleType) or name.startswith("tensorflow.contrib"):
            continue
        for attribute, value in list(vars(module).items()):
            taken[name + ":" + attribute] = value
            if isinstance(value, type) and value.__module__ == name:
                for own, held in list(vars(value).items()):
                    taken[f"{{name}}:{{attribute}}.{{own}}"] = held
    return taken

def functions(held):
    '''The descriptor or the wrappers that a class or a module holds.'''
    held = held.fget if isinstance(held, property) else getattr(held, "__func__", held)
    while held is not None:
        yield id(held)
        held = getattr(held, "__wrapped__", None)

reached = set()

def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_filename == replacing.__file__:
        if code.co_name == "replaced":
            reached.add(id(frame.f_locals["original"]))
        elif code.co_name in ("__get__", "__set__"):
            reached.add(id(frame.f_locals["self"]))

plain = modern.run(eager)
again = modern.run(eager)
compat.activate(Options(v2_behavior=eager)).deactivate()
before = snapshot()
set_profile = sys.setprofile  # the user's hides our frames
handle = compat.activate(Options(v2_behavior=eager))
views.module("tensorflow")
if not eager:
    exec("import tensorflow as tf; tf.placeholder")
after = snapshot()
changed = [n for n in after if n in before and before[n] is not after[n] or n not in before]
set_profile(note)
active = modern.run(eager)
set_profile(None)
unreached = sorted(n for n in changed if not reached.intersection(functions(after[n])))
skipped_fixes = skipped.reasons()
import mine
users = mine.run(eager)
handle.deactivate()
ended = modern.run(eager)

def differing(results):
    return [[n, str(plain[n])[:300], str(results[n])[:300]]
            for n in plain if results[n] != plain[n]]

print(json.dumps(dict(
    unstable=differing(again), active=differing(active), ended=differing(ended),
    unreached=unreached, skipped=skipped_fixes, users=len(differing(users)), probes=len(plain),
)))
"""

UNDER_RUN = """
import json, sys
sys.path.insert(0, "site-packages")
import tensorflow as tf
tf.{name}
import modern
print(json.dumps(modern.run(False)))
"""

#: The beginnings of names that differ and that no probe reaches -> why.
UNREACHED = {
    "tensorflow.python.autograph.": "AutoGraph converts user code from its translated source",
    "tensorflow.python.debug.wrappers.": "sessions of the debugger need a terminal or a server",
    "tensorflow.python.framework.ops:enable_eager_execution_internal": "a switch of the process",
    "tensorflow.python.ops.gradients_util:_IsBackpropagatable": "TF 2 lacks it; explainers set it",
}


@pytest.fixture(scope="module", params=[True, False], ids=["eager", "graph"])
def compared(request, compat_server, tmp_path_factory):
    """What the script found out in a process that executes eagerly, and in one that does not."""
    folder = tmp_path_factory.mktemp("contract")
    (folder / "site-packages").mkdir()
    shutil.copy(str(MODERN), str(folder / "site-packages" / "modern.py"))
    # User code that imports the API of 2.x, whose functions are the same.
    text = MODERN.read_text().replace(
        "import tensorflow as tf", "import tensorflow.compat.v2 as tf"
    )
    (folder / "mine.py").write_text(text)
    switches = "" if request.param else SWITCHES
    (folder / "check.py").write_text(SCRIPT.format(eager=request.param, switches=switches))
    done = compat_server.run_python(folder, "check.py")
    assert done.code == 0, done.err[-3000:]
    return dict(json.loads(done.out.splitlines()[-1]), eager=request.param)


def test_probes_are_reproducible(compared):
    assert compared["unstable"] == []


def test_libraries_compute_what_they_did(compared):
    assert compared["active"] == []
    assert compared["probes"] > (100 if compared["eager"] else 40)


def test_libraries_compute_what_they_did_afterwards(compared):
    assert compared["ended"] == []


def test_the_same_code_differs_as_user_code(compared):
    assert compared["users"] > (40 if compared["eager"] else 15)


def test_every_changed_attribute_is_probed(compared):
    if not compared["eager"]:
        pytest.skip("the other process probes Keras and eager execution, too")
    unreached = [n for n in compared["unreached"] if not n.startswith(tuple(UNREACHED))]
    assert unreached == [], "\n".join(unreached)


def test_every_fix_is_applied(compared):
    assert compared["skipped"] == {}


def test_libraries_compute_the_same_under_run(compat_server, tmp_path):
    (tmp_path / "site-packages").mkdir()
    shutil.copy(str(MODERN), str(tmp_path / "site-packages" / "modern.py"))
    (tmp_path / "script.py").write_text(UNDER_RUN.format(name="placeholder"))
    (tmp_path / "plain.py").write_text(SWITCHES + UNDER_RUN.format(name="constant"))
    done = [
        compat_server.run(tmp_path, "script.py"),
        compat_server.run_python(tmp_path, "plain.py"),
    ]
    assert [one.code for one in done] == [0, 0], [one.err[-2000:] for one in done]
    run, plain = (json.loads(one.out.splitlines()[-1]) for one in done)
    assert {name: run[name] for name in run if run[name] != plain[name]} == {}
