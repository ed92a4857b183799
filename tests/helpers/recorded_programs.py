"""Small Python 2 programs: the table of them, and the runs of a whole group in one process.

A group is a file of ``programs``. What Python 2.7 prints for its programs is in ``recorded.json``,
one character for each byte; ``python recorded_programs.py PYTHON2.7`` records it.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
HERE = TESTS / "compat" / "fixes" / "python2" / "programs"

GROUPS = sorted(path.stem for path in HERE.glob("*.txt"))

#: Imports each program, with what it prints going to a file of its own.
_DRIVER = """\
import os, sys
top = os.getcwd()
sys.path.insert(0, top)
for name in sys.argv[1:]:
    os.mkdir(os.path.join(top, 'in_' + name))
    os.chdir(os.path.join(top, 'in_' + name))
    sys.stdout.flush()
    target = os.open(os.path.join(top, name + '.out'), os.O_WRONLY | os.O_CREAT)
    os.dup2(target, 1)
    os.close(target)
    real = sys.stdout
    try:
        __import__(name)
    except Exception:
        sys.stdout = real
        print 'uncaught', sys.exc_info()[0].__name__
    sys.stdout = real
    if getattr(sys.stdout, 'softspace', 0): print
    sys.stdout.flush()
"""


def programs_of(group):
    """Returns {id: source} of a group."""
    text = (HERE / (group + ".txt")).read_text(encoding="utf-8")
    blocks = text.split("#: ")[1:]
    return {block.partition("\n")[0]: block.partition("\n")[2] for block in blocks}


def write(group, folder):
    """Writes the programs of a group and their driver; returns the words that run them."""
    names = []
    for name, source in programs_of(group).items():
        names.append("p_" + name.replace("-", "_"))
        (folder / (names[-1] + ".py")).write_bytes(source.encode("utf-8"))
    (folder / "driver.py").write_text(_DRIVER)
    return ["driver.py", *names]


def printed(group, folder):
    """Returns {id: what the program printed} after a run in this folder."""
    return {
        name: (folder / ("p_" + name.replace("-", "_") + ".out")).read_bytes().decode("latin1")
        for name in programs_of(group)
    }


def recorded():
    """Returns {group: {id: what Python 2.7 printed}}."""
    return json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))


def printed_by(python, group):
    """Returns {id: what a Python 2.7 prints}."""
    with tempfile.TemporaryDirectory() as folder:
        words = write(group, pathlib.Path(folder))
        subprocess.run([python, *words], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        return printed(group, pathlib.Path(folder))


if __name__ == "__main__":
    outputs = {group: printed_by(sys.argv[1], group) for group in GROUPS}
    text = json.dumps(outputs, indent=1, sort_keys=True)
    (HERE / "recorded.json").write_text(text + "\n", encoding="utf-8")
