"""The proof by running: what it finds the same, what it finds different, what it says of neither.

Here both runs are by this Python, so that nothing needs TensorFlow; what the old code does
under ``run`` and under TF 1.15 is tested where these are.
"""

import json
import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli, upgrade
from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import tf1_python
from tfgraphtools.upgrade.verify import verify

pytestmark = pytest.mark.quick

SAME = "import numpy as np\nx = 0.5\nprint('loss', x)\nopen('out.txt', 'w').write('x')\nnp.float\n"
OTHER = "import numpy as np\ny = 'np.float'\nprint(open(__file__).read().count(y))\nnp.float\n"


@pytest.fixture
def proof(tmp_path, monkeypatch):
    def run(source, *words):
        (tmp_path / "main.py").write_text("class np_:\n    pass\n" + source)
        (tmp_path / "numpy.py").write_text("float = float\n")  # both runs find it
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(tf1_python, "require_tf1", lambda python, option: None)
        report = upgrade.examine(["main.py"])
        assert report.changed
        found = verify(report, ["python", "main.py", *words], python37=sys.executable)
        assert "np.float\n" in (tmp_path / "main.py").read_text()  # nothing here changes
        assert not (tmp_path / "out.txt").exists()
        return found

    return run


def test_the_same(proof):
    found = proof(SAME)
    assert found.holds and found.codes == (0, 0) and found.written == 1
    assert any("1 printed numbers" in line for line in found.proved())
    assert any("checkpoints" in line for line in found.gaps())
    assert found.lines()[-1].startswith("not proved: ")


def test_another_number(proof):
    found = proof(OTHER)
    assert not found.holds
    assert any("after:" in line for line in found.lines())


def test_a_failure(proof):
    found = proof(SAME + "raise SystemExit(open(__file__).read().count('np.float') - 1)\n")
    assert not found.holds and found.codes[0] != found.codes[1]


UNSTABLE = (
    "import numpy as np, os, sys\nprint('loss', 0.5)\nprint('at', os.getpid())\n"
    "sys.stderr.write('pid %d and 3\\n' % os.getpid())\nnp.float\n"
)


def test_numbers_that_differ_between_two_runs_are_left_out_by_name(proof):
    found = proof(UNSTABLE)
    assert found.holds and found.unstable == ("at#", "pid#and#") and found.printed.numbers == 1
    assert "lines that differ between two runs: at#; pid#and#" in found.lines()[-1]


def test_numbers_on_stderr_are_compared(proof):
    log = "sys.stderr.write('loss %d\\n' % open(__file__).read().count('np.float'))\nnp.float\n"
    assert not proof("import numpy as np, sys\n" + log).holds
    assert proof("import numpy as np, sys\nnp.float\nsys.stderr.write('loss 3\\n')\n").holds


@pytest.mark.parametrize("line", ["", "print('done')\n"])
def test_nothing_to_compare_proves_nothing(line, proof):
    found = proof("import numpy as np\nnp.float\n" + line)
    assert found.codes == (0, 0) and not found.holds
    assert any("neither a number nor a file" in shown for shown in found.lines())


def test_text_to_ignore(proof, tmp_path):
    source = "import numpy as np\nprint(1, open(__file__).read().count('np.float'))\nnp.float\n"
    assert not proof(source).holds
    proof_of = verify(
        upgrade.examine(["main.py"]), ["python", "main.py"], sys.executable, ignore=[r" \d$"]
    )
    assert proof_of.holds


def test_usage(tmp_path, monkeypatch, capsys):
    (tmp_path / "main.py").write_text(SAME)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArgumentError):
        verify(upgrade.examine(["main.py"]), ["make"])
    assert cli.main(["upgrade", ".", "--verify"]) == 2
    assert "--verify -- python train.py" in capsys.readouterr().err


def test_check_json_and_page(tmp_path, capsys):
    path = tmp_path / "main.py"
    path.write_text("import tensorflow as tf\ntf.mul(1, tf.Session())\n")
    page = tmp_path / "page.html"
    assert cli.main(["upgrade", str(path), "--check", "--json", "--html", str(page)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["files"][0]["changes"] and found["uses"]["rewritten"] >= 2
    assert "tf.multiply" in page.read_text(encoding="utf-8")
    assert cli.main(["upgrade", str(path), "--write", "--force"]) == 0
    assert cli.main(["upgrade", str(path), "--check"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "words",
    [["python", "train.py", "--steps", "20"], ["python", "-c", "pass", "--", "x", "--json"]],
    ids=["options", "separator"],
)
@pytest.mark.parametrize("separator", [["--"], []], ids=["separated", "not"])
def test_the_command_line(words, separator, tmp_path, monkeypatch, capsys):
    """As the documentation has it; the command's own options are the command's."""
    given = []
    proof = SimpleNamespace(holds=True, lines=lambda: ["proved"])
    monkeypatch.setattr(
        "tfgraphtools.upgrade.verify.verify",
        lambda report, words, python37, options, ignore: (
            given.append((words, python37, options, ignore)) or proof
        ),
    )
    (tmp_path / "a.py").write_text("x = 1\n")
    line = ["upgrade", str(tmp_path), "--python37", "p", "--ignore=x", "--run-option=-q"]
    line += ["--verify", *separator, *words]
    assert cli.main(line) == 0, capsys.readouterr().err
    assert given == [(words, "p", ["-q"], ["x"])]


#: What the old code (True) and the new write, and how the proof has it.
WRITTEN = {
    "a log": ("open('a.log', 'w').write('loss %d\\n' % old)", "a.log", "files"),
    "times in a log": (
        "import time; open('a.log', 'w').write(time.strftime('%H:%M:%S') + ' loss 3\\n')",
        "a.log",
        "written",
    ),
    "a table": ("open('a.csv', 'w').write('x,y\\n1,%d.5\\n' % old)", "a.csv", "files"),
    "rounding": ("open('a.csv', 'w').write('1,%s\\n' % (.5 + old * 1e-9))", "a.csv", "written"),
    "keys of JSON": (
        "open('a.json', 'w').write(['{\"a\": 1, \"b\": 2}', '{\"b\":2,\"a\":1}'][old])",
        "a.json",
        "written",
    ),
    "values of JSON": ("open('a.json', 'w').write('{\"a\": %d}' % old)", "a.json", "files"),
    "only the old": ("old and open('a.txt', 'w').write('x')", "a.txt", "files"),
    "an index": ("old and open('m.index', 'w').write('x')", "m.index", "files"),
    "a pickle": ("open('a.pkl', 'wb').write(b'x%d' % old)", "a.pkl", "not_compared"),
    "a graph": ("open('a.meta', 'wb').write(b'x%d' % old)", "a.meta", "not_compared"),
    "events": ("open('events.out.tfevents.%d' % old, 'wb').write(b'x')", "", "not_compared"),
    "a number each time": ("open('a.txt', 'w').write(str(os.getpid()))", "a.txt", "varying"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_written_files(case, proof):
    """Each is the same, differs by name, or is named as not compared."""
    statement, name, field = WRITTEN[case]
    source = (
        f"import numpy as np, os\nold = 'np.float' + '\\n' in open(__file__).read()\n{statement}\n"
    )
    found = proof(source + "print(1)\nnp.float\n")
    assert found.codes == (0, 0) and found.holds == (field != "files"), found.lines()
    if field == "written":
        assert found.written == 1
    else:
        assert name in "".join(map(str, found.as_dict()[field]))
    counted = len(found.files) + found.written + len(found.varying) + bool(found.not_compared)
    assert counted == 1
    if field in ("varying", "not_compared"):
        assert name in found.lines()[-1]


@pytest.mark.parametrize("value, holds", [("0.5", True), ("0.5 + old", False)])
def test_checkpoints_are_compared_by_value(value, holds, proof, tmp_path):
    """Names and shapes are the same in both cases."""
    source = (
        "old = 'np.float' + '\\n' in open(__file__).read()\nprint(1)\nimport shutil\n"
        "for end in ('.index', '.data-00000-of-00001'):\n"
        f"    shutil.copy({os.path.join(str(tmp_path), 'kept-')!r} + "
        f"('old' if {value} != 0.5 else 'new') + end, 'm' + end)\n"
        "import numpy as np\nnp.float\n"
    )
    for name, number in (("old", 1.5), ("new", 0.5)):
        np.savez(str(tmp_path / "a.npz"), w=np.float32([number, 2]))
        checkpoints.from_npz(str(tmp_path / "a.npz"), str(tmp_path / f"kept-{name}"))
    found = proof(source)
    assert found.codes == (0, 0) and found.holds is holds, found.lines()
    assert found.files == (() if holds else (("m.index", "1 tensors differ: w"),))
    assert found.checked == holds
