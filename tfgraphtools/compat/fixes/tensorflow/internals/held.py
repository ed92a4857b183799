"""What modules of ``tensorflow.python`` held because they had imported it.

``tf.python.control_flow_ops`` is one of `MODULES`. Inner modules hold such names too: programs
write ``from tensorflow.python.layers.base import nest``, or ``dataset_ops.ops.Tensor``. A module
of TF 2.x that imports less has fewer of them. ``held.tsv`` lists those that TF 1.15.5 held and
TF 2.21 does not (``scripts/generate/held.py`` writes it): a module, and its names as

    name             the target that the first line has for this name
    name=module      a module, below ``tensorflow.python`` or, after a slash, anywhere
    name=module:of   a name of this module
"""

import functools
import pathlib

from tfgraphtools.compat.engine import registry, rows, views
from tfgraphtools.compat.engine.rows import Row, Table

#: package below ``tensorflow.python`` -> the names, and that of the module where it is another one.
_HELD = {
    "": "py_tf=pywrap_tensorflow",
    "compat": "fwd_compat=compat v2_compat",
    "compiler.xla": "jit xla",
    "eager": "context wrap_function",
    "framework": (
        "common_shapes config constant_op dtypes errors errors_impl framework_ops=ops "
        "graph_util pydev=device random_seed sparse_tensor tensor_shape tensor_spec "
        "tensor_util type_spec"
    ),
    "lib.io": "file_io python_io",
    "ops": (
        "array_grad array_ops bitwise=bitwise_ops check_ops clip_ops control_flow_ops "
        "control_flow_util cudnn_rnn_grad data_flow_grad gen_array_ops gen_batch_ops "
        "gen_control_flow_ops gen_data_flow_ops gen_functional_ops gen_io_ops gen_linalg_ops "
        "gen_math_ops gen_nn_ops gen_parsing_ops gen_random_ops gen_sparse_ops gen_state_ops "
        "gen_stateless_random_ops gen_string_ops gradient_checker_v2 image=image_ops "
        "initializers=initializers_ns linalg_ops_impl list_ops manip=manip_ops manip_grad "
        "map_fn math_grad math_ops metrics nn nn_ops ragged random_grad random_ops "
        "resource_variable_ops rnn rnn_cell rnn_grad sets sparse_grad sparse_ops state_grad "
        "state_ops stateful_random_ops tensor_array_ops vs=variable_scope"
    ),
    "ops.distributions": "distributions",
    "ops.linalg": "linalg",
    "ops.losses": "losses",
    "ops.signal": "signal",
    "platform": "app flags gfile logging=tf_logging resource_loader sysconfig test tf_logging",
    "training": "train=training",
    "util": (
        "deprecation dispatch function_utils nest object_identity tf_inspect tf_should_use "
        "util_compat=compat"
    ),
}

#: name -> module, both below ``tensorflow.python``.
MODULES = {
    name.partition("=")[0]: ".".join(filter(None, [place, name.rpartition("=")[2]]))
    for place, names in _HELD.items()
    for name in names.split()
}


def install():
    """Makes internal modules hold their old names from now on."""
    if not rows.is_on(_ROW):
        return
    _held.clear()
    _names.cache_clear()
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        holder, _, names = line.partition("\t")
        _held[holder] = names
        if holder != "*":
            registry.register_rest(_absolute(holder), _provide)


_FILE = pathlib.Path(__file__).with_name("held.tsv")

#: Module below ``tensorflow.python`` -> its names, as the file has them; "*": the usual targets.
_held = {}


#: What is looked for now: the search for a module asks its package, which may hold it.
_underway = set()


def _provide(module, attribute):
    target = _target(module[len("tensorflow.python.") :], attribute)
    if target is None or target in _underway:
        raise AttributeError(f"module {module!r} has no attribute {attribute!r}")
    place, _, name = target.partition(":")
    _underway.add(target)
    try:
        found = views.module(_absolute(place))
    finally:
        _underway.remove(target)
    rows.used(_ROW)
    return getattr(found, name) if name else found


def _target(holder, attribute):
    names = _names(holder)
    return (names[attribute] or _target("*", attribute)) if attribute in names else None


@functools.lru_cache(maxsize=None)
def _names(holder):
    """name -> its target, or "", of a line of the file: read when it is asked for first."""
    parts = (entry.partition("=") for entry in _held[holder].split())
    return {name: target for name, _, target in parts}


def _absolute(place):
    return place[1:] if place.startswith("/") else "tensorflow.python." + place


_ROW = Row(
    "tensorflow.held_names",
    "TF 2.x",
    "names that an internal module of 1.15 had because it imported them: layers.base.nest",
)

TABLE = Table("names that internal modules imported", "listed", [_ROW])
