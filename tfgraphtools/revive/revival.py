"""The stages of a revival, in their order; each is done once, and can be called alone."""

import json
import os

from tfgraphtools.compat import copied_runs
from tfgraphtools.compat.compare import require_tf1
from tfgraphtools.compat.doctor import install, projects
from tfgraphtools.errors import ArgumentError
from tfgraphtools.revive import (
    command_results,
    command_steps,
    environments,
    failure_causes,
    package_choices,
    repository_plan,
    revival_report,
    revived_branch,
    timed_runs,
    tree_copies,
    workspace,
)
from tfgraphtools.revive.entry_points import Command

#: The stages, in the order of `Revival.all_stages`.
STAGES = ("copy", "environment", "run", "compare", "upgrade", "checkpoints", "report")

#: Texts that may name the folders in which a program works.
_TEXTS = (".py", ".sh", ".json", ".yml", ".yaml", ".cfg", ".ini", ".conf", ".toml")


class Revival:
    """A repository and the folder in which it is revived. The repository is only read.

    Each stage is a method that returns its result, plain data, and does the stages before it
    first. A stage that is done is not done again, also after a kill, unless what it was asked
    for is another. ``logs/`` in the folder has what a stage ran.

    Args:
      repository: its folder.
      commands: command lines to run, from the folder of the repository.
      folder: where all is written; beside the repository by default: ``NAME-revived``.
      accepts_all: whether the commands that the repository names run, too, and packages are
        installed that no table knows.
      python: "3.11" or the path of a Python for a new environment. By default the environment is
        a layer above the one of this process.
      tf1: the path of a Python 3.7 with TF 1.15, for `compare`.
      seconds: how long a program that makes progress runs.
      resume: whether the folder may be there already.
      tell: called with the name of each stage that begins.

    Example:
      >>> revival = Revival("old_project", ["python train.py --steps 10"])  # doctest: +SKIP
      >>> revival.all_stages()
      >>> revival.passed
      True

    Raises:
      ArgumentError: there is no such repository.
      DestinationError: the folder is another's.
    """

    def __init__(
        self,
        repository,
        commands=(),
        folder=None,
        accepts_all=False,
        python=None,
        tf1=None,
        seconds=60,
        resume=False,
        tell=None,
    ):
        self.plan = repository_plan.read(repository)
        if tf1 is not None:
            require_tf1(tf1, "--tf1")
        self._commands = [Command(line, "--run") for line in commands]
        if accepts_all:
            self._commands += [c for c in self.plan.commands if c.line not in commands]
        if accepts_all and self.plan.tests:
            line = "python -m pytest -q " + " ".join(self.plan.tests)
            self._commands.append(Command(line, "its tests"))
        if not any(not command.obstacle for command in self._commands):
            raise ArgumentError(
                "tfgraphtools revive",
                "a command to run",
                f"{len(self._commands)} that can run unchanged",
                "Give one: --run 'python train.py --steps 10'",
            )
        self._accepts_all, self._python, self._tf1 = accepts_all, python, tf1
        self._seconds, self._tell = seconds, tell or (lambda stage: None)
        original = self.plan.folder
        self._workspace = workspace.Workspace(original, folder or original + "-revived", resume)
        self._environment = environments.Environment(self._workspace.path("environment"))
        self._results = {}

    @property
    def folder(self):
        """The folder in which all is written."""
        return self._workspace.folder

    @property
    def passed(self):
        """Whether every command runs, under `run` and upgraded."""
        runs = [*self.run()["commands"], *self.upgrade()["commands"]]
        return all(command["runs"] for command in runs)

    def all_stages(self):
        """Does all stages; returns {stage: its result}."""
        return {stage: getattr(self, stage)() for stage in STAGES}

    def _stage(self, name, inputs, work, path=None):
        """Returns the result of a stage: of an earlier time, or of `work(log)`."""
        if name not in self._results:
            result = self._workspace.result(name, inputs, path)
            if result is None:
                self._tell(name)
                with self._workspace.log(name) as log:
                    result = self._workspace.finish(name, inputs, work(log))
            self._results[name] = result
        return self._results[name]

    def copy(self):
        """Copies the repository, without .git: {"outside": links that lead out of it}."""

        def work(log):
            _, outside = self._workspace.fresh_copy("original", self.plan.folder)
            return {"outside": outside}

        original = self._workspace.path("original")
        return self._stage("copy", self.plan.folder, work, original)

    def environment(self):
        """Makes the environment: what is installed, what is not, and why."""
        packages = [package._asdict() for package in self.plan.packages]
        inputs = [self.copy(), packages, self._accepts_all, self._python]
        return self._stage("environment", inputs, self._install, self._environment.python)

    def _install(self, log):
        environment, original = self._environment, self._workspace.path("original")
        environment.create(self._python, log)
        report = self._doctor(log)
        if install.LEGACY in report["next_steps"]:
            environment.tfgraphtools(["legacy", "install"], log)
        constraints = package_choices.constraints_of(report["constraints"])
        choices = package_choices.install(
            environment, self.plan.packages, constraints, self._accepts_all, log
        )
        tensorflow = environment.versions(["tensorflow"]).get("tensorflow", "")
        version = environment.run_text("import sys; print(sys.version.split()[0])", log)[1]
        python = ".".join(environments.last_line(version).split(".")[:2])
        lines = package_choices.requirements(choices, tensorflow, python)
        workspace.write_whole(
            self._workspace.path("requirements-revived.txt"), "\n".join(lines) + "\n"
        )
        after = self._doctor(log) if os.path.isdir(original) else report
        return {
            "python": python,
            "tensorflow": tensorflow,
            "packages": [choice._asdict() for choice in choices],
            "doctor": {
                status: totals["uses"] for status, totals in after["totals"].items()
            },
            "unsupported": [
                {"name": entry["name"], "why": entry["why"], "places": entry["places"][:3]}
                for entry in after["names"]
                if entry["status"] in ("not supported", "missing")
            ],
        }  # fmt: skip

    def _doctor(self, log):
        words = ["doctor", "--json", self._workspace.path("original")]
        text = self._environment.tfgraphtools(words, log)[1]
        try:
            return json.loads(text[text.index("{") :])
        except ValueError:
            return {"next_steps": [], "constraints": [], "totals": {}, "names": []}

    def run(self):
        """Runs the commands under ``tfgraphtools run``: the outcome of each, with its cause."""
        inputs = [self.environment(), self._commands, self._seconds]
        return self._stage("run", inputs, lambda log: self._run_in("run", "original", log))

    def _run_in(self, name, source, log, command_of=command_steps.Step.under_run, python=None):
        """Runs all commands one after the other in a fresh copy of a folder."""
        tree, _ = self._workspace.fresh_copy(
            os.path.join("runs", name), self._workspace.path(source)
        )
        python = python or self._environment.python
        results = []
        for number, command in enumerate(self._commands, 1):
            if command.obstacle:
                continue
            log.write(f"$ {command.line}\n")
            logs = self._workspace.path("logs", f"{name}-{number}")
            results.append(self._command(command, tree, logs, command_of, python))
            log.write(f"{results[-1]['status']}\n")
            log.flush()
        return {"commands": results}

    def _command(self, command, tree, logs, command_of, python):
        try:
            self._require_apart(command, tree)
            steps = command_steps.steps(command.line, tree)
        except command_steps.NotUnderstood as error:
            cause = failure_causes.Cause(
                failure_causes.COMMAND, str(error), "", "Give its lines of Python: --run."
            )
            return command_results.result(command, None, cause)
        outcome = cause = None
        for number, step in enumerate(steps, 1):
            outcome = timed_runs.run(
                command_of(step, python),
                os.path.join(tree, step.folder),
                tree,
                _with_path(dict(step.variables), tree),
                self._seconds,
                f"{logs}-{number}" if number > 1 else logs,
            )
            if not outcome.runs:
                names = {name.partition(".")[0] for name in os.listdir(tree)}
                cause = failure_causes.cause(outcome, tree, names)
                break
        return command_results.result(command, outcome, cause)

    def _require_apart(self, command, tree):
        """Raises `NotUnderstood` where a run could change the original: its path is named."""
        original = self.plan.folder
        place = command.line if original in command.line else None
        for name in tree_copies.names(tree):
            path = os.path.join(tree, name)
            if name.endswith(_TEXTS) and os.path.isfile(path) and os.path.getsize(path) < 1 << 20:
                with open(path, encoding="utf-8", errors="replace") as file:
                    place = place or (name if original + os.sep in file.read() else None)
        if place:
            raise command_steps.NotUnderstood(
                f"{place} names {original}, which a run could change: make its paths relative"
            )

    def compare(self):
        """Runs the commands under TF 1.15, twice, and compares what is printed."""
        inputs = [self.run(), self._tf1]
        return self._stage("compare", inputs, self._compare)

    def _compare(self, log):
        if self._tf1 is None:
            return {"commands": [], "why": "no Python with TF 1.15 was given: --tf1"}
        runs = {}
        for name in ("tf1", "tf1-again"):
            step = command_steps.Step.under_python
            runs[name] = self._run_in(name, "original", log, step, self._tf1)["commands"]
        return {
            "commands": [
                command_results.compared(*results)
                for results in zip(
                    self.run()["commands"],
                    runs["tf1"],
                    runs["tf1-again"],
                    *(self._printed(name) for name in ("run", "tf1", "tf1-again")),
                )
            ]
        }

    def _printed(self, name):
        """Returns the `CopiedRun` of each command of a stage, without the path of its copy."""
        tree, printed = self._workspace.path("runs", name), []
        for number, command in enumerate(self._commands, 1):
            if command.obstacle:
                continue
            texts = []
            for suffix in (".out", ".err"):
                path = self._workspace.path("logs", f"{name}-{number}{suffix}")
                text = ""
                if os.path.exists(path):
                    with open(path, encoding="utf-8", errors="replace") as file:
                        text = file.read().replace(tree, ".")
                texts.append(text)
            printed.append(copied_runs.CopiedRun(0, *texts, {}, None))
        return printed

    def upgrade(self):
        """Upgrades a copy, on a branch of git, and runs the commands under plain Python."""
        inputs = [self.run(), self._seconds]
        return self._stage("upgrade", inputs, self._upgrade)

    def _upgrade(self, log):
        folder, _ = self._workspace.fresh_copy("upgraded", self._workspace.path("original"))
        has_git = revived_branch.begin(folder, log)
        words = ["upgrade", ".", "--write", "--force", "--json"]
        code, text = self._environment.tfgraphtools(words, log, folder)
        try:
            report = json.loads(text[text.index("{") :])
        except ValueError:
            report = {"files": [], "left": 0, "uses": {}}
        if has_git:
            revived_branch.commit(folder, "Upgrade to today's TensorFlow", log)
        result = self._run_in("upgraded", "upgraded", log, command_steps.Step.under_python)
        left = [
            dict(finding, path=file["path"])
            for file in report["files"]
            for finding in file["findings"]
            if finding["status"] == "cannot"
        ]
        changed = sum(bool(file["changes"]) for file in report["files"])
        return dict(result, branch=has_git, changed=changed, left=left, code=code)

    def checkpoints(self):
        """Reads the checkpoints that the repository has or the commands wrote."""
        return self._stage("checkpoints", [self.run(), self.upgrade()], self._checkpoints)

    def _checkpoints(self, log):
        from tfgraphtools import checkpoints

        files = sorted(tree_copies.names(self._workspace.path("runs", "run")))
        names = [
            os.path.join("runs", "run", name[: -len(".index")])
            for name in files
            if name.endswith(".index") and name[: -len("index")] + "data-00000-of-00001" in files
        ]
        entries = []
        for name in names[:20]:
            path = self._workspace.path(name)
            try:
                state = checkpoints.verify(path)
                family = checkpoints.family_of(path) if state.ok else None
                entries.append(
                    {
                        "path": name,
                        "state": str(state).replace(self.folder + os.sep, "").splitlines()[0],
                        "family": family[0] if family else None,
                    }
                )
            except Exception as error:  # one that cannot be read is named, and the rest is read
                entries.append({"path": name, "state": str(error), "family": None})
            log.write(json.dumps(entries[-1]) + "\n")
        return {"checkpoints": entries}

    def report(self):
        """Writes ``REVIVED.md``, ``revived.html`` and a workflow for CI."""
        results = {name: getattr(self, name)() for name in STAGES[:-1]}

        def work(log):
            text = revival_report.markdown(self.plan, self._commands, results, self.passed)
            workspace.write_whole(self._workspace.path("REVIVED.md"), text)
            workspace.write_whole(
                self._workspace.path("revived.html"), revival_report.page(self.plan, text)
            )
            workflow = revival_report.workflow(results)
            workspace.write_whole(self._workspace.path("workflow.yml"), workflow)
            return {"files": ["REVIVED.md", "revived.html", "workflow.yml"]}

        return self._stage("report", results, work)


def _with_path(variables, tree):
    """Returns the variables of a program; a repository with a setup.py is as if installed."""
    if not os.path.isfile(os.path.join(tree, "setup.py")):
        return variables
    inherited = variables.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    folders = [tree, *projects.sources_of(tree), *filter(None, [inherited])]
    return dict(variables, PYTHONPATH=os.pathsep.join(folders))
