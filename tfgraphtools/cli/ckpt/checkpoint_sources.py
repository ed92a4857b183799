"""The checkpoints that a command is given: opened, and named where the user named a folder."""

import contextlib
import sys
from typing import Any, ContextManager, Union

from tfgraphtools import checkpoints
from tfgraphtools.errors import TfgraphtoolsError


def opened(path: Any, **options: Any) -> ContextManager["checkpoints.Checkpoint"]:
    """Returns an open `Checkpoint`; says on stderr which one of a folder it is.

    One that is open already stays open after the ``with``: whoever opened it closes it.
    """
    if not isinstance(path, str):
        return contextlib.nullcontext(path)
    ckpt = checkpoints.open_checkpoint(path, **options)
    _say(ckpt.note)
    return ckpt


def averaged(ckpt: "checkpoints.Checkpoint", arguments: Any) -> "checkpoints.Checkpoint":
    """Returns the checkpoint with moving averages in place of their variables, with --use-ema."""
    use_ema = averages_asked_for(arguments)
    if not use_ema:
        return ckpt
    from tfgraphtools.checkpoints.plans import moving_averages

    return moving_averages.chosen(ckpt, None, use_ema, "--use-ema")[0]


def averages_asked_for(arguments: Any) -> Union[bool, str]:
    """Returns the name of --ema-name, else whether --use-ema was given."""
    return arguments.ema_name or arguments.use_ema


def announce(path: str) -> None:
    """Says which checkpoint of a folder a path means; nothing where that is not known."""
    from tfgraphtools.checkpoints.read import paths

    try:
        _say(paths.find(path).note)
    except (TfgraphtoolsError, OSError, TypeError):  # whoever opens it says so
        pass


def _say(note):
    if note:
        print("note: " + note, file=sys.stderr)
