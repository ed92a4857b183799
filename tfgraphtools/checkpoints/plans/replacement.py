"""Put one file, or one folder, in the place of another: in one step, or not at all."""

import contextlib
import os
import re

from tfgraphtools.checkpoints.plans.recovery import NEW, OLD, Workspace
from tfgraphtools.checkpoints.plans.staging import DISK, exchange, flush_tree, sync_folder
from tfgraphtools.errors import DestinationError

#: The files of a checkpoint are replaced together, by `transaction`, and never by something else.
_OF_CHECKPOINTS = re.compile(r"\.(index|meta|data-\d{5,}-of-\d{5,})$")


@contextlib.contextmanager
def replacing(path, overwrite, folder_with=None):
    """Gives the path at which to write; at the end what is there takes the place of ``path``.

    Whatever goes wrong, ``path`` is as it was. What replaces something is flushed to the disk
    before, so that a crash of the machine leaves the old one or the new one.

    Args:
      path: the destination.
      overwrite: replace what is there.
      folder_with: what is written is a folder, and only a folder with one of these files, or an
        empty one, may be replaced.

    Raises:
      DestinationError: it is taken, it has no folder, or the disk is full.
    """
    require_free(path, overwrite, folder_with)
    try:
        with Workspace(path) as workspace:
            require_free(path, overwrite, folder_with)  # again: something may have been put back
            staged = workspace.stage(NEW)
            yield staged
            if os.path.lexists(path):
                flush_tree(staged)
            _put_in_place(workspace, staged, path)
    except OSError as error:
        if isinstance(error, DestinationError) or error.errno not in DISK:
            raise
        raise DestinationError(
            path,
            "room and permission to write",
            error.strerror,
            "Nothing was changed. Free space, or write to another disk.",
        ) from error


def _put_in_place(workspace, staged, path):
    if not os.path.isdir(path):
        os.replace(staged, path)
    elif not exchange(staged, path):
        # A folder cannot be renamed over another. Killed in between, `settle` puts it back.
        workspace.announce({"replaces": workspace.base})
        os.rename(path, workspace.stage(OLD))
        os.rename(staged, path)
    sync_folder(workspace.folder)


def require_folder(path, folder):
    """Raises `DestinationError` where the folder in which ``path`` is to be written is none."""
    if os.path.isdir(folder):
        return
    is_file = os.path.lexists(folder)
    raise DestinationError(
        path,
        "an existing folder",
        f"{folder}, a file" if is_file else f"no {folder}",
        "Write elsewhere." if is_file else f"Make it first: mkdir -p {folder}",
    )


def require_free(path, overwrite, folder_with=None):
    """Raises `DestinationError` unless `replacing` could put something at ``path``."""
    require_folder(path, os.path.dirname(os.path.abspath(path)))
    if not os.path.lexists(path):
        return
    if _OF_CHECKPOINTS.search(os.path.basename(path)):
        raise DestinationError(
            path,
            "a name that no file of a checkpoint has",
            "one of a checkpoint that is there, which would be lost",
            "Write elsewhere, or remove that checkpoint first.",
        )
    is_folder = os.path.isdir(path)
    if not overwrite or is_folder != bool(folder_with):
        raise DestinationError(
            path,
            "a free path",
            "a folder" if is_folder else "a file that exists",
            "Write elsewhere, or pass overwrite=True (--force)."
            if is_folder == bool(folder_with)
            else "Write elsewhere.",
        )
    if is_folder and os.listdir(path) and not set(os.listdir(path)) & set(folder_with):
        raise DestinationError(
            path,
            "a folder with one of {}, or an empty one".format(", ".join(folder_with)),
            "a folder of other files",
            "Write elsewhere: overwriting would remove them.",
        )
