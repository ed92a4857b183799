"""The 1.x ``tensorflow`` of user code: compat.v1 behind a view, and TF's switches set to 1.x.

The real TensorFlow stays as it is for every library. Behind the view stands
``tensorflow.compat.v1``; what TF 1.15 had besides comes from the tables.
"""

import contextlib
import importlib
import sys
import types

from tfgraphtools.compat import tf_version
from tfgraphtools.compat.engine import quiet, rows, skipped, state, views
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup

#: What the script is told of its TensorFlow.
VERSION = "1.15.5"

#: Modules that stand beside the API in the real package.
BESIDE = ("python", "core", "tools", "contrib", "examples")

#: Attributes that the view shares with the installed package.
_OF_THE_PACKAGE = ("__file__", "__path__", "__spec__", "__loader__", "__package__")

_patches_done = False
_v1_is_enabled = False
_keeps_v2 = False
_program_is_tf2 = False


def beside(name):
    """Returns what a row provides for a module that stands beside the API."""

    def provide(real):
        try:
            return importlib.import_module("tensorflow." + name)
        except ModuleNotFoundError as error:
            if error.name != "tensorflow." + name:
                raise
            raise AttributeError(f"module 'tensorflow' has no attribute {name!r}")

    return provide


def _real_attribute(name):
    return lambda real: getattr(importlib.import_module("tensorflow"), name)


def _rows(names, since, why, provide):
    return [Fix("tensorflow." + name, since, why, provide) for name in names]


ROWS = _rows(
    ["__version__", "VERSION", "version.VERSION"],
    "TF 2.0",
    "is 1.15.5: scripts compare it",
    lambda real: VERSION,
)

TABLES = (Table("TensorFlow's version", "names", ROWS),)


def begin(options):
    """Starts a run with these options."""
    global _keeps_v2, _program_is_tf2
    _keeps_v2 = options.v2_behavior
    _program_is_tf2 = options.tf2


def module_name(name):
    """Returns the name of the module that user code gets for ``import name``.

    It is another one where the program is TF 2's: ``tensorflow.keras`` is that of ``compat.v2``.
    """
    root, _, inner_name = name.partition(".")
    if not _program_is_tf2 or root != "tensorflow":
        return name
    if inner_name.partition(".")[0] in ("compat", *BESIDE):
        return name
    return f"{_V2}.{inner_name}".rstrip(".")


def switch_for_import(name, fromlist=()):
    """Sets TF's switches to their 1.x side where user code imports a module of TensorFlow.

    Code that imports only ``tensorflow.compat.v1`` was written for graph mode too: it calls
    ``disable_v2_behavior``, or ran on TF 1.15. What is imported first decides.

    Args:
      name: the module's name, ``tensorflow...``.
      fromlist: what is imported from it.
    """
    global _keeps_v2
    if _program_is_tf2:
        return
    imported = {name} | {f"{name}.{item}" for item in fromlist or ()}
    if name == "tensorflow.compat" and not imported & {_V1, _V2}:
        return
    if any(module == _V2 or module.startswith(_V2 + ".") for module in imported):
        _keeps_v2 = True
    elif not name.startswith("tensorflow.compat") or not _keeps_v2:
        views.module("tensorflow")
        enable_v1_behavior()


_V1, _V2 = "tensorflow.compat.v1", "tensorflow.compat.v2"


def install(options):
    """Makes ``import tensorflow`` of user code give the facade."""
    _keep_modules()
    lookup.register_real("tensorflow", _load)
    lookup.register_attribute(
        Fix("tensorflow.compat.v1", None, "", lambda real: views.module("tensorflow"))
    )
    lookup.register_attribute(
        Fix(_V2 + ".compat", None, "", lambda real: views.module("tensorflow.compat"))
    )
    _explain_in_v2()
    for name in BESIDE:
        row = Fix("tensorflow." + name, None, "", beside(name))
        lookup.register_attribute(row, is_listed=name != "examples")  # as in 1.15
    for name in _OF_THE_PACKAGE:
        lookup.register_attribute(Fix("tensorflow." + name, None, "", _real_attribute(name)))


def _explain_in_v2():
    """Makes ``tensorflow.compat.v2``, too, raise the errors of names without a replacement."""
    for table in rows.tables():
        for row in table.on() if table.kind == "gone" else ():
            root, _, inner = row.name.partition(".")
            if root == "tensorflow" and not inner.startswith(("python.", "contrib.", "compat.")):
                lookup.register_attribute(row, name=f"{_V2}.{inner}")


def _keep_modules():
    """Makes `restore` put back the modules of the API, if TensorFlow is already imported.

    Whoever imports one by its path, as tf_keras does with ``tensorflow.compat.v1``,
    puts a second copy in its place.
    """
    tensorflow = sys.modules.get("tensorflow")
    for name, value in list(vars(tensorflow).items()) if tensorflow else ():
        if isinstance(value, types.ModuleType):
            state.set_attribute(tensorflow, name, value)


def _load():
    from tfgraphtools import _tf

    _apply_patches()
    return _tf.v1


def _apply_patches():
    """Applies the tables that change TensorFlow itself, once."""
    global _patches_done
    if _patches_done:
        return
    _patches_done = True
    state.at_restore(_forget_patches)
    _say_if_untested()
    for table in rows.tables():
        if table.kind == "patches":
            for row in table.on():
                skipped.apply(row.name, row.run)


def _say_if_untested():
    """Says once that this TensorFlow is newer than those on which the fixes were tested."""
    version = tf_version.tensorflow_version()
    if version is not None and version > tf_version.NEWEST:
        quiet.say(
            "tfgraphtools: TensorFlow {}.{} is newer than {}.{}, the newest that is tested. "
            "Fixes that cannot be applied are skipped, and named.".format(
                *version, *tf_version.NEWEST
            )
        )


def _forget_patches():
    global _patches_done
    _patches_done = False


def enable_v1_behavior():
    """Sets TF's switches to their 1.x side: graphs, ref variables, control flow v1.

    Does nothing after the first time, so that a script may enable eager execution
    and import more of TensorFlow afterwards.
    """
    global _v1_is_enabled
    if _v1_is_enabled:
        return
    _v1_is_enabled = True
    state.at_restore(_forget_enabling)
    from tensorflow.python import tf2
    from tensorflow.python.util import deprecation

    from tfgraphtools._tf import v1

    if not tf2.enabled():  # the program has said so, and may have enabled eager execution since
        return
    state.at_restore(_call_data_callbacks)  # when the switches stand as they stood
    skipped.apply(_BEHAVIOR, lambda: state.at_restore(tf2.enable))
    for owner, attribute in _SWITCHES:
        skipped.apply(_BEHAVIOR, _keep, owner, attribute)
    skipped.apply(_BEHAVIOR, _keep_mode)
    with getattr(deprecation, "silence", contextlib.nullcontext)():
        v1.disable_v2_behavior()
    skipped.apply(_BEHAVIOR, _forget_eager_code)


#: The name under which it is reported that one of these is missing.
_BEHAVIOR = "tensorflow.disable_v2_behavior"

#: Where TF keeps the switches that ``disable_v2_behavior`` turns: (module or class, attribute).
_SWITCHES = (
    ("tensorflow.python.eager.context", "default_execution_mode"),
    ("tensorflow.python.eager.context", "context"),
    ("tensorflow.python.framework.tensor_shape", "_TENSORSHAPE_V2_OVERRIDE"),
    ("tensorflow.python.ops.resource_variables_toggle", "_DEFAULT_USE_RESOURCE"),
    ("tensorflow.python.framework.tensor:Tensor", "_USE_EQUALITY"),
    ("tensorflow.python.ops.control_flow_util", "ENABLE_CONTROL_FLOW_V2"),
)


def _keep(owner, attribute):
    """Makes `restore` put a switch back."""
    module, _, cls = owner.partition(":")
    owner = importlib.import_module(module)
    owner = getattr(owner, cls) if cls else owner
    state.set_attribute(owner, attribute, getattr(owner, attribute))


def _keep_mode():
    """Makes `restore` put back whether this thread executes eagerly."""
    from tensorflow.python.eager import context

    local = context.context()._thread_local_data
    state.set_attribute(local, "is_eager", local.is_eager)


def _forget_eager_code():
    """Makes `init_scope` lead out of functions into the graph, and not into eager execution.

    The context was made in eager mode and would remember that as what surrounds all code.
    Where a script enables eager execution, it is told again.
    """
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    def surround(eager):
        stack = context._ContextSwitchStack(eager)
        state.set_attribute(context.context(), "_context_switches", stack)

    def enable_eager_execution_internal(*arguments, **options):
        enable_original(*arguments, **options)
        surround(eager=True)

    enable_original = ops.enable_eager_execution_internal
    state.set_attribute(ops, "enable_eager_execution_internal", enable_eager_execution_internal)
    surround(eager=False)


def keep_v2_behavior():
    """Leaves TensorFlow's switches as they are from now on: the program is TF 2's."""
    global _v1_is_enabled
    _v1_is_enabled = True
    state.at_restore(_forget_enabling)


def _forget_enabling():
    global _v1_is_enabled
    _v1_is_enabled = False


def _call_data_callbacks():
    from tensorflow.python.compat import v2_compat

    callbacks = getattr(v2_compat, "_DATA_V2_CALLBACKS", None)
    for name in callbacks.list() if callbacks else ():
        callbacks.lookup(name)()
