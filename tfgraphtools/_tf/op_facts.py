"""Facts about ops, tensors and graphs that TensorFlow knows and has no public name for."""

import contextlib
import importlib
import os

from tfgraphtools._tf.api import IS_TF1, tf, v1
from tfgraphtools._tf.tf_internals import Internal

_python = importlib.import_module("tensorflow.python")
_ops = Internal("tensorflow.python.framework.ops", "Graphs of tensors")
_control_flow_util = Internal("tensorflow.python.ops.control_flow_util", "Loops of control flow v1")


def graph_of(x):
    """Returns the graph that an op, tensor or variable belongs to."""
    return _ops._get_graph_from_inputs([x])  # pylint: disable=protected-access


def error_of_graphs(tensors):
    """Returns the error that TF raises for tensors that one call may not take together, or None."""
    try:
        _ops._get_graph_from_inputs(tensors)  # pylint: disable=protected-access
    except ValueError as error:
        return error
    return None


def root_graph():
    """Returns the session's graph, outside of the branch, loop or function being built."""
    graph = tf.compat.v1.get_default_graph()
    while getattr(graph, "outer_graph", None) is not None:
        graph = graph.outer_graph
    return graph


def keep_alive(graph, item):
    """Ties the lifetime of a thing to the graph's."""
    kept = getattr(graph, "_tfgraphtools_kept", ())  # TF 2's Graph has no __dict__
    if not any(item is kept_item for kept_item in kept):
        graph._tfgraphtools_kept = kept + (item,)


def unfinalize(graph):
    """Lets a finalized graph take ops again."""
    graph._unsafe_unfinalize()  # pylint: disable=protected-access


def add_control_inputs(op, inputs):
    """Makes an op that no session has seen yet wait for others, which must not depend on it.

    In the body of a loop, branch or function those of outside are there already: what is
    inside has them as inputs.
    """
    loop = _loop_of(op)
    here = [before for before in inputs if before.graph is op.graph and _loop_of(before) is loop]
    op._add_control_inputs(here)


def replace_input(op, position, tensor):
    """Gives an op that no session has seen yet another tensor to take."""
    op._update_input(position, tensor)  # pylint: disable=protected-access


def move(op, device):
    """Places an op that no session has seen yet on a device, wherever it was to be."""
    op._clear_attr("_class")  # which names what it is to be beside
    op._set_device(device)  # pylint: disable=protected-access


def keep_control_inputs(op, kept):
    """Lets an op that no session has seen yet wait for some of what it waits for."""
    op._remove_all_control_inputs()  # pylint: disable=protected-access
    op._add_control_inputs(kept)


def _loop_of(op):
    """Returns the innermost v1 loop that an op is in, or None."""
    return _control_flow_util.GetContainingWhileContext(op._get_control_flow_context())


def control_flow_context(op):
    """Returns the v1 control-flow context that an op is in, or None."""
    return op._get_control_flow_context()  # pylint: disable=protected-access


def current_context(graph):
    """Returns the v1 loop or branch that the graph is building now, or None."""
    return graph._get_control_flow_context()  # pylint: disable=protected-access


def place_of_building():
    """Returns where ops are built now: the graph, its loop or branch, and what they wait for."""
    graph = v1.get_default_graph()
    awaited = graph._current_control_dependencies()  # pylint: disable=protected-access
    return graph, current_context(graph), frozenset(op.name for op in awaited)


@contextlib.contextmanager
def in_context(graph, context):
    """Builds ops of the graph in this v1 loop or branch; outside of all of them for None."""
    before = current_context(graph)
    graph._set_control_flow_context(context)  # pylint: disable=protected-access
    try:
        yield
    finally:
        graph._set_control_flow_context(before)  # pylint: disable=protected-access


def gradients(*arguments, **options):
    """Calls `tf.gradients`; where it raises, the graph is in the v1 loop or branch as before.

    TensorFlow leaves the graph in the backward pass of a loop, and later ops are built there.
    """
    graph = v1.get_default_graph()
    context = current_context(graph)
    try:
        return v1.gradients(*arguments, **options)
    except BaseException:
        graph._set_control_flow_context(context)  # pylint: disable=protected-access
        raise


def open_contexts(graph):
    """Returns the v1 conds and loops that are being built in the graph now, innermost first."""
    context, contexts = graph._get_control_flow_context(), []  # pylint: disable=protected-access
    while context is not None:
        contexts.append(context)
        context = context.outer_context
    return contexts


def static_value(tensor):
    """Returns the value of a constant tensor, or None: `tf.get_static_value` made harmless.

    TensorFlow's function forbids to feed each tensor that it looks at from then on.
    """
    graph = tensor.graph
    forbidden = graph._unfeedable_tensors  # pylint: disable=protected-access
    graph._unfeedable_tensors = type(forbidden)()
    try:
        return tf.get_static_value(tensor)
    finally:
        graph._unfeedable_tensors = forbidden


@contextlib.contextmanager
def feedability_kept(graph):
    """Lets the graph's present tensors be fed afterwards as before.

    For ops built inside that nobody else uses: TensorFlow forbids to feed each constant
    whose value its gradient and shape functions take in.
    """
    forbidden = graph._unfeedable_tensors  # pylint: disable=protected-access
    built = max(map(order_of, graph.get_operations()), default=-1)
    graph._unfeedable_tensors = type(forbidden)()
    try:
        yield
    finally:
        new, graph._unfeedable_tensors = graph._unfeedable_tensors, forbidden
        for tensor in new:
            if order_of(getattr(tensor, "op", tensor)) > built:
                forbidden.add(tensor)


def is_resource(tensor):
    """Returns True for a handle: of a variable, a tensor array, a stack."""
    return tensor.dtype.base_dtype == tf.resource


def has_gradients(dtype):
    """Returns True for the dtypes that TF walks backward."""
    dtype = dtype.base_dtype
    return dtype.is_floating or dtype.is_complex or dtype in (tf.resource, tf.variant)


def is_stateful(op):
    """Returns True for an op that reads or changes a state that outlives it."""
    return op._is_stateful if not IS_TF1 else op.op_def.is_stateful


def has_seed(op):
    """Returns True for an op with a generator of its own."""
    return any(attr.name in ("seed", "seed2") for attr in op.op_def.attr)


def is_stateful_type(op_type, graph):
    """Tells whether ops of this type, or function of the graph, are stateful."""
    return _definition(op_type, graph).is_stateful


def fixed_output_types(op_type, graph):
    """Returns the enums of the dtypes that outputs of such an op have whatever its inputs are."""
    if graph._is_function(op_type):
        return []
    return [output.type for output in _definition(op_type, graph).output_arg if output.type]


def takes_ref(op_type, position, graph):
    """Tells whether this input of ops of this type must be a ref."""
    definition = _definition(op_type, graph)
    return position < len(definition.input_arg) and definition.input_arg[position].is_ref


def _definition(op_type, graph):
    return graph._get_op_def(op_type) if IS_TF1 else graph.op_def_for_type(op_type)


def is_backward(op):
    """Returns True for an op that `tf.gradients` built."""
    if getattr(op, "_original_op", None) is not None:
        return True
    return any(function == "_GradientsHelper" for _, _, function, _ in traceback_of(op))


def order_of(op):
    """Returns a number that grows with the order in which a graph's ops were built."""
    return op._id  # pylint: disable=protected-access


def traceback_of(op):
    """Returns [(file, line number, function, code)] of where the op was built, outermost first."""
    try:
        frames = op.traceback
        return [tuple(frame)[:4] for frame in frames or ()]
    except Exception:  # pylint: disable=broad-except  # imported ops may have none
        return []


#: Where TensorFlow's own files are: frames to skip in a traceback.
PACKAGE_FOLDERS = tuple(
    {
        os.path.dirname(os.path.abspath(tf.__file__)),
        os.path.dirname(os.path.dirname(os.path.abspath(_python.__file__))),
    }
)
