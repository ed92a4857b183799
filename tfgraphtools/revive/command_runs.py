"""The commands of a revival, run in a fresh copy of the code."""

import glob
import os
import re

from tfgraphtools.compat.doctor import projects
from tfgraphtools.revive import (
    command_results,
    command_steps,
)
from tfgraphtools.revive.failures import failure_causes
from tfgraphtools.runs import copied_runs, timed_runs, tree_copies

#: Texts that may name the folders in which a program works, and the largest that is read.
_TEXTS = (".py", ".sh", ".json", ".yml", ".yaml", ".cfg", ".ini", ".conf", ".toml")
_LARGEST = 1 << 20

#: Files of a repository that is to be installed; its programs run as if it was.
_OF_PACKAGES = ("setup.py", "pyproject.toml")


class CommandRuns:
    """Runs of the commands.

    Args:
      folder: the `workspace.Workspace`.
      commands: `entry_points.Command`s; those with an obstacle are left out.
      seconds: how long a program that makes progress runs.
    """

    def __init__(self, folder, commands, seconds):
        self._folder, self._seconds = folder, seconds
        home = folder.original.replace(os.path.expanduser("~"), "~", 1)
        paths = "|".join(map(re.escape, {folder.original, folder.named, home}))
        self._original = re.compile(rf"(?<![\w.~-])(?:{paths})(?![\w.-])")
        self._commands = [command for command in commands if not command.obstacle]

    def run_in(self, name, source, log, command_of, python, absent=()):
        """Runs the commands one after the other in a fresh copy.

        Args:
          name: that of the copy and of the logs.
          source: the folder that is copied, a name in the workspace.
          log: a file.
          command_of: a method of `command_steps.Step`.
          python: the path of a Python.
          absent: {module: why its package was not installed}.

        Returns:
          a `command_results.result` of each command.
        """
        tree, _ = self._folder.fresh_copy(os.path.join("runs", name), self._folder.path(source))
        place = self._place_of_original(tree)
        results = []
        for number, command in enumerate(self._commands, 1):
            log.write(f"$ {command.line}\n")
            for path in self._logs(name, number):
                os.remove(path)
            logs = self._folder.path("logs", f"{name}-{number}")
            result = self._result(command, tree, logs, command_of, python, place, absent)
            reads_files = not command.runs_tests
            results.append(_after_incomplete(result, results) if reads_files else result)
            log.write(f"{results[-1]['status']}\n")
            if not os.path.isdir(tree):
                log.write("it removed the folder of the code, which is copied again\n")
                self._folder.fresh_copy(os.path.join("runs", name), self._folder.path(source))
            log.flush()
        return results

    def _result(self, command, tree, logs, command_of, python, place, absent):
        original = self._folder.original
        place = command.line if self._names_original(command.line) else place
        try:
            if place is not None:
                raise command_steps.NotUnderstood(
                    f"{place} names {original}, which a run could change: make its paths relative"
                )
            steps = command_steps.steps(command.line, tree)
            if not steps:
                raise command_steps.NotUnderstood("no part of it is a program of Python")
        except command_steps.NotUnderstood as error:
            remedy = "Give its lines of Python: --run."
            cause = failure_causes.Cause(failure_causes.COMMAND, str(error), "", remedy)
            return command_results.result(command, None, cause)
        names = {part for name in tree_copies.names(tree) for part in re.split(r"[/\\.]", name)}
        names.update(os.listdir(tree))  # folders without files, too
        outcome = cause = None
        written = set()
        for number, step in enumerate(steps, 1):
            outcome = timed_runs.run(
                command_of(step, python),
                os.path.join(tree, step.folder),
                tree,
                self._with_path(dict(step.variables), tree),
                self._seconds,
                f"{logs}-step-{number}",
                must_end=step.is_test,
            )
            written.update(outcome.written)
            if not outcome.runs:
                beside = os.path.join(self._folder.original, step.folder)
                cause = failure_causes.cause(outcome, tree, names, absent, beside)
                break
        repeat = [step.text(command_of(step, "python")) for step in steps]
        return command_results.result(command, outcome, cause, repeat, sorted(written))

    def _with_path(self, variables, tree):
        """Returns the variables of a program that imports from the copy, never the original."""
        original = self._folder.original
        inherited = variables.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        folders = import_folders(tree)
        for folder in inherited.split(os.pathsep) if inherited else ():
            inside = os.path.relpath(os.path.realpath(folder), original)
            is_inside = os.path.isabs(folder) and inside.split(os.sep)[0] != os.pardir
            folders.append(os.path.normpath(os.path.join(tree, inside)) if is_inside else folder)
        return dict(variables, PYTHONPATH=os.pathsep.join(folders)) if folders else variables

    def _names_original(self, text):
        """Tells whether a text has the path of the repository, real or as it was given."""
        return self._original.search(text) is not None

    def _place_of_original(self, tree):
        """Returns the name of a text that has the path of the original, or None."""
        for name in sorted(tree_copies.names(tree)):
            path = os.path.join(tree, name)
            is_text = name.endswith(_TEXTS) and os.path.isfile(path)
            if is_text and os.path.getsize(path) <= _LARGEST:
                with open(path, encoding="utf-8", errors="replace") as file:
                    if self._names_original(file.read()):
                        return name
        return None

    def printed(self, name):
        """Returns the `CopiedRun` of each command of a run, without the path of its copy."""
        tree, printed = self._folder.path("runs", name), []
        for number in range(1, len(self._commands) + 1):
            texts = {".out": "", ".err": ""}
            for path in self._logs(name, number):
                with open(path, encoding="utf-8", errors="replace") as file:
                    texts[path[-4:]] += file.read().replace(tree, ".")
            printed.append(copied_runs.CopiedRun(0, texts[".out"], texts[".err"]))
        return printed

    def _logs(self, name, number):
        pattern = self._folder.path("logs", f"{name}-{number}-step-")
        return sorted(glob.glob(glob.escape(pattern) + "*"))


def _after_incomplete(result, earlier):
    """Returns a result; the remedy of a failure names a command before it that did not end."""
    cause, may_lack = result["cause"], (failure_causes.DATA, failure_causes.CODE)
    incomplete = [before for before in earlier if before["status"] != timed_runs.ENDED]
    if cause and cause["kind"] in may_lack and incomplete:
        before = incomplete[-1]
        what = "was stopped; more --seconds" if before["runs"] else "failed"
        hint = f"If it reads what '{before['line']}' writes: that {what}."
        cause["remedy"] = f"{cause['remedy'].rstrip('.')}. {hint}"
    return result


def import_folders(tree):
    """Returns the folders that programs import from: a repository that is a package has some."""
    is_package = any(os.path.isfile(os.path.join(tree, name)) for name in _OF_PACKAGES)
    return [tree, *projects.sources_of(tree)] if is_package else []
