"""The stages of a revival, in their order; each is done once, and can be called alone."""

import functools
import json
import os
import re
import shlex
import shutil
import sys
from typing import Any, Callable, Dict, Optional, Sequence

from tfgraphtools._version import __version__
from tfgraphtools.checkpoints.read import paths as checkpoint_paths
from tfgraphtools.errors import ArgumentError
from tfgraphtools.revive import (
    command_results,
    command_runs,
    command_steps,
    environment_stage,
    environments,
    large_packages,
    repository_plan,
    revival_report,
    revived_branch,
    tf1_environment,
    workspace,
)
from tfgraphtools.revive.entry_points import Command
from tfgraphtools.runs import file_comparison, tf1_python, tree_copies

_BESIDE_V1 = re.compile(r"(?:^|[/\\])checkpoint$|\.meta$")
_KERAS_2 = "TF_USE_LEGACY_KERAS=1"

#: The stages, in the order of `Revival.all_stages`.
STAGES = ("copy", "environment", "run", "compare", "upgrade", "checkpoints", "report")


class Revival:
    """A repository and the folder in which it is revived. The repository is only read.

    Each stage is a method that returns its result, plain data, and does the stages before it
    first. A stage that is done is not done again, also after a kill, unless what it was asked
    for is another. ``logs/`` in the folder has what a stage ran.

    Args:
      repository: its folder.
      commands: command lines to run, from the folder of the repository.
      folder: where all is written; beside the repository by default: ``NAME-revived``.
      accepts_all: whether packages are installed that no table knows and, without `commands`, the
        commands that the repository names run.
      python: "3.11" or the path of a Python for a new environment. By default the environment is
        a layer above the one of this process.
      tf1: the path of a Python 3.7 for `compare`: with TF 1.15 and the packages of the code, or
        without TensorFlow: then an environment with these is made from it.
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
      DestinationError: the folder is another's; by a stage: another call works in it.
    """

    def __init__(
        self,
        repository: str,
        commands: Sequence[str] = (),
        folder: Optional[str] = None,
        accepts_all: bool = False,
        python: Optional[str] = None,
        tf1: Optional[str] = None,
        seconds: float = 60,
        resume: bool = False,
        tell: Optional[Callable[[str], None]] = None,
    ) -> None:
        self.plan = repository_plan.read(repository, examines_code=False)
        self._makes_tf1 = tf1 is not None and tf1_environment.lacks_tensorflow(tf1)
        if tf1 is not None and not self._makes_tf1:
            tf1_python.require_tf1(tf1, "--tf1")
        if tf1 is not None and os.sep in tf1:
            tf1 = os.path.abspath(tf1)  # programs run in other folders
        self._commands = [Command(line, "--run") for line in commands]
        if accepts_all and not commands:
            self._commands += self.plan.commands
            if self.plan.tests:
                line = "python -m pytest -q " + " ".join(map(shlex.quote, self.plan.tests))
                self._commands.append(Command(line, "its tests"))
        if not any(not command.obstacle for command in self._commands):
            raise ArgumentError(
                "tfgraphtools revive",
                "a command to run",
                f"{len(self._commands)} that can run unchanged",
                "Give one: --run 'python train.py --steps 10'",
            )
        packages = repository_plan.with_pytest(self.plan.packages, self._commands)
        if large_packages.are_in(packages):
            sources = repository_plan.sources(self.plan.folder)
            packages = large_packages.marked(packages, self._commands, sources)
        self.plan = self.plan._replace(packages=packages)
        self._accepts_all, self._python, self._tf1 = accepts_all, python, tf1
        self._seconds, self._tell = seconds, tell or (lambda stage: None)
        original = self.plan.folder
        self._workspace = workspace.Workspace(original, folder or original + "-revived", resume)
        self._environment = environments.Environment(self._workspace.path("environment"))
        self._runs = command_runs.CommandRuns(self._workspace, self._commands, seconds)
        self._state = workspace.key([original, sorted(tree_copies.ages(original).items())])
        python = self._python and (shutil.which(self._python) or self._python)
        self._maker = [__version__, sys.version, os.path.realpath(sys.prefix), python]
        self._results = {}

    @property
    def folder(self) -> str:
        """The folder in which all is written."""
        return self._workspace.folder

    @property
    def passed(self) -> bool:
        """Whether every command runs, under `run` and upgraded."""
        runs = [*self.run()["commands"], *self.upgrade()["commands"]]
        return all(command["runs"] for command in runs)

    def all_stages(self) -> Dict[str, Any]:
        """Does all stages; returns {stage: its result}."""
        with self._workspace.locked():
            return {stage: getattr(self, stage)() for stage in STAGES}

    def _stage(self, name, inputs, work, path=None):
        """Returns the result of a stage: of an earlier time, or of `work(log)`."""
        if name not in self._results:
            inputs = [self._maker, inputs]
            result = self._workspace.result(name, inputs, path)
            if result is None:
                self._tell(name)
                with self._workspace.locked(), self._workspace.log(name) as log:
                    result = self._workspace.finish(name, inputs, work(log))
            self._results[name] = result
        return self._results[name]

    def copy(self) -> Dict[str, Any]:
        """Copies the repository, without .git; again, where it changed since an earlier call.

        Returns:
          {"outside": {link that leads out of it: what identifies the state of what is there},
          "sources", "files": what identifies their state}.
        """

        def work(log):
            _, outside = self._workspace.fresh_copy("original", self.plan.folder)
            sources = workspace.key(repository_plan.sources(self.plan.folder))
            states = {link: self._state_behind(link) for link in outside}
            return {"outside": states, "sources": sources, "files": self._state}

        return self._stage("copy", self._state, work, self._workspace.path("original"))

    def _state_behind(self, link):
        """Returns what identifies the state of what a link leads to."""
        path = os.path.join(self.plan.folder, link)
        if os.path.isdir(path):
            return workspace.key(sorted(tree_copies.ages(os.path.realpath(path)).items()))
        status = os.stat(path) if os.path.exists(path) else None
        return status and [status.st_mtime_ns, status.st_size]

    def environment(self) -> Dict[str, Any]:
        """Makes the environment: what is installed, what is not, and why."""
        packages = [package._asdict() for package in self.plan.packages]
        inputs = [self.copy()["sources"], packages, self._accepts_all, self._python]
        return self._stage("environment", inputs, self._install, self._environment.python)

    def _install(self, log):
        return environment_stage.make(
            self._workspace, self._environment, self.plan, self._accepts_all, self._python, log
        )

    def run(self) -> Dict[str, Any]:
        """Runs the commands under ``tfgraphtools run``: the outcome of each, with its cause."""
        inputs = [self.copy(), self.environment(), self._commands, self._seconds]
        translated = sorted(self.environment()["translated"])
        step = functools.partial(command_steps.Step.under_run, translated=translated)
        return self._stage("run", inputs, lambda log: self._run_in("run", "original", log, step))

    def _run_in(self, name, source, log, command_of, python=None):
        absent = self._absent_modules() if python is None else {}
        python = python or self._environment.python
        commands = self._runs.run_in(name, source, log, command_of, python, absent)
        tree = self._workspace.path(source)
        folders = command_runs.import_folders(tree)
        return {"commands": commands, "path": [os.path.relpath(path, tree) for path in folders]}

    def _absent_modules(self):
        """Returns {module: why its package is not in the environment}."""
        absent = {c["package"]: c for c in self.environment()["packages"] if c["version"] is None}
        return {
            module.partition(".")[0]: "{package} ({place}) is not installed: {reason}".format(
                **absent[package.package]
            )
            for package in self.plan.packages
            if package.package in absent
            for module in package.modules
        }

    def compare(self) -> Dict[str, Any]:
        """Runs the commands under TF 1.15, twice; compares what is printed and written."""
        inputs = [self.copy(), self.run(), self._tf1]
        return self._stage("compare", inputs, self._compare)

    def _compare(self, log):
        if self._tf1 is None:
            return {"commands": [], "files": {}, "why": "no Python with TF 1.15: --tf1"}
        python, runs = self._tf1, {}
        if self._makes_tf1:
            folder = self._workspace.path("environment-tf1")
            packages = [p for p in self.plan.packages if p.is_known or self._accepts_all]
            packages = [package for package in packages if not package.why_not]
            python = tf1_environment.make(folder, python, packages, log)
        for name in ("tf1", "tf1-again"):
            step = command_steps.Step.under_python
            runs[name] = self._run_in(name, "original", log, step, python)["commands"]
        results = [self.run()["commands"], runs["tf1"], runs["tf1-again"]]
        names = ("run", "tf1", "tf1-again")
        printed = [self._runs.printed(name) for name in names]
        trees = [self._workspace.path("runs", name) for name in names]
        return {
            "commands": [command_results.compared(*each) for each in zip(*results, *printed)],
            "files": self._compared_files(results, trees),
        }

    @staticmethod
    def _compared_files(results, trees):
        """Returns the verdict on what the commands wrote here, under TF 1.15 and there again."""
        names = command_results.written_by_ended(*results)
        written = [file_comparison.Written(*pair) for pair in zip(trees, names)]
        rule = file_comparison.Rule(sides=("here", "under TF 1.15"))
        return file_comparison.compared(*written, rule)._asdict()

    def upgrade(self) -> Dict[str, Any]:
        """Upgrades a copy, on a branch of git, and runs the commands under plain Python."""
        inputs = [self.copy(), self.environment(), self.run(), self._seconds]
        return self._stage("upgrade", inputs, self._upgrade)

    def _upgrade(self, log):
        folder, _ = self._workspace.fresh_copy("upgraded", self._workspace.path("original"))
        upgraded = revived_branch.upgrade(folder, self._environment, log)
        result = self._run_in("upgraded", "upgraded", log, command_steps.Step.under_python)
        for number, before in enumerate(self.run()["commands"]):
            if before["runs"] and not result["commands"][number]["runs"]:
                self._try_keras_2(number, result["commands"], log)
            command_results.blame(before, result["commands"][number], upgraded["left"])
        return dict(result, **upgraded)

    def _try_keras_2(self, number, commands, log):
        """Runs a command that fails with Keras 3 with Keras 2; keeps that result if it runs."""
        printed = self._runs.printed("upgraded")[number]
        if "keras" not in printed.output + printed.log:
            return
        command = Command(f"export {_KERAS_2} && {commands[number]['line']}", "")
        runs = command_runs.CommandRuns(self._workspace, [command], self._seconds)
        step, python = command_steps.Step.under_python, self._environment.python
        (result,) = runs.run_in(f"keras-2-{number + 1}", "upgraded", log, step, python)
        if result["runs"]:
            kept = {name: commands[number][name] for name in ("line", "place")}
            commands[number] = dict(result, **kept, needs=_KERAS_2)

    def checkpoints(self) -> Dict[str, Any]:
        """Reads the checkpoints that the repository has or the commands wrote."""
        return self._stage("checkpoints", [self.run(), self.upgrade()], self._checkpoints)

    def _checkpoints(self, log):
        from tfgraphtools import checkpoints
        from tfgraphtools.checkpoints.families import family_registry

        entries = []
        for name in self._checkpoint_names()[:20]:
            path = self._workspace.path(name)
            try:
                state = checkpoints.verify(path)
                family, models = (state.ok and family_registry.models_of(path)) or (None, {})
                entries.append(
                    {
                        "path": name,
                        "state": str(state).replace(self.folder + os.sep, "").splitlines()[0],
                        "family": family,
                        "models": {
                            family_registry.LIBRARIES[name]: model for name, model in models.items()
                        },
                    }
                )
            except Exception as error:  # one that cannot be read is named, and the rest is read
                entries.append({"path": name, "state": str(error), "family": None, "models": {}})
            log.write(json.dumps(entries[-1]) + "\n")
        return {"checkpoints": entries}

    def _checkpoint_names(self):
        """Returns the prefixes of the checkpoints that are there after the run, from `folder`."""
        run = os.path.join("runs", "run")
        files = sorted(tree_copies.names(self._workspace.path(run)))
        names = [
            os.path.join(run, name[: -len(".index")])
            for name in files
            if name.endswith(".index") and name[: -len("index")] + "data-00000-of-00001" in files
        ]
        # A V1 file has no ending of its own; beside it are files that have.
        folders = {os.path.dirname(name) for name in files if _BESIDE_V1.search(name)}
        for folder in sorted(folders):
            prefixes = checkpoint_paths.v1_prefixes(self._workspace.path(run, folder))
            v1 = (os.path.join(run, folder, os.path.basename(prefix)) for prefix in prefixes)
            names += [name for name in v1 if not name.endswith(".index")]
        return names

    def report(self) -> Dict[str, Any]:
        """Writes ``REVIVED.md``, ``revived.html`` and a workflow for CI."""
        results = {name: getattr(self, name)() for name in STAGES[:-1]}
        original = self._workspace.path("original")
        results["changed"] = tree_copies.differing(self.plan.folder, original)
        states = self.copy()["outside"]
        results["changed"] += [
            f"{link} (a link that leads outside)"
            for link in sorted(states)
            if states[link] != self._state_behind(link)
        ]
        ran_in = self._workspace.path("runs", "run")
        results["written"] = [
            file.path
            for file in self.plan.files
            if not file.is_here and os.path.exists(os.path.join(ran_in, file.path))
        ]

        def work(log):
            text = revival_report.markdown(self.plan, self._commands, results, self.passed)
            workspace.write_whole(self._workspace.path("REVIVED.md"), text)
            workspace.write_whole(
                self._workspace.path("revived.html"), revival_report.page(self.plan, text)
            )
            workflow = revival_report.workflow(results)
            workspace.write_whole(self._workspace.path("workflow.yml"), workflow)
            return {
                "files": ["REVIVED.md", "revived.html", "workflow.yml"],
                "original": revival_report.original(results["changed"]),
            }

        return self._stage("report", results, work)
