"""The debugger and the tools for frozen graphs: arguments that 1.15 took."""

import functools

from tfgraphtools.compat.engine import replacing, rows
from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import provides, renaming
from tfgraphtools.compat.fixes.tensorflow.ownership import adds, replaces

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
    for old, today in _REGULAR_EXPRESSIONS.items():
        target = f"tensorflow.python.debug.wrappers.framework:WatchOptions.{old}"
        replacing.install_after_import(adds(target, row=_ROW)(property(_getter(today))))
    for module, classes in _CLASSES.items():
        for name in classes:
            target = f"tensorflow.python.debug.wrappers.{module}:{name}.__init__"
            init = functools.partial(_init, _BEFORE.get(name))
            replacing.install_after_import(replaces(target, row=_ROW)(init))


def _getter(name):
    return lambda options: getattr(options, name)


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


_ROW = Fix(
    "tensorflow.python.debug.log_usage",
    "TF 2.1",
    "sessions and hooks of the debugger accept log_usage=, which has no effect, as in 1.15; "
    "ui_type='curses' uses the interface of 'readline'; WatchOptions have "
    "node_name_regex_whitelist",
    _take_old_arguments,
)

_REGULAR_EXPRESSIONS = {
    f"{what}_regex_whitelist": f"{what}_regex_allowlist"
    for what in ("node_name", "op_type", "tensor_dtype")
}
_DENIED = {
    f"{what}_regex_blacklist": f"{what}_regex_denylist"
    for what in ("node_name", "op_type", "tensor_dtype")
}

_DEBUG = "tensorflow.python.debug"

_RENAMED = [
    renaming(name, "TF 2.4", **words)
    for name, words in (
        (f"{_DEBUG}.watch_graph", _REGULAR_EXPRESSIONS),
        (f"{_DEBUG}.lib.debug_utils.watch_graph", _REGULAR_EXPRESSIONS),
        (f"{_DEBUG}.WatchOptions", _REGULAR_EXPRESSIONS),
        (f"{_DEBUG}.wrappers.framework.WatchOptions", _REGULAR_EXPRESSIONS),
        *(
            (
                f"tensorflow.python.tools.freeze_graph.{name}",
                {"variable_names_blacklist": "variable_names_denylist"},
            )
            for name in ("freeze_graph", "freeze_graph_with_def_protos")
        ),
    )
]


def _with_denylists(name):
    today = name.replace("blacklists", "denylists")
    why = "watch_graph_with_blacklists is watch_graph_with_denylists now"

    @provides(name, "TF 2.4", why, Call(today, _DENIED))
    def row(real):
        original = getattr(real, today.rpartition(".")[2])

        @functools.wraps(original)
        def watch_graph_with_blacklists(*arguments, **options):
            options = {_DENIED.get(word, word): value for word, value in options.items()}
            return original(*arguments, **options)

        return watch_graph_with_blacklists

    return row


_REMOVED = [
    _with_denylists(f"{_DEBUG}.{inner}watch_graph_with_blacklists")
    for inner in ("", "lib.debug_utils.")
]

TABLES = (
    Table("arguments of the debugger", "patches", [_ROW]),
    Table("arguments with other names of the debugger and of freeze_graph", "calls", _RENAMED),
    Table("functions of the debugger", "names", _REMOVED),
)
