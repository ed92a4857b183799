"""Wrappers of sessions for the debugger: arguments that 1.15 took."""

import functools

from tfgraphtools.compat.engine import replacing, rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

#: module below ``tensorflow.python.debug.wrappers`` -> its classes
_CLASSES = {
    "dumping_wrapper": ("DumpingDebugWrapperSession",),
    "grpc_wrapper": ("GrpcDebugWrapperSession", "TensorBoardDebugWrapperSession"),
    "hooks": ("DumpingDebugHook", "GrpcDebugHook", "LocalCLIDebugHook", "TensorBoardDebugHook"),
    "local_cli_wrapper": ("LocalCLIDebugWrapperSession",),
}

#: How many positional arguments, `self` among them, come before `log_usage`, where it is not last.
_BEFORE = {"LocalCLIDebugWrapperSession": 3}


def _take_old_arguments():
    for module, classes in _CLASSES.items():
        for name in classes:
            target = f"tensorflow.python.debug.wrappers.{module}:{name}.__init__"
            init = functools.partial(_init, _BEFORE.get(name))
            replacing.install_after_import(replaces(target, row=_ROW)(init))


def _init(before, original, self, *arguments, **options):
    position = (before or original.__code__.co_argcount) - 1
    if "log_usage" in options:
        rows.used(_ROW)
        del options["log_usage"]
    elif len(arguments) > position and isinstance(arguments[position], bool):
        rows.used(_ROW)
        arguments = arguments[:position] + arguments[position + 1 :]
    if options.get("ui_type") == "curses":
        rows.used(_ROW)
        options["ui_type"] = "readline"
    original(self, *arguments, **options)


_ROW = Row(
    "tensorflow.python.debug.log_usage",
    "TF 2.1",
    "sessions and hooks of the debugger accept log_usage=, which has no effect, as in 1.15; "
    "ui_type='curses' uses the interface of 'readline'",
    _take_old_arguments,
)

TABLES = (Table("arguments of the debugger", "patches", [_ROW]),)
