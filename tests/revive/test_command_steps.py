"""Command lines: what a shell would run, or a refusal that names the part."""

import pytest

from tfgraphtools.revive import command_steps
from tfgraphtools.revive.command_steps import NotUnderstood, Step

pytestmark = pytest.mark.once

#: A command line: its steps.
LINES = {
    "a script": ("python train.py --a 'b c'", [Step(("train.py", "--a", "b c"))]),
    "another Python": ("python2.7 -u train.py", [Step(("train.py",))]),
    "its options that are Python's, too": (
        "python -u t.py -B 32 -O adam",
        [Step(("t.py", "-B", "32", "-O", "adam"))],
    ),
    "two lines": ("python a.py\npython b.py", [Step(("a.py",)), Step(("b.py",))]),
    "a continued line": ("python a.py \\\n  --n 3", [Step(("a.py", "--n", "3"))]),
    "a comment that ends with a backslash": (
        "# python a.py \\\npython b.py",
        [Step(("b.py",))],
    ),
    "code of several lines": ("python -c 'a\nb'", [Step(("-c", "a\nb"))]),
    "a module": ("python3 -m pkg.train", [Step(("-m", "pkg.train"))]),
    "variables": ("A=1 B= python t.py", [Step(("t.py",), "", (("A", "1"), ("B", "")))]),
    "a folder": ("cd src/x && python t.py", [Step(("t.py",), "src/x")]),
    "a quoted separator": ("python -c 'a = 1; b(\">\")'", [Step(("-c", 'a = 1; b(">")'))]),
    "its own variables": (
        "D='a b' && export E=2 && python t.py \"$D\" ${E}x '$D' \\$1",
        [Step(("t.py", "a b", "2x", "$D", "$1"), "", (("E", "2"),))],
    ),
    "variables that are exported later, or were": (
        "D=1; F=3; HOME=/x\nexport D E=2\npython t.py",
        [Step(("t.py",), "", (("D", "1"), ("E", "2"), ("HOME", "/x")))],
    ),
    "a variable of a script": (
        "A=1 bash sub.sh",
        [Step(("c.py",), "", (("A", "1"),))],
    ),
    "a pattern of no file": ("python t.py [1,2] 'run.*'", [Step(("t.py", "[1,2]", "run.*"))]),
    "a comment": ("python t.py # $HOME", [Step(("t.py",))]),
    "in the background": ("python t.py &", [Step(("t.py",))]),
    "two": ("python a.py; python b.py", [Step(("a.py",)), Step(("b.py",))]),
    "pytest": ("pytest tests", [Step(("-m", "pytest", "tests"))]),
    "a file": ("./t.py x", [Step(("./t.py", "x"))]),
    "a script of a shell": (
        "bash run.sh",
        [Step(("a.py", "--n", "3"), "", (("D", "3"),)), Step(("b.py",), "sub", (("D", "3"),))],
    ),
}

SCRIPT = "#!/bin/sh\n# all\nexport D=3\npython a.py \\\n  --n $D\ncd sub\npython b.py &\n"


@pytest.mark.parametrize("case", LINES)
def test_steps(case, tmp_path):
    (tmp_path / "run.sh").write_text(SCRIPT)
    (tmp_path / "sub.sh").write_text("B=2\npython c.py\n")
    line, expected = LINES[case]
    assert command_steps.steps(line, str(tmp_path)) == expected


@pytest.mark.parametrize(
    "line",
    [
        "make all",
        "python t.py | tee log",
        "python t.py >log",
        "python a.py & python b.py",
        "cd .. && python t.py",
        "bash loop.sh",
        "python 't.py",
        "python t.py --dir $HOME/x",
        'python t.py --dir "`pwd`"',
        "python t.py --dir ~/x",
        "python t.py {a,b}",
        "python t.py *.sh",
        "D=1 python t.py $D",
        "python -W ignore t.py",
        "python -O t.py",
        "cd - && python t.py",
        "python t.py\0",
        "bash zero.sh",
    ],
)
def test_refusals(line, tmp_path):
    (tmp_path / "loop.sh").write_text("for i in 1 2; do\n  python t.py\ndone\n")
    (tmp_path / "zero.sh").write_text("python t.py\0 x\n")
    with pytest.raises(NotUnderstood):
        command_steps.steps(line, str(tmp_path))


@pytest.mark.parametrize("line", ["pytest out/test_a.py::b", "python -m out.a", "python -m b"])
def test_no_code_behind_a_link_that_leads_outside(line, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.py").write_text("")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "out").symlink_to("../outside")
    (tree / "b.py").symlink_to("../outside/b.py")
    with pytest.raises(NotUnderstood, match="leads out of the repository"):
        command_steps.steps(line, str(tree))


def test_commands_of_a_step():
    assert Step(("t.py", "1")).under_run("py") == ["py", "-m", "tfgraphtools", "run", "t.py", "1"]
    tests = Step(("-m", "pytest", "t"))
    assert tests.under_run("py")[-4:] == ["-p", "tfgraphtools", "-rfEp", "t"]
    assert tests.under_python("py") == ["py", "-m", "pytest", "-rfEp", "t"]
    assert Step(("t.py", "1")).under_python("py") == ["py", "t.py", "1"]
