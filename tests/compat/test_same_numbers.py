"""Seeded programs print after `upgrade` what they print under `run`, and what TF 1.15 prints.

A small draw runs always; all of them, and TF 1.15 beside them, with TFGRAPHTOOLS_ALL_CELLS=1.
"""

import os

import pytest
from seeded_programs import PROGRAMS

from row_scripts import difference
from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

ALL = "TFGRAPHTOOLS_ALL_CELLS" in os.environ
DRAW = ("gan", "python2")

#: What `upgrade` writes where it is asked for: 1.15's random seeds, and how NumPy 1 prints.
ASKED = ["seeds", "numpy.scalar_printing"]


def _folder(tmp_path, kind, name):
    folder = tmp_path / kind
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAMS[name])
    return folder


def _started(interpreters, kind, folder, *options):
    return interpreters[kind].start(folder, [*options, "program.py"], outputs=folder, seconds=300)


def _upgraded(folder, *more):
    from tfgraphtools import upgrade

    upgrade.examine([str(folder)]).write(force=True)
    for select in more:
        upgrade.examine([str(folder)], select=[select]).write(force=True)


@pytest.mark.parametrize("name", PROGRAMS if ALL else DRAW)
def test_as_under_run(name, interpreters, tmp_path):
    if name == "pandas":
        pytest.importorskip("pandas")
    waiting = _started(interpreters, "compat", _folder(tmp_path, "run", name))
    plain = _folder(tmp_path, "plain", name)
    _upgraded(plain)
    done = _started(interpreters, "plain", plain)()
    run = waiting()
    assert run.code == 0, run.err
    assert done.code == 0, done.err
    assert difference(done.out, run.out, 1e-6) is None


#: Python 2 source; and on 1.15 itself, a loop that draws prints other numbers in each run.
NOT_ON_115 = ("python2", "dynamic_rnn")


@pytest.mark.parametrize("name", [one for one in PROGRAMS if ALL and one not in NOT_ON_115])
def test_as_tf115_with_its_seeds(name, interpreters, tmp_path):
    if not interpreters["1.15"]:
        pytest.skip("needs TF 1.15")
    waiting = _started(interpreters, "1.15", _folder(tmp_path, "1.15", name))
    plain = _folder(tmp_path, "plain", name)
    _upgraded(plain, *ASKED)
    done = _started(interpreters, "plain", plain)()
    old = waiting()
    assert old.code == 0, old.err
    assert done.code == 0, done.err
    assert difference(done.out, old.out, 1e-5) is None
