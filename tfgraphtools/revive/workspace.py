"""The folder that a revival owns: which stages are done, their logs, and copies of the code.

revive.json      whose folder it is
revive.lock      held by the call that works in it
stages/          the result of each stage that is done, with what it was asked for
logs/            what each stage ran and what that printed
original/        the code as it was
environment/     the virtual environment
environment-tf1/ one with TF 1.15, if it was made
runs/            the copies in which commands ran, with what they wrote
upgraded/        a repository of git; its branch `revived` has the upgraded code
"""

import contextlib
import hashlib
import json
import os
import shutil

from tfgraphtools.checkpoints.plans.disk import file_locks
from tfgraphtools.errors import DestinationError
from tfgraphtools.runs import tree_copies

_MARKER = "revive.json"


class Workspace:
    """The folder of a revival.

    Args:
      original: the repository.
      folder: the folder, made if there is none.
      resume: whether it may be there already, and stages that are done are skipped.

    Raises:
      DestinationError: it is another's folder, or one inside the repository.
    """

    def __init__(self, original, folder, resume=False):
        self.original, self.folder = os.path.realpath(original), os.path.realpath(folder)
        self.named = os.path.abspath(original)  # which may be a link
        self._is_held = False
        self._require_apart()
        marker = self.path(_MARKER)
        if os.path.isdir(self.folder) and set(os.listdir(self.folder)) - {_MARKER + ".new"}:
            self._require_own(marker, resume)
            return
        parent = os.path.dirname(self.folder)
        if not os.path.isdir(parent) or not os.access(parent, os.W_OK):
            raise DestinationError(
                self.folder, "a folder that can be made", f"{parent}: no folder to write to",
                "Name another: --out FOLDER",
            )  # fmt: skip
        os.makedirs(self.folder, exist_ok=True)
        write_whole(marker, json.dumps({"original": self.original}))

    @contextlib.contextmanager
    def locked(self):
        """Holds the folder for this object: `with workspace.locked()`, also inside another.

        Raises:
          DestinationError: another call works in it.
        """
        if self._is_held:
            yield
            return
        descriptor = file_locks.take(self.path("revive.lock"))
        if descriptor is None:
            raise DestinationError(
                self.folder,
                "a folder in which no other 'revive' works",
                "one that another call holds",
                "Wait for it and add --resume, or name another folder: --out FOLDER",
            )
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
            os.close(descriptor)

    def _require_apart(self):
        for inner, outer in ((self.folder, self.original), (self.original, self.folder)):
            if (inner + os.sep).startswith(outer + os.sep):
                raise DestinationError(
                    self.folder,
                    "a folder outside the repository and not around it",
                    f"one that shares files with {self.original}",
                    "Name another: --out FOLDER",
                )

    def _require_own(self, marker, resume):
        try:
            with open(marker, encoding="utf-8") as file:
                owner = json.load(file)["original"]
        except (OSError, ValueError, KeyError, TypeError):
            owner = None
        if owner != self.original:
            raise DestinationError(
                self.folder,
                "no such folder, an empty one, or one of an earlier 'revive' of this repository",
                f"one of {owner}" if owner else "one with other files",
                "Name another: --out FOLDER",
            )
        if not resume:
            raise DestinationError(
                self.folder,
                "a new folder",
                "one of an earlier 'revive' of this repository",
                "Add --resume to go on where that stopped, or name another: --out FOLDER",
            )

    def path(self, *parts):
        """Returns a path in the folder."""
        return os.path.join(self.folder, *parts)

    def result(self, stage, inputs, path=None):
        """Returns the result of a stage that is done with these inputs, or None.

        Args:
          stage: its name.
          inputs: what it is asked for.
          path: what it made; where that is gone, the stage is not done.
        """
        if path is not None and not os.path.exists(path):
            return None
        try:
            with open(self.path("stages", stage + ".json"), encoding="utf-8") as file:
                record = json.load(file)
        except (OSError, ValueError):
            return None
        return record["result"] if record["inputs"] == key(inputs) else None

    def finish(self, stage, inputs, result):
        """Writes the result of a stage, in one step; returns it as it is read again."""
        os.makedirs(self.path("stages"), exist_ok=True)
        text = json.dumps({"inputs": key(inputs), "result": result}, indent=2)
        write_whole(self.path("stages", stage + ".json"), text)
        return json.loads(text)["result"]

    @contextlib.contextmanager
    def log(self, stage):
        """Opens an empty log of a stage: `with workspace.log("run") as file`."""
        os.makedirs(self.path("logs"), exist_ok=True)
        path = self.path("logs", stage + ".log")
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            yield file

    def fresh_copy(self, name, source):
        """Copies a folder to the path of a name, in place of what an earlier try left there.

        Returns:
          the path, and the links that lead outside the folder.
        """
        target, unfinished = self.path(name), self.path(name + ".unfinished")
        for path in (target, unfinished):
            if os.path.isdir(path):
                shutil.rmtree(path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        outside = tree_copies.copy(source, unfinished)
        os.rename(unfinished, target)
        return target, outside


def key(inputs):
    """Returns a text that is the same for plain data that are the same."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def write_whole(path, text):
    """Writes a file in one step: a reader, and a kill, see the old text or the new."""
    with open(path + ".new", "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
