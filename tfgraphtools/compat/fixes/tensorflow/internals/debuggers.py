"""Wrappers of sessions for the debugger: arguments that 1.15 took."""

import functools

from tfgraphtools.compat.engine import after_import, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

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
    for name, classes in _CLASSES.items():
        after_import.call(
            "tensorflow.python.debug.wrappers." + name,
            functools.partial(_take_them, classes),
            _ROW.name,
        )


def _take_them(classes, module):
    for name in classes:
        cls = getattr(module, name)
        state.set_attribute(cls, "__init__", _taking(cls.__init__, _BEFORE.get(name)))


def _taking(plain, before):
    count = before or plain.__code__.co_argcount

    @functools.wraps(plain)
    def __init__(self, *arguments, **options):
        position = count - 1
        if "log_usage" in options:
            rows.used(_ROW)
            del options["log_usage"]
        elif len(arguments) > position and isinstance(arguments[position], bool):
            rows.used(_ROW)
            arguments = arguments[:position] + arguments[position + 1 :]
        if options.get("ui_type") == "curses":
            rows.used(_ROW)
            options["ui_type"] = "readline"
        plain(self, *arguments, **options)

    return __init__


_ROW = Row(
    "tensorflow.python.debug.log_usage",
    "TF 2.1",
    "sessions and hooks of the debugger accept log_usage=, which has no effect, as in 1.15; "
    "ui_type='curses' uses the interface of 'readline'",
    _take_old_arguments,
)

TABLE = Table("arguments of the debugger", "patches", [_ROW])
