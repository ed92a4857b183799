"""All stages on a small repository: results, the report, and the same after a kill."""

import ast
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

from tfgraphtools import cli, compat, revive
from tfgraphtools.analysis import scopes
from tfgraphtools.compat.doctor import install
from tfgraphtools.errors import ArgumentError, DestinationError
from tfgraphtools.revive import (
    command_results,
    environments,
    package_choices,
    revival,
    revival_report,
    revived_branch,
    tf1_environment,
)
from tfgraphtools.revive import command_steps as steps_module
from tfgraphtools.revive.declared_packages import Requirement
from tfgraphtools.revive.workspace import Workspace
from tfgraphtools.runs import copied_runs, tree_copies
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, UNSEEN, Finding

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(compat.is_tf1(), reason="revive acts on TF 2.x"),
]

PROGRAM = """\
import sys
def main(_):
    print("loss", 0.5 * len(sys.argv))
    open("log.txt", "w").write("done")
if __name__ == "__main__":
    main(sys.argv)
"""

DOCTOR = {
    "next_steps": [install.LEGACY],
    "constraints": ["# head", "# date", "# 3.0 removed x", "networkx<3"],
    "totals": {"works": {"names": 1, "uses": 2}},
    "names": [{"name": "tf.foo", "why": "gone", "places": ["a.py:1"], "status": "not supported"}],
}


class _Environment(environments.Environment):
    """This Python: nothing is installed, and `doctor` and `upgrade` print what they may print."""

    def __init__(self, folder):
        super().__init__(folder)
        self.python = sys.executable

    def create(self, python, log):
        os.makedirs(self.folder, exist_ok=True)

    def install(self, packages, log):
        return 0, ""

    def run_text(self, text, log, translated=()):
        return 0, "3.11.7"

    def versions(self, packages):
        return {"networkx": "2.8.8"} if "networkx" in packages else {"tensorflow": "2.21.0"}

    def tfgraphtools(self, words, log, folder=None):
        if words[0] == "doctor":
            return 0, json.dumps(DOCTOR)
        if words[0] == "legacy":
            return 0, ""
        with open(os.path.join(folder, "new.py"), "w") as file:
            file.write("")
        finding = Finding(3, "tf.foo", CANNOT, "left", "no such name", "write it by hand")._asdict()
        return 0, json.dumps({"files": [{"path": "a.py", "changes": 1, "findings": [finding]}]})


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "train.py").write_text(PROGRAM)
    (folder / "README.md").write_text("    python train.py --steps 3\n    python train.py DIR_X\n")
    (folder / "requirements.txt").write_text("networkx==1.11\n")
    return str(folder)


@pytest.fixture
def no_environment(monkeypatch):
    """Stages in this Python: what is tested is their order, results and copies."""
    monkeypatch.setattr(revival.environments, "Environment", _Environment)


@pytest.fixture
def quick(no_environment, monkeypatch):
    """The same, and Python alone instead of `run`."""
    under_python = steps_module.Step.under_python
    monkeypatch.setattr(
        steps_module.Step,
        "under_run",
        lambda step, python, **translated: under_python(step, python),
    )


def test_all_stages(repository, no_environment, tmp_path):
    before = tree_copies.digests(repository)
    stages = []
    revived = revive.Revival(repository, accepts_all=True, seconds=5, tell=stages.append)
    results = revived.all_stages()
    assert stages == list(revival.STAGES) and revived.passed
    assert revived.folder == repository + "-revived"
    assert tree_copies.digests(repository) == before
    (command,) = results["run"]["commands"]
    assert (command["line"], command["status"]) == ("python train.py --steps 3", "ended")
    folder = tmp_path / "repo-revived"
    text = (folder / "REVIVED.md").read_text()
    assert "| `python train.py --steps 3` | README.md:1 | ended |" in text
    assert "not run: `python train.py DIR_X` (README.md:2): DIR_X stands for something" in text
    assert (
        "a.py:3: tf.foo: no such name: write it by hand" in text and "tf.foo: gone (a.py:1)" in text
    )
    assert "Every command runs. The repository is as it was, file by file." in text
    page = (folder / "revived.html").read_text()
    assert "<td>ended</td>" in page and "<td class='place'>README.md:1</td>" in page
    repeated = text.partition("## Repeat it")[2].partition("##")[0]
    assert '"path/to/tfgraphtools[run]"' in repeated and "tfgraphtools legacy install" in repeated
    assert "\npython -m tfgraphtools run train.py --steps 3\n" in repeated
    assert "\npython train.py --steps 3\n" in repeated
    assert "tfgraphtools run train.py --steps 3" in (folder / "workflow.yml").read_text()
    pins = (folder / "requirements-revived.txt").read_text().splitlines()
    assert pins[-2:] == ["# requirements.txt:1: 3.0 removed x", "networkx==2.8.8"]
    log = subprocess.check_output(["git", "-C", str(folder / "upgraded"), "log", "--format=%s %D"])
    assert b"revived" in log.splitlines()[0] and log.splitlines()[1].startswith(b"The code as it")
    assert not (folder / "original" / "log.txt").exists()


@pytest.mark.parametrize("killed", revival.STAGES)
def test_a_kill_changes_nothing(killed, repository, quick, tmp_path, monkeypatch):
    def finish(self, stage, inputs, result):
        if stage == killed:
            raise KeyboardInterrupt
        return whole_finish(self, stage, inputs, result)

    whole_finish = Workspace.finish
    texts = []
    for name in ("whole", "killed"):
        arguments = {"commands": ["python train.py"], "folder": str(tmp_path / name), "seconds": 5}
        if name == "killed":
            monkeypatch.setattr(Workspace, "finish", finish)
            with pytest.raises(KeyboardInterrupt):
                revive.Revival(repository, **arguments).all_stages()
            monkeypatch.setattr(Workspace, "finish", whole_finish)
        stages = []
        revive.Revival(repository, resume=True, tell=stages.append, **arguments).all_stages()
        texts.append((tmp_path / name / "REVIVED.md").read_text())
    assert texts[0] == texts[1]
    assert stages == list(revival.STAGES[revival.STAGES.index(killed) :])


def test_another_command_runs_again(repository, quick, tmp_path):
    stages = []
    for command in ("python train.py", "python train.py 1"):
        del stages[:]
        revive.Revival(
            repository, [command], str(tmp_path / "out"), seconds=5, resume=True, tell=stages.append
        ).all_stages()
    assert stages == ["run", "compare", "upgrade", "checkpoints", "report"]


def test_a_failure_is_in_the_report(repository, quick, tmp_path, capsys):
    words = ["revive", repository, "--run", "python nowhere.py", "--seconds", "5"]
    assert cli.main(words) == 1
    assert "run: python nowhere.py: failed" in capsys.readouterr().out
    text = (tmp_path / "repo-revived" / "REVIVED.md").read_text()
    assert "Not every command runs." in text and "Next: " in text


def test_a_module_whose_package_needs_consent(repository, quick, tmp_path):
    with open(os.path.join(repository, "old.py"), "w") as file:
        file.write("import no_table_has_it.layers\n")
    results = revive.Revival(repository, ["python old.py"], seconds=5).all_stages()
    (command,) = results["run"]["commands"]
    remedy = command["cause"]["remedy"]
    assert remedy.startswith("no-table-has-it (old.py:1) is not installed: ") and "--yes" in remedy


def test_a_file_that_is_written_before_it_is_read(repository, quick, tmp_path):
    text = (
        "name = 'best.npz'\nopen(name, 'w').close()\nopen('best.npz')\nif 0:\n    open('x.npz')\n"
    )
    (tmp_path / "repo" / "train.py").write_text(text)
    revive.Revival(repository, ["python train.py"], seconds=5).all_stages()
    report = (tmp_path / "repo-revived" / "REVIVED.md").read_text()
    assert "`best.npz` is not in the repository (train.py:3); the commands write it\n" in report
    assert "`x.npz` is not in the repository (train.py:5)\n" in report


def test_data_of_a_command_that_was_stopped(repository, quick, tmp_path):
    (tmp_path / "repo" / "slow.py").write_text(
        "import time\nfor i in range(999):\n    print('step', i)\n    time.sleep(.05)\n"
    )
    (tmp_path / "repo" / "test.py").write_text("open('model.npz')\n")
    (tmp_path / "repo" / "half.py").write_text("raise ValueError('Unable to open table file')\n")
    (tmp_path / "repo" / "last.py").write_text("open('half.npz')\n")
    scripts = ["slow.py", "test.py", "half.py", "last.py"]
    commands = [*(f"python {script}" for script in scripts), "pytest -q half.py"]
    results = revive.Revival(repository, commands, seconds=3).run()["commands"]
    slow, test, half, last, tests = results
    assert slow["cause"] is None and "'python slow.py' writes" in test["cause"]["remedy"]
    assert "'python test.py' writes: that failed." in half["cause"]["remedy"]
    assert "'python half.py' writes: that failed." in last["cause"]["remedy"]
    assert "1 error" in tests["cause"]["what"] and "last.py" not in tests["cause"]["remedy"]


def test_tests_need_pytest(repository, quick, tmp_path):
    packages = revive.Revival(repository, ["cd a && py.test -x"]).plan.packages
    assert [(p.package, p.place, p.is_known) for p in packages][-1] == ("pytest", "--run", True)
    packages = revive.Revival(repository, ["python train.py"], resume=True).plan.packages
    assert [package.package for package in packages] == ["networkx"]
    (tmp_path / "repo" / "test_a.py").write_text("import pytest\n")
    packages = revive.Revival(repository, accepts_all=True, resume=True).plan.packages
    assert [(p.package, p.place) for p in packages][-1] == ("pytest", "test_a.py:1")


def test_consent_beside_commands_is_for_packages_only(repository, quick):
    revived = revive.Revival(repository, ["python train.py"], accepts_all=True, seconds=5)
    assert [command["line"] for command in revived.run()["commands"]] == ["python train.py"]


@pytest.mark.parametrize("place", ["train.py", "conf/a.yaml", "the command"])
def test_a_path_of_the_original_is_not_run(place, repository, quick, tmp_path):
    path = os.path.join(repository, "log.txt")
    if place != "the command":
        (tmp_path / "repo" / "conf").mkdir()
        (tmp_path / "repo" / place).write_text(f"out = '{path}'\n")
    command = "python train.py " + (path if place == "the command" else "")
    result = revive.Revival(repository, [command], seconds=5).run()["commands"][0]
    assert not result["runs"] and "which a run could change" in result["cause"]["what"]
    assert not os.path.exists(path)


@pytest.mark.parametrize("form", ["end", "link", "home folder", "longer name", "part"])
def test_forms_of_the_path_of_the_original(form, repository, quick, tmp_path, monkeypatch):
    os.symlink(repository, str(tmp_path / "link"))
    monkeypatch.setenv("HOME", str(tmp_path))
    path = {
        "end": repository,
        "link": str(tmp_path / "link" / "out"),
        "home folder": "~/repo/out",
        "longer name": repository + "-2/x",
        "part": "y" + repository + "/x",
    }[form]
    (tmp_path / "repo" / "train.py").write_text(f"place = '{path}'\n")
    named = str(tmp_path / "link") if form == "link" else repository
    result = revive.Revival(named, ["python train.py"], seconds=5).run()["commands"][0]
    assert result["runs"] == (form in ("longer name", "part"))


def test_variables_that_lead_to_the_original(repository, quick, tmp_path, monkeypatch):
    (tmp_path / "repo" / "lib").mkdir()
    (tmp_path / "repo" / "lib" / "deep.py").write_text("")
    (tmp_path / "repo" / "train.py").write_text(
        "import os, deep\nprint(deep.__file__, os.environ['PWD'], os.environ['PYTHONPATH'])\n"
        "assert os.environ['PWD'] == os.getcwd() == deep.__file__[:-len('/lib/deep.py')]"
    )
    monkeypatch.setenv("PWD", repository)
    inherited = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([repository + "/lib", "sub", inherited]))
    revived = revive.Revival(repository, ["python train.py"], seconds=5)
    assert revived.run()["commands"][0]["cause"] is None
    printed = (tmp_path / "repo-revived" / "logs" / "run-1-step-1.out").read_text()
    assert "/runs/run/lib:sub:" in printed


def test_programs_of_the_environment_import_nothing_of_the_repository(tmp_path, monkeypatch):
    (tmp_path / "pip.py").write_text("print('mine')")
    (tmp_path / "tfgraphtools.py").write_text("print('mine')")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    environment = environments.Environment(str(tmp_path / "out" / "environment"))
    environment.python = sys.executable
    with open(str(tmp_path / "log"), "w") as log:
        code, text = environment.install(["./no_such_folder"], log)
        assert code and "mine" not in text
        assert environment.run_text("print(6 * 7)", log)[1].split()[-1] == "42"
        assert "mine" not in environment.tfgraphtools(["--version"], log)[1]


def test_a_relative_path_of_tf1(repository, quick, tmp_path, monkeypatch):
    os.symlink(sys.executable, str(tmp_path / "python-tf1"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(revival.tf1_python, "require_tf1", lambda *_: None)
    revived = revive.Revival(repository, ["python train.py"], tf1="./python-tf1", seconds=5)
    assert "1 of 1 numbers agree" in revived.compare()["commands"][0]["text"]


def test_an_environment_that_is_gone_is_made_again(repository, quick, tmp_path, monkeypatch):
    python = str(tmp_path / "python")
    monkeypatch.setattr(_Environment, "create", lambda self, *_: open(python, "w").close())
    for _ in range(2):
        stages = []
        revived = revive.Revival(
            repository, ["python train.py"], resume=True, seconds=5, tell=stages.append
        )
        revived._environment.python = python
        revived.environment()
        assert "environment" in stages
        os.remove(python)


def test_a_change_of_the_original_is_reported(repository, quick, tmp_path, capsys):
    words = ["revive", repository, "--run", "python train.py", "--seconds", "5"]
    assert cli.main(words) == 0
    assert "The repository is as it was" in capsys.readouterr().out
    revived = revive.Revival(repository, ["python train.py"], resume=True, seconds=5)
    revived.upgrade()
    (tmp_path / "repo" / "README.md").write_text("changed")
    (tmp_path / "repo" / "new.py").write_text("")
    expected = "In the repository, 2 files changed since it was copied: README.md, new.py."
    assert revived.report()["original"] == expected
    assert expected in (tmp_path / "repo-revived" / "REVIVED.md").read_text()


@pytest.mark.parametrize("name", ["data.txt", "train.py"])
def test_a_repository_that_changed_is_copied_again(name, repository, quick, tmp_path):
    (tmp_path / "repo" / "train.py").write_text("print(open('data.txt').read())")

    def stages():
        told = []
        revived = revive.Revival(
            repository, ["python train.py"], resume=True, seconds=5, tell=told.append
        )
        revived.all_stages()
        return revived.passed, told

    assert stages() == (False, list(revival.STAGES)) and stages() == (False, [])
    (tmp_path / "repo" / name).write_text("'3.0'")
    repeated = [stage for stage in revival.STAGES if name == "train.py" or stage != "environment"]
    assert stages() == (True, repeated) and stages() == (True, [])


def test_a_program_that_removes_its_folder(repository, quick):
    remove = "python -c 'import os, shutil; shutil.rmtree(os.getcwd())'"
    revived = revive.Revival(repository, [remove, "python train.py", remove[:-1] + "; 1 / 0'"])
    results = revived.all_stages()["run"]["commands"]
    assert [command["status"] for command in results] == ["ended", "ended", "failed"]
    assert results[2]["cause"]["what"].startswith("ZeroDivisionError")


@pytest.mark.parametrize(
    "line, cause",
    [
        ("python none.py", "run none.py: expected the file of a script"),
        ("cd none && python train.py", "[Errno 2] No such file or directory: 'none'"),
        ("echo done", "no part of it is a program of Python"),
    ],
)
def test_a_command_that_runs_nothing(line, cause, repository, no_environment):
    (command,) = revive.Revival(repository, [line], seconds=5).run()["commands"]
    assert not command["runs"] and command["cause"]["kind"] == "command"
    assert cause in command["cause"]["what"].replace(repository + "-revived/runs/run/", "")


def test_files_are_compared_with_tf1(repository, quick, monkeypatch, capsys):
    """Two Pythons, as TF 1.15 and this one: one says "tf1" in what the programs write."""
    program = (
        "import os, sys\nside = os.path.basename(os.getcwd())\n"
        "open('same.txt', 'w').write('loss 0.5')\n"
        "open('side.txt', 'w').write(side[:3])\n"
        "open('every.txt', 'w').write(side)\nprint(1)\n"
    )
    with open(os.path.join(repository, "train.py"), "w") as file:
        file.write(program)
    monkeypatch.setattr(revival.tf1_python, "require_tf1", lambda python, option: None)
    words = ["revive", repository, "--run", "python train.py", "--tf1", sys.executable]
    assert cli.main([*words, "--seconds", "5"]) == 0
    assert "TF 1.15: 1 of 2 written files are as on TF 1.15; 1 vary there" in (
        capsys.readouterr().out
    )
    with open(repository + "-revived/REVIVED.md") as file:
        text = file.read()
    assert "- `every.txt`: not compared: it varies between two runs of TF 1.15" in text
    assert "- `side.txt`: its words differ" in text


#: Which installations fail: the packages that are tried, the last ones together with the first.
TF1_PACKAGES = {
    "all at once": ([], [["six==1.0", "gym"]]),
    "no such pin": (["six==1.0"], [["six==1.0", "gym"], ["six==1.0"], ["six>=1,<2"], ["gym"]]),
    "no such major version": (
        ["six==1.0", "six>=1,<2"],
        [["six==1.0", "gym"], ["six==1.0"], ["six>=1,<2"], ["six"], ["gym"]],
    ),
    "no such package": (["gym"], [["six==1.0", "gym"], ["six==1.0"], ["gym"], ["gym"]]),
}


@pytest.mark.parametrize("case", TF1_PACKAGES)
def test_an_environment_with_tf1(case, monkeypatch, tmp_path):
    failing, expected = TF1_PACKAGES[case]
    tried = []

    def call(words, log, *_):
        packages = words[words.index("--quiet") + 1 :] if "--quiet" in words else []
        tried.append([name for name in packages if name not in tf1_environment._BASE])
        return int(bool(set(failing) & set(packages))), "no such version"

    monkeypatch.setattr(environments, "call", call)
    packages = [Requirement("six", "==1.0", "a.txt:1"), Requirement("gym", "", "a.py:1")]
    python = tf1_environment.make(str(tmp_path / "tf1"), "python3.7", packages, None)
    assert python == str(tmp_path / "tf1" / "bin" / "python")
    assert [names for names in tried if names] == expected
    failing.append("tensorflow==1.15.5")
    with pytest.raises(ArgumentError, match="no such version"):
        tf1_environment.make(str(tmp_path / "tf1"), "python3.7", packages, None)
    failing.pop()


def test_a_python_without_tensorflow(tmp_path):
    assert not tf1_environment.lacks_tensorflow(sys.executable)
    assert not tf1_environment.lacks_tensorflow(str(tmp_path / "none"))


def test_two_calls_in_one_folder(repository, quick, tmp_path):
    code = (
        "import sys; from tfgraphtools.revive.workspace import Workspace\n"
        "with Workspace(*sys.argv[1:]).locked():\n    print('held', flush=True); input()\n"
    )
    words = [sys.executable, "-c", code, repository, str(tmp_path / "repo-revived")]
    revived = revive.Revival(repository, ["python train.py"], seconds=5)
    os.remove(str(tmp_path / "repo-revived" / "revive.json"))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, **pipes) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(DestinationError, match="no other 'revive' works"):
            revived.all_stages()
        other.kill()
    assert revived.all_stages()["run"]["commands"][0]["runs"]


class _Upgrade:
    """Stands for an environment whose `upgrade` puts small letters for capitals, by fix."""

    fixes = (("python2.print", "P"), ("tensorflow.mul", "T"), ("urllib.quote", "U"))

    def tfgraphtools(self, words, log, folder):
        roots = words[words.index("--select") + 1 :] if "--select" in words else [""]
        path = os.path.join(folder, "a.py")
        with open(path) as file:
            text = file.read()
        findings = []
        for fix, letter in self.fixes:
            if fix.startswith(roots[0]) and letter in text:
                text = text.replace(letter, letter.lower())
                findings.append(Finding(1, fix, REWRITTEN, fix, "")._asdict())
        with open(path, "w") as file:
            file.write(text)
        findings.append(Finding(2, "x", UNSEEN, "", "not installed")._asdict())
        files = [{"path": "a.py", "changes": 1, "error": None, "findings": findings}]
        files.append({"path": "b.py", "changes": 0, "error": "cannot be read", "findings": []})
        return 0, json.dumps({"files": files})


def test_a_commit_for_each_kind_of_change(tmp_path):
    (tmp_path / "a.py").write_text("PTU\n")
    with open(os.devnull, "w") as log:
        result = revived_branch.upgrade(str(tmp_path), _Upgrade(), log)
    words = ["git", "-C", str(tmp_path), "log", "--reverse", "--format=%s", "-p", "-U0"]
    lines = subprocess.check_output(words, universal_newlines=True).splitlines()
    shown = [line for line in lines if not line.startswith(("diff", "new", "index", "@@", "--"))]
    assert [line for line in shown if line and "+++" not in line and line[0] != "-"] == [
        "The code as it was", "+PTU",
        "Upgrade: Python 2", "+pTU",
        "Upgrade: names of TensorFlow", "+ptU",
        "Upgrade: the rest", "+ptu",
    ]  # fmt: skip
    assert (tmp_path / "a.py").read_text() == "ptu\n" and result["changed"] == 1
    assert [(e["path"], e["detail"]) for e in result["left"]] == [
        ("a.py", "not installed"),
        ("b.py", "cannot be read"),
    ]


def test_code_of_the_command_line_is_not_upgraded(repository, quick):
    line = "python -c 'import os; assert not os.path.exists(\"new.py\")'"
    revived = revive.Revival(repository, [line], seconds=5)
    cause = revived.upgrade()["commands"][0]["cause"]
    assert revived.run()["commands"][0]["runs"]
    assert (cause["kind"], cause["remedy"][-9:]) == ("command", "into one.")


@pytest.mark.parametrize("error", ["SyntaxError: x", "TabError: inconsistent use of tabs"])
def test_python_2_does_not_fail_on_tf1(error):
    ends = {"line": "python a.py", "runs": True, "status": "ended"}
    cause = {"kind": "code", "what": error, "place": "a.py:1", "remedy": ""}
    fails = dict(ends, runs=False, status="failed", cause=cause)
    verdict = command_results.compared(ends, fails, fails, None, None, None)
    assert verdict["text"] == "not comparable: the Python of --tf1 cannot read this code"


@pytest.mark.parametrize(
    "ours, theirs, text",
    [
        ("ended", "failed", "not comparable: it fails on TF 1.15 (code: x)"),
        ("failed", "failed", "not comparable: it fails on TF 1.15, too (code: x)"),
        ("ended", "made no progress", "not comparable: it was stopped before it ended"),
        ("made no progress", "made no progress", "not comparable: it was stopped before it ended"),
        ("failed", "ended", "not comparable: it runs on TF 1.15 only"),
    ],
)
def test_what_is_not_comparable(ours, theirs, text):
    cause = {"kind": "code", "what": "x", "place": "", "remedy": ""}
    ours, theirs = (
        {"line": "python a.py", "runs": status == "ended", "status": status, "cause": cause}
        for status in (ours, theirs)
    )
    assert command_results.compared(ours, theirs, theirs, None, None, None)["text"] == text


#: What pytest prints under run, under TF 1.15 and there again: the comparison.
TESTS = {
    "the same": ("PASSED a::b\nFAILED a::c - E", ("FAILED a::c - F\nPASSED a::b",) * 2, "2 of 2"),
    "another": (
        "PASSED a::b\nERROR a::c",
        ("PASSED a::b\nPASSED a::c",) * 2,
        "1 of 2 tests end as on TF 1.15; a::c: PASSED there, ERROR here",
    ),
    "not run here": ("PASSED a::b", ("PASSED a::b\nPASSED a::c",) * 2, "1 of 2"),
    "one that varies": (
        "PASSED a::b\nPASSED a::c",
        ("PASSED a::b\nFAILED a::c", "PASSED a::b\nPASSED a::c"),
        "1 of 1 tests end as on TF 1.15; 1 vary",
    ),
}


@pytest.mark.parametrize("case", TESTS)
def test_tests_are_compared_one_by_one(case):
    ours, theirs, expected = TESTS[case]
    runs = [copied_runs.CopiedRun(1, text, "") for text in (ours, *theirs)]
    verdict = command_results.compared({"line": "pytest"}, {}, {}, *runs)
    assert verdict["text"].startswith(expected)
    assert verdict["same"] == (case in ("the same", "one that varies"))


def test_code_that_needs_keras_2(repository, quick, tmp_path, monkeypatch):
    (tmp_path / "repo" / "train.py").write_text(
        "import os\nif os.path.exists('new.py'):\n"
        "    assert os.environ.get('TF_USE_LEGACY_KERAS') == '1', 'keras'\n"
    )
    revived = revive.Revival(repository, ["python train.py"], seconds=5)
    revived.all_stages()
    (command,) = revived.upgrade()["commands"]
    assert command["runs"] and command["line"] == "python train.py"
    assert command["repeat"] == ["TF_USE_LEGACY_KERAS=1 python train.py"]
    text = (tmp_path / "repo-revived" / "REVIVED.md").read_text()
    assert "ended, with TF_USE_LEGACY_KERAS=1 |" in text


@pytest.mark.parametrize("line", ["1 / 0", "open('a/b.txt')", "import no_such_module"])
def test_an_upgrade_that_breaks_is_ours(line, repository, quick, monkeypatch):
    def upgrade(self, words, log, folder=None):
        if words[0] == "upgrade":
            with open(os.path.join(folder, "train.py"), "w") as file:
                file.write("x = 1\n" + line + "\n")
        return 0, json.dumps(DOCTOR) if words[0] == "doctor" else '{"files": []}'

    monkeypatch.setattr(_Environment, "tfgraphtools", upgrade)
    revived = revive.Revival(repository, ["python train.py"], seconds=5)
    assert revived.run()["commands"][0]["runs"] and not revived.passed
    cause = revived.upgrade()["commands"][0]["cause"]
    assert (cause["kind"], cause["place"]) == ("this library", "train.py:2")


LEFT = [Finding(3, "x.encode", CANNOT, "left", "it gives bytes", "leave it out")._asdict()]
LEFT = [dict(finding, path="b.py") for finding in LEFT]


@pytest.mark.parametrize(
    "place, left, remedy",
    [
        ("a.py:1", [], "or change this line by hand."),
        ("", [], "or see which uses are left."),
        ("b.py:3", LEFT, "or change this line: x.encode: leave it out."),
        ("a.py:1", LEFT, "or change what is left, first b.py:3, x.encode: leave it out."),
        (
            "lib/c.py:1",
            [*LEFT, dict(LEFT[0], path="lib/d.py")],
            "first lib/d.py:3, x.encode: leave it out.",
        ),
        ("a.py:1", [dict(LEFT[0], status=UNSEEN)], "or change this line by hand."),
    ],
)
def test_the_remedy_of_an_upgrade_that_breaks(place, left, remedy):
    cause = {"kind": "code", "what": "it did not end", "place": place, "remedy": ""}
    after = {"line": "python a.py", "cause": cause, "status": "failed"}
    command_results.blame({"runs": True}, after, left)
    assert cause["remedy"].endswith(remedy)


def test_an_upgrade_that_only_takes_longer_is_not_to_blame():
    cause = {"kind": "code", "what": "it did not end", "place": "", "remedy": "More --seconds."}
    after = {"line": "python a.py", "cause": cause, "status": "made no progress"}
    command_results.blame({"runs": True}, after, LEFT)
    assert cause["kind"] == "code" and cause["remedy"].startswith("More --seconds. If that")
    assert cause["remedy"].endswith("first b.py:3, x.encode: leave it out.")


def test_a_run_that_finds_what_the_one_before_wrote(repository, quick, tmp_path):
    path = str(tmp_path / "outside")
    revived = revive.Revival(repository, [f"python -c 'import os; os.mkdir(\"{path}\")'"])
    revived.all_stages()
    cause = revived.upgrade()["commands"][0]["cause"]
    assert cause["kind"] == "command" and f"give another path: {path}" in cause["remedy"]


def test_the_plan_alone_writes_nothing(repository, tmp_path, capsys):
    (tmp_path / "repo" / "train.py").write_text("import tensorflow as tf\ntf.app.run()\n")
    assert cli.main(["revive", repository]) == 0
    printed = capsys.readouterr().out
    assert f"next: run these commands: tfgraphtools revive {repository} --yes" in printed
    assert printed.endswith("--run 'python train.py --steps 10'\n")
    (tmp_path / "repo" / "train.py").write_text("import no_table_has_it\nimport tensorflow.contrib")
    cli.main(["revive", repository])
    assert capsys.readouterr().out.endswith("--run 'python train.py --steps 10' --yes\n")
    assert os.listdir(str(tmp_path)) == ["repo"]


def test_the_report_says_how_to_repeat_it(repository, quick, tmp_path):
    (tmp_path / "repo" / "train.py").write_text("open('repeated', 'a').write('1')\n")
    revived = revive.Revival(repository, ["python train.py"], seconds=5)
    revived.all_stages()
    text = (tmp_path / "repo-revived" / "REVIVED.md").read_text()
    block = text.partition("## Repeat it\n\n```sh\n")[2].partition("```")[0]
    lines = [line for line in block.splitlines() if not line.startswith(("pip ", "tfgraphtools "))]
    (tmp_path / "bin").mkdir()
    os.symlink(sys.executable, str(tmp_path / "bin" / "python"))
    variables = dict(os.environ, PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    subprocess.run(
        ["sh", "-e", "-c", "\n".join(lines)], cwd=revived.folder, env=variables, check=True
    )
    for name in ("original", "upgraded"):
        assert (tmp_path / "repo-revived" / name / "repeated").exists()


def test_names_of_files_that_are_no_utf_8(repository, quick, tmp_path, capsys):
    for name in (b"caf\xe9.txt", b"caf\xe9.py"):
        with open(os.path.join(os.fsencode(repository), name), "w") as file:
            file.write(
                "if __name__ == '__main__':\n    print(1)\nelse:\n    import tensorflow.contrib"
            )
    (tmp_path / "repo" / "README.md").write_text("")
    assert cli.main(["revive", repository]) == 0 and "caf\\udce9.py" in capsys.readouterr().out
    revived = revive.Revival(repository, accepts_all=True, seconds=5)
    revived.all_stages()
    assert revived.passed and len(revived.run()["commands"]) == 2
    assert "caf\\udce9.py" in (tmp_path / "repo-revived" / "REVIVED.md").read_text()


def test_one_command_twice(repository, quick, tmp_path):
    (tmp_path / "repo" / "train.py").write_text("import os\nos.mkdir('out')\n")
    revive.Revival(repository, ["python train.py"] * 2, seconds=5).all_stages()
    text = (tmp_path / "repo-revived" / "REVIVED.md").read_text()
    rows = [line.split(" | ")[2:5:2] for line in text.splitlines() if line.startswith("| `python")]
    assert rows == [["ended", "ended |"], ["**failed**", "**failed** |"]]


def test_the_next_step_can_be_typed(tmp_path, capsys):
    folder = tmp_path / "it's a repo"
    folder.mkdir()
    (folder / "test a.py").write_text("import tensorflow as tf\ntf.Session()\n")
    options = ["--seconds", "5", "--python", "3.11", "--out", str(tmp_path / "o u t")]
    cli.main(["revive", str(folder), *options])
    words = shlex.split(capsys.readouterr().out.splitlines()[-1].partition(": ")[2])
    arguments = cli.build_parser("revive").parse_args(words[1:])
    assert (arguments.repository, arguments.seconds) == (str(folder), 5)
    assert (arguments.python, arguments.out) == ("3.11", options[-1])


def test_tests_with_a_space_in_their_name(repository, quick, tmp_path):
    (tmp_path / "repo" / "of it").mkdir()
    (tmp_path / "repo" / "of it" / "test_it's.py").write_text("def test_a():\n    pass\n")
    (tmp_path / "repo" / "README.md").write_text("")
    command = revive.Revival(repository, accepts_all=True).run()["commands"][-1]
    assert command["runs"] and command["line"].startswith("python -m pytest")


def test_json(repository, quick, capsys):
    words = ["revive", repository, "--json", "--seconds", "5"]
    assert cli.main(words) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["commands"][0]["line"] == "python train.py --steps 3"
    assert plan["packages"][0]["limit"] == "==1.11" and plan["python"][0] == "Python 3"
    assert cli.main([*words, "--run", "python train.py"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert results["passed"] and results["run"]["commands"][0]["status"] == "ended"


def test_code_of_given_commands_is_not_examined_twice(repository, quick, monkeypatch, capsys):
    monkeypatch.setattr("tfgraphtools.upgrade.examine", None)
    assert cli.main(["revive", repository, "--run", "python train.py", "--seconds", "5"]) == 0


def test_nothing_to_do(repository, capsys, tmp_path, monkeypatch):
    """Each source is parsed once, no command runs, and nothing is written."""
    texts = [f"import numpy as np\nfrom b{n} import y\nx = np.zeros({n})\n" for n in range(9)]
    for number, text in enumerate(texts):
        (tmp_path / "repo" / f"a{number}.py").write_text(text)
        (tmp_path / "repo" / f"b{number}.py").write_text(f"y = {number}\n")
    parsed, parse = [], ast.parse
    monkeypatch.setattr(ast, "parse", lambda text, *a, **k: parsed.append(text) or parse(text, *a))
    monkeypatch.setattr(environments, "call", None)
    assert cli.main(["revive", repository, "--yes"]) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert os.listdir(str(tmp_path)) == ["repo"]
    assert [parsed.count(text) for text in texts] == [1] * 9
    assert scopes.tree_of.cache_info().currsize == 0


def test_no_command(repository, tmp_path):
    with pytest.raises(ArgumentError, match="--run 'python train.py"):
        revive.Revival(repository)
    assert os.listdir(str(tmp_path)) == ["repo"]


class _Index(_Environment):
    """An environment whose index has these versions only; `broken` ones do not import."""

    def __init__(self, versions, broken=(), stuck=()):
        self._versions, self._broken, self._installed = versions, broken, {}
        self._stuck = stuck

    def create(self, python, log):
        self._installed = {}

    def install(self, packages, log):
        for spec in packages:
            if self._versions.get(spec) == "needs old":
                asked = f"b==1 (from {spec.partition('=')[0]}) (from versions: 2)"
                return 1, f"ERROR: No version that satisfies the requirement {asked}\nERROR: b==1\n"
            if spec not in self._versions and not spec.startswith(("tensorflow", "--")):
                return 1, f"ERROR: No matching distribution found for {spec}"
        self._installed.update(
            (re.match(r"[\w.-]+", spec).group(), self._versions.get(spec)) for spec in packages
        )
        return 0, ""

    def run_text(self, text, log, translated=()):
        olds = [name for name in self._broken if self._installed[name] < "2"]
        broken = {name: ("ImportError: x", "") for name in olds}
        stuck = [name for name in self._stuck if name not in translated][:1]
        advice = (
            "'tfgraphtools run --v1-package {0} ...' translates {0} too (b.C left Python 3.10)."
        )
        broken.update((name, ("ImportError: y", advice.format(name))) for name in stuck)
        return 0, "imports that fail: " + json.dumps(broken)

    def versions(self, packages):
        return {name: self._installed[name] for name in packages if self._installed.get(name)}


def test_an_environment_gets_a_pkg_resources_that_finds_packages(tmp_path, monkeypatch):
    environment, installed = environments.Environment(str(tmp_path / "e")), []
    monkeypatch.setattr(environments, "call", lambda *args: (0, ""))
    monkeypatch.setattr(environment, "_write_path", lambda folders: None)
    monkeypatch.setattr(environment, "install", lambda names, log: installed.extend(names))
    environment.create(None, None)
    assert installed == [environments.SETUPTOOLS]


#: What is asked for, what the index has, and the version that is chosen with its reason.
CHOICES = {
    "the pin": ("==1.1", {"a==1.1": "1.1", "a": "2.0"}, (), "1.1", "r.txt:1 asks for it"),
    "no pin": ("", {"a": "2.0"}, (), "2.0", "no version is asked for"),
    "a pin of what is not imported": ("==1.1", {"a": "2.0"}, (), "2.0", "no source imports it"),
    "a pin that is gone": (
        "==0.9",
        {"a": "2.0"},
        (),
        "2.0",
        "a==0.9 cannot be installed",
    ),
    "a pin that is gone, of a known major version": (
        "==1.1",
        {"a>=1,<2": "1.9", "a": "2.0"},
        (),
        "1.9",
        "a==1.1 cannot be installed or imported",
    ),
    "a pin before 1.0": (
        "==0.19.1",
        {"a>=0.19,<0.20": "0.19.9", "a<1": "0.24", "a": "2.0"},
        (),
        "0.19.9",
        "a==0.19.1 cannot be installed or imported",
    ),
    "a major version that does not import": (
        "==1.1",
        {"a==1.1": "1.1", "a>=1,<2": "1.9", "a": "2.0"},
        ("a",),
        "2.0",
        "a==1.1 cannot be installed or imported beside",
    ),
    "a pin that does not import": (
        "==1.1",
        {"a==1.1": "1.1", "a": "2.0"},
        ("a",),
        "2.0",
        "a==1.1 cannot be installed or imported",
    ),
    "nothing": ("==1.1", {}, (), None, "a: ERROR: No matching distribution found for a; r.txt:1"),
}


@pytest.mark.parametrize("case", CHOICES)
def test_choices_of_versions(case, tmp_path):
    limit, versions, broken, version, reason = CHOICES[case]
    modules = () if "not imported" in case else ("a",)
    package = Requirement("a", limit, "r.txt:1", modules)
    with open(str(tmp_path / "log"), "w") as log:
        (choice,), _ = package_choices.install(
            _Index(versions, broken), [package], {}, True, None, log
        )
    assert choice.version == version and choice.reason.startswith(reason)


def test_versions_that_others_need(tmp_path):
    """`doctor` names numpy, which the code does not: pip gets it as a limit."""
    limits = []

    class _Limited(_Index):
        def install(self, packages, log):
            with open(packages[packages.index("-c") + 1]) as file:
                limits.append(file.read())
            self._installed["numpy"] = "1.26.4"
            return super().install(packages[: packages.index("-c")], log)

    index = _Limited({"pandas==1.5.3": "1.5.3"})
    index.folder = str(tmp_path / "environment")
    package = Requirement("pandas", "", "a.py:1", ("pandas",))
    constraints = {
        "pandas": ("pandas==1.5.3", "why"),
        "numpy": ("numpy==1.26.4", "pandas 1.5.3 needs it of its own years"),
        "setuptools": ("setuptools<81", "the environment has it"),
    }
    with open(str(tmp_path / "log"), "w") as log:
        choices, _ = package_choices.install(index, [package], constraints, True, None, log)
    assert limits == ["numpy==1.26.4\n"]
    lines = package_choices.requirements(choices, "2.21", "3.11")
    reason = "# tfgraphtools doctor: pandas 1.5.3 needs it of its own years"
    assert lines[-4:] == [reason, "numpy==1.26.4", "# a.py:1: why", "pandas==1.5.3"]


def test_pins_that_the_index_lacks_cost_one_try_each(tmp_path, monkeypatch):
    names = [f"p{number}" for number in range(20)]
    near = {"p5>=0.1,<0.2": "0.1.5", "p7>=1,<2": "1.5"}
    old = {"p3==1": "1", "p7==1": "needs old"}
    index = _Index({**{name: "2.0" for name in names[1:]}, **old, **near})
    limits = {"p3": "==1", "p5": "==0.1", "p0": "==0.1", "p7": "==1"}
    packages = [Requirement(n, limits.get(n, ""), "r.txt:1", (n,)) for n in names]
    tries, whole_install = [], _Index.install
    monkeypatch.setattr(
        _Index, "install", lambda self, *args: tries.append(1) or whole_install(self, *args)
    )
    with open(str(tmp_path / "log"), "w") as log:
        choices, _ = package_choices.install(index, packages, {}, True, None, log)
    versions = {choice.package: choice.version for choice in choices}
    assert versions == dict({n: "2.0" for n in names}, p0=None, p3="1", p5="0.1.5", p7="1.5")
    assert len(tries) == 7  # p0==0.1, two near it, p0, p5==0.1, p7==1, and all


#: Pins, what excludes each other, and what is installed: a pin that is only preferred goes first.
CONFLICTS = {
    "with TensorFlow": ({}, "p3==0.1, p3==0.2 and tensorflow==2.21.0", {"p3": None}, 2),
    "of a pin": ({"p3": "==1"}, "p3==1 and p5", {"p3": "1.9"}, 2),
    "of two pins": ({"p3": "==1", "p5": "==1"}, "p3==1 and p5==1", {"p3": "1", "p5": "1.8"}, 2),
    "of three": ({"p3": "==1"}, "p3==1, p5, and tensorflow==2.21.0", {"p3": "1.9"}, 2),
    "of nobody": ({}, "x and y", {"p3": None}, 7),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_packages_that_exclude_each_other_cost_one_try(case, tmp_path, monkeypatch):
    limits, conflict, expected, count = CONFLICTS[case]
    names = [f"p{number}" for number in range(8)]
    old = {"p3==1": "1", "p5==1": "1", "p3>=1,<2": "1.9", "p5>=1,<2": "1.8"}
    index = _Index({**{name: "2.0" for name in names}, **old})
    packages = [Requirement(n, limits.get(n, ""), "r.txt:1", (n,)) for n in names]
    tries, whole_install = [], _Index.install
    excluded = {spec for spec in conflict.replace(",", "").split() if spec in ("p3==1", "p5==1")}
    excluded = excluded or {"p3"}

    def install(self, specs, log):
        tries.append(specs)
        if excluded.issubset(specs):
            text = f"ERROR: Cannot install {conflict} because these package versions have"
            return 1, text + " conflicting dependencies.\nERROR: ResolutionImpossible: for help"
        return whole_install(self, specs, log)

    monkeypatch.setattr(_Index, "install", install)
    with open(str(tmp_path / "log"), "w") as log:
        choices, _ = package_choices.install(index, packages, {}, True, None, log)
    versions = {choice.package: choice.version for choice in choices}
    assert versions == dict({name: "2.0" for name in names}, **expected)
    assert len(tries) == count
    (attempt,) = [attempt for choice in choices for attempt in choice.tried]
    excluding = ", ".join(dict.fromkeys(re.findall(r"p\d|[xy]\b|tensorflow", conflict)))
    assert attempt.endswith(f": pip finds no versions of {excluding} that go together")


def test_packages_that_are_stuck_on_removed_names_are_translated(tmp_path):
    """They keep the version that the code asks for; one asks for the next."""
    index = _Index({"a==1.1": "1.1", "a": "2.0"}, stuck=("a", "others"))
    package = Requirement("a", "==1.1", "r.txt:1", ("a",))
    with open(str(tmp_path / "log"), "w") as log:
        (choice,), translated = package_choices.install(index, [package], {}, True, None, log)
    assert choice.version == "1.1" and translated == dict.fromkeys(
        ("a", "others"), "b.C left Python 3.10"
    )
    (step,) = steps_module.steps("python train.py", str(tmp_path))
    assert step.under_run("python", ["a"])[3:] == ["run", "--v1-package=a", "train.py"]
    (step,) = steps_module.steps("python -m pytest x.py", str(tmp_path))
    words = step.under_run("python", ["a"])
    assert words[3:7] == ["run", "--v1-package=a", "-m", "pytest"] and words[-1] == "x.py"


STUCK = "from collections import Mapping\nprint('made')\n"


def test_an_installed_package_that_is_translated(tmp_path):
    """`run` itself says that it can: the real environment, under this Python."""
    environment = environments.Environment(str(tmp_path / "environment"))
    with open(str(tmp_path / "log"), "w") as log:
        environment.create(None, log)
        packages = os.path.join(environment._site(), "stuck_lib")
        os.mkdir(packages)
        write = pathlib.Path(packages, "__init__.py").write_text
        write("from stuck_lib import inner\n" + STUCK)
        pathlib.Path(packages, "inner.py").write_text(STUCK)
        package = Requirement("stuck-lib", "", "a.py:1", ("stuck_lib",))
        failures, translated = package_choices._failing_imports(environment, [package], log)
    assert not failures and translated == {"stuck_lib": "collections.Mapping left Python 3.10"}


def test_a_package_of_no_table_is_installed_with_consent_only(tmp_path):
    package = Requirement("no-table-has-it", "", "a.py:1", ("no_table_has_it",))
    index = _Index({"no-table-has-it": "1"})
    with open(str(tmp_path / "log"), "w") as log:
        (refused,), _ = package_choices.install(index, [package], {}, False, None, log)
        assert refused.version is None and "--yes" in refused.reason
        (choice,), _ = package_choices.install(index, [package], {}, True, None, log)
        (present,), _ = package_choices.install(index, [package], {}, False, None, log)
        large = package._replace(why_not="of 2 GB")
        empty = _Index({"no-table-has-it": "1"})
        (absent,), _ = package_choices.install(empty, [large], {}, True, None, log)
    assert choice.version == present.version == "1"
    assert (absent.version, absent.reason) == (None, "of 2 GB")


def test_each_line_of_a_reason_is_a_comment_of_pip():
    choice = package_choices.Choice("a", "1", "it fails:\nnp.bool is\ngone", "a.py:1", ("b\nc",))
    lines = package_choices.requirements([choice], "2.21", "3.11")
    assert lines[-3:] == ["# a.py:1: it fails: np.bool is gone", "#   tried before: b c", "a==1"]
    assert not any("\n" in line for line in lines)


def test_the_error_of_a_package_that_cannot_be_built():
    log = "  error: x\n    SyntaxError: invalid syntax\n  note: no\nhint: See above.\n"
    assert environments.last_line(log) == "SyntaxError: invalid syntax"


def test_the_page_escapes_what_a_repository_says(repository):
    plan = revive.read(repository)
    page = revival_report.page(plan, "# <b>\n\n| a | b |\n|---|---|\n| `x<y` | c\\|d |\n")
    assert "<h1>&lt;b&gt;</h1>" in page and "<td><code>x&lt;y</code></td><td>c|d</td>" in page


TF1_PROGRAM = """\
import tensorflow as tf
x = tf.get_variable("x", [], initializer=tf.constant_initializer(3.0))
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    print("value", session.run(tf.multiply(x, 2.0)))
    tf.train.Saver().save(session, "./model.ckpt")
"""


@pytest.mark.parametrize("version", ["V1", "V2"])
def test_what_a_checkpoint_can_become(version, repository, quick, monkeypatch):
    from tfgraphtools.checkpoints.families import family_registry

    pair = "BERT", {"hf": "BertModel", "keras": "Bert"}
    monkeypatch.setattr(family_registry, "models_of", lambda path: pair)
    text = "import tensorflow.compat.v1 as tf\nwith tf.Graph().as_default(), tf.Session() as s:\n"
    text += "    tf.Variable(1.)\n    s.run(tf.global_variables_initializer())\n"
    with open(os.path.join(repository, "train.py"), "w") as file:
        file.write(text + f"    v = tf.train.SaverDef.{version}\n")
        file.write("    tf.train.Saver(write_version=v).save(s, './m.ckpt')\n")
    revived = revive.Revival(repository, ["python train.py"], seconds=60)
    revived.report()
    with open(os.path.join(revived.folder, "REVIVED.md")) as file:
        text = file.read()
    assert "(BERT can become BertModel of Transformers, Bert of keras.applications)" in text
    assert "m.ckpt OUT --to safetensors" in text


@pytest.mark.slow(in_ci=0)
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_kills_at_several_moments(tmp_path):
    """The command is killed in each stage and goes on: the report is that of a whole run."""
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "train.py").write_text(TF1_PROGRAM)
    (tmp_path / "repo" / "requirements.txt").write_text("numpy\n")
    before = tree_copies.digests(str(tmp_path / "repo"))
    words = ["revive", "repo", "--run", "python train.py", "--resume", "--out"]
    command = [sys.executable, "-m", "tfgraphtools", *words]
    delays = {"environment": 1, "run": 1.5, "upgrade": 1}  # the stages that take longer
    for stage in revival.STAGES:
        process = subprocess.Popen(
            [*command, "killed"], cwd=str(tmp_path), stderr=subprocess.PIPE, universal_newlines=True
        )
        for line in process.stderr:
            if line == f"revive: {stage}\n":
                time.sleep(delays.get(stage, 0))
                process.kill()
        process.wait()
        assert process.returncode == -signal.SIGKILL or stage not in delays
    for name in ("killed", "whole"):
        done = subprocess.run([*command, name], cwd=str(tmp_path))
        assert done.returncode == 0
    texts = [(tmp_path / name / "REVIVED.md").read_text() for name in ("killed", "whole")]
    assert texts[0] == texts[1] and "Every command runs" in texts[0]
    assert tree_copies.digests(str(tmp_path / "repo")) == before


@pytest.mark.slow
def test_a_repository_of_tf1(tmp_path, tf1_python):
    """The real environment, a layer above this one; TF 1.15 is the oracle."""
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "train.py").write_text(TF1_PROGRAM)
    words = ["revive", "repo", "--run", "python train.py", "--tf1", tf1_python]
    done = subprocess.run([sys.executable, "-m", "tfgraphtools", *words], cwd=str(tmp_path))
    folder = tmp_path / "repo-revived"
    text = (folder / "REVIVED.md").read_text()
    assert done.returncode == 0, text
    assert "1 of 1 numbers agree; worst difference 0" in text
    assert "2 of 2 written files are as on TF 1.15; 1 not compared" in text
    assert text.count("ended, 1 checkpoints written") == 2
    assert "model.ckpt: 1 tensors, 4 bytes: all intact" in text
    for name in ("run", "tf1", "upgraded"):
        assert (folder / "logs" / f"{name}-1-step-1.out").read_text() == "value 6.0\n"


def test_nothing_runs_behind_a_link_that_leads_outside(quick, tmp_path):
    """A program writes beside itself, and where it runs."""
    outside, folder = tmp_path / "outside", tmp_path / "repo"
    for path in (outside, folder, folder / "inner"):
        path.mkdir()
    writer = "import os\nopen('written', 'w').write('x')\n"
    writer += "open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'w2'), 'w')\n"
    for path in (outside / "prep.py", folder / "inner" / "prep.py"):
        path.write_text(writer)
    (outside / "run.sh").write_text("python prep.py\n")
    (folder / "data").symlink_to(str(outside))
    (folder / "deep").symlink_to("data")
    (folder / "linked.py").symlink_to("../outside/prep.py")
    before = tree_copies.digests(str(outside))
    refused = (
        "cd data && python prep.py",
        "cd deep && python prep.py",
        "cd inner && cd ../data && python prep.py",
        "python data/prep.py",
        "python linked.py",
        "bash data/run.sh",
        "cd data/.. && python inner/prep.py",
        "cd inner/../data && python ../inner/prep.py",
    )
    lines = [*refused, "cd inner && python prep.py"]
    revived = revive.Revival(str(folder), lines, seconds=5)
    commands = revived.run()["commands"]
    assert [command["runs"] for command in commands] == [False] * len(refused) + [True]
    for command in commands[:-1]:
        assert "leads out of the repository" in command["cause"]["what"], command
    assert tree_copies.digests(str(outside)) == before
    assert ("data", str(outside)) in revived.plan.links


def test_what_changed_behind_a_link_is_in_the_report(quick, tmp_path):
    outside, folder = tmp_path / "outside", tmp_path / "repo"
    outside.mkdir()
    folder.mkdir()
    (folder / "data").symlink_to(str(outside))
    (folder / "a.py").write_text("open('data/written', 'w').write('x')\nprint(1)\n")
    results = revive.Revival(str(folder), ["python a.py"], seconds=5).all_stages()
    assert (outside / "written").exists()  # as a link to data that is elsewhere allows
    assert "data (a link that leads outside)" in results["report"]["original"]


def test_stages_of_another_environment_are_done_again(repository, quick, monkeypatch):
    commands, stages = ["python train.py"], []
    revive.Revival(repository, commands, seconds=5).all_stages()
    again = revive.Revival(repository, commands, seconds=5, resume=True, tell=stages.append)
    again.all_stages()
    assert stages == []
    for owner, name, value in (
        (revival, "__version__", "99"),
        (revival.sys, "version", "4.0"),
        (revival.sys, "prefix", "/elsewhere"),
    ):
        stages.clear()
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, value)
            revive.Revival(
                repository, commands, seconds=5, resume=True, tell=stages.append
            ).all_stages()
        assert stages == list(revival.STAGES), name


class _Python:
    """An environment that runs code, without `run`."""

    def __init__(self, folder):
        self.folder, self.calls = folder, 0

    def run_text(self, text, log, translated=()):
        self.calls += 1
        root = os.path.dirname(os.path.dirname(revive.__file__))
        variables = dict(
            os.environ, PYTHONPATH=os.pathsep.join([self.folder, os.path.dirname(root)])
        )
        done = subprocess.run(
            [sys.executable, "-c", text], env=variables, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr


ENDING = {
    "exits": "import os\nos._exit(0)\n",
    "exits_3": "import os\nos._exit(3)\n",
    "crashes": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "closes": "import os, sys\nsys.stdout = None\nos._exit(1)\n",
}


@pytest.mark.parametrize("name", ENDING)
def test_an_import_that_ends_the_process_is_named(name, tmp_path):
    """All imports counted as fine then."""
    for module, text in {
        **ENDING,
        "fine": "",
        "raises": "1 / 0",
        "zlast": "import nowhere",
    }.items():
        (tmp_path / (module + ".py")).write_text(text)
    modules = sorted([name, "async", "fine", "raises", "zlast"])
    environment = _Python(str(tmp_path))
    failures = package_choices._failures(environment, modules, [], None)
    assert sorted(failures) == sorted([name, "async", "raises", "zlast"])
    assert "ends the process" in failures[name][0] and environment.calls == 2
    assert "ZeroDivisionError" in failures["raises"][0]
    assert "SyntaxError" in failures["async"][0]


def test_imports_that_cannot_be_tried_do_not_count_as_fine(tmp_path):
    environment = _Python(str(tmp_path))
    environment.run_text = lambda text, log, translated: (1, "no such program")
    failures = package_choices._failures(environment, ["a", "b"], [], None)
    assert failures == dict.fromkeys(["a", "b"], ("not tried: no such program", ""))


#: Names that git reads as more than a name, as options, or not at all.
NAMES = (":x", ":(exclude)a", ":!b.py", "-n", "--all", "a b", "a\nb.py", "*.py", "[a].py", "\\t")


def test_files_of_any_name_are_committed(tmp_path):
    folder = tmp_path / "code"
    folder.mkdir()
    names = [os.fsencode(name) for name in (*NAMES, "a.py", "b.py", ".gitignore")] + [b"\xff.py"]
    for name in names:
        with open(os.path.join(os.fsencode(str(folder)), name), "wb") as file:
            file.write(b"*\n" if name == b".gitignore" else b"x = 1\n")
    with open(str(tmp_path / "log"), "w", errors="backslashreplace") as log:
        assert revived_branch.begin(str(folder), log)
    command = ["git", "-C", str(folder), "ls-tree", "-r", "-z", "--name-only", "original"]
    assert sorted(subprocess.check_output(command).split(b"\0")[:-1]) == sorted(names)


def test_commits_run_nothing_of_the_user_or_the_code(tmp_path, monkeypatch):
    """Hooks, filters and signatures; each of them runs where git is asked plainly."""
    witness, home, program = tmp_path / "witness", tmp_path / "home", tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho >> '{witness}'\nexit 1\n")
    program.chmod(0o700)
    for folder in (home, home / "hooks", tmp_path / "code"):
        folder.mkdir()
    for hook in ("pre-commit", "post-commit", "post-checkout", "post-index-change"):
        (home / "hooks" / hook).write_bytes(program.read_bytes())
        (home / "hooks" / hook).chmod(0o700)
    settings = {
        "core.hooksPath": home / "hooks", "commit.gpgsign": "true", "gpg.program": program,
        "filter.own.clean": program, "filter.own.required": "true", "core.fsmonitor": program,
        "init.templateDir": home, "core.editor": program, "user.name": "a", "user.email": "a@b",
    }  # fmt: skip
    monkeypatch.setenv("HOME", str(home))
    for name, value in settings.items():
        subprocess.run(["git", "config", "--global", name, str(value)], check=True)
    data = b"x = 1\r\ny = 2\n"
    (tmp_path / "code" / "a.py").write_bytes(data)
    (tmp_path / "code" / ".gitattributes").write_text("*.py filter=own text eol=lf ident\n")
    with open(str(tmp_path / "log"), "w") as log:
        assert revived_branch.begin(str(tmp_path / "code"), log)
    assert not witness.exists()
    command = ["git", "-C", str(tmp_path / "code"), "cat-file", "blob", "original:a.py"]
    assert subprocess.check_output(command) == data
    subprocess.run(["git", "init", "-q"], cwd=str(home))
    (home / "b.py").write_text("x")
    subprocess.run(["git", "add", "b.py"], cwd=str(home), capture_output=True)
    subprocess.run(["git", "commit", "-qm", "x"], cwd=str(home), capture_output=True)
    assert witness.exists()  # the check itself can fail


@pytest.mark.parametrize(
    "line",
    [
        'LAUNCH="horovodrun python train.py"',
        "A='python train.py' B=\"sh run.sh\"",
        "cd a && B='python train.py'",
        "python &",
        "X=$(python train.py)",
        "- python train.py &&",
        "$ python -u -u -u",
    ],
)
def test_lines_of_a_readme_that_run_nothing(line, repository, tmp_path):
    (tmp_path / "repo" / "README.md").write_text(f"{line}\n    {line}\n`{line}`\n")
    revive.read(repository, examines_code=False)
    for text in (line, "&", "& ; &", 'A="b" &'):
        try:
            steps_module.steps(text, repository)
        except steps_module.NotUnderstood as error:
            assert str(error)
