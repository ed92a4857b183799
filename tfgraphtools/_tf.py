"""The one door to TensorFlow: the v1 API under TF 1.15 and TF 2.x, and their differences, named.

Every other module of the package takes TensorFlow from here
(``from tfgraphtools._tf import tf, v1``), so that a difference between the two
is written down once, in this file.
"""

import os
import sys

import numpy as np
import tensorflow as tf
from google.protobuf import text_format as _text_format
from tensorflow.core.protobuf import saved_model_pb2 as _saved_model_pb2
from tensorflow.python.distribute import values as _distributed_values
from tensorflow.python.framework import func_graph as _func_graph
from tensorflow.python.framework import function as _legacy_functions
from tensorflow.python.framework import function_def_to_graph as _function_def_to_graph
from tensorflow.python.framework import meta_graph as _meta_graph
from tensorflow.python.framework import ops as _ops
from tensorflow.python.ops import control_flow_util_v2 as _control_flow_util_v2
from tensorflow.python.ops import control_flow_v2_func_graphs as _bodies
from tensorflow.python.ops import resource_variable_ops as _resource_variables
from tensorflow.python.ops import variables as _variables
from tensorflow.python.training import optimizer as _optimizer
from tensorflow.python.training import slot_creator as _slot_creator

v1 = tf.compat.v1

#: True on TF 1.15, False on TF 2.x.
IS_TF1 = tf.__version__.startswith("1.")

#: Elementwise choice with NumPy's broadcasting rules. TF 1.15's own `tf.where`
#: takes a rank-1 condition to choose rows; TF 2's broadcasts it over columns.
where = tf.compat.v2.where

#: A copy that shares no memory with its input. On ref variables `tf.identity`
#: and `read_value` give the variable's own buffer, which a later assign changes.
DeepCopy = tf.raw_ops.DeepCopy

#: Lifts ops out of control dependencies, control-flow contexts and functions.
init_scope = tf.init_scope

colocate_with = v1.colocate_with


def is_variable(x):
    """True for a ref or resource variable (a PartitionedVariable is several)."""
    return isinstance(x, _variables.Variable)


def is_partitioned(x):
    """True for a PartitionedVariable."""
    return isinstance(x, _variables.PartitionedVariable)


#: The strategies that keep a copy of each variable in every replica.
MIRRORED_STRATEGIES = (tf.compat.v2.distribute.MirroredStrategy, v1.distribute.MirroredStrategy)


def is_mirrored(x):
    """True for the variable of a strategy that has a copy in every replica."""
    return isinstance(x, _distributed_values.DistributedVariable)


def components(variable):
    """The copies of a mirrored variable, or of that which this is a copy of; else itself."""
    variable = container(variable)
    return list(variable.values) if is_mirrored(variable) else [variable]


def container(variable):
    """The mirrored variable of which this is a copy; any other variable itself."""
    holder = variable  # TF 2 notes it at the handle, TF 1.15 at the variable
    if not IS_TF1 and is_resource_variable(variable) and not is_mirrored(variable):
        holder = variable.handle
    reference = getattr(holder, "_distributed_container", None)
    return variable if reference is None else reference()


def is_resource_variable(variable):
    """True for a resource variable, False for a ref variable."""
    return _resource_variables.is_resource_variable(variable)


def key(variable):
    """A hashable stand-in for a variable, by identity.

    TF 2 makes variables unhashable where `==` compares them elementwise.
    """
    return variable.ref() if hasattr(variable, "ref") else variable.experimental_ref()


def select(condition, x, y):
    """As `where` for three tensors of one shape, and faster: it broadcasts nothing."""
    return tf.raw_ops.Select(condition=condition, x=x, y=y)


def scatter_rows(variable, indices, values):
    """Assigns parts of a dense variable, as `scatter_nd_update` does.

    A scatter into a resource variable itself makes every later dense update and
    read of it copy the whole; a scatter into its value copies it once.
    """
    if not is_resource_variable(variable):
        return v1.scatter_nd_update(variable, indices, values)
    return v1.assign(variable, tf.tensor_scatter_nd_update(variable.read_value(), indices, values))


def overwrite_rows(variable, rows, values):
    """As `scatter_rows` for a resource variable that a kernel has just updated: without a copy.

    Its value is then memory that no other variable, constant or tensor shares,
    and may be written in place. (After an assign it may be anybody's.) The assign
    costs nothing, but where the read was a copy: after a scatter or gather.

    Args:
      rows: int32 vector of indices into the first dimension; a matrix with one
        row for each element indexes the flattened variable.
      values: the new rows, or a vector of elements.
    """
    value = variable.read_value()
    if rows.shape.rank == 1:
        return v1.assign(variable, tf.raw_ops.InplaceUpdate(x=value, i=rows, v=values))
    strides = np.cumprod([1] + variable.shape.as_list()[:0:-1])[::-1]
    flat = tf.reduce_sum(rows * tf.constant(strides, rows.dtype), axis=1)
    written = tf.raw_ops.InplaceUpdate(
        x=tf.reshape(value, [-1, 1]), i=flat, v=tf.reshape(values, [-1, 1])
    )
    return v1.assign(variable, tf.reshape(written, variable.shape))


def switch_cond(pred, true_fn, false_fn):
    """`cond` by Switch and Merge: a branch may then update ref variables."""
    v2_enabled = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    try:
        return v1.cond(pred, true_fn, false_fn)
    finally:
        if v2_enabled:
            v1.enable_control_flow_v2()


def scratch_variable(like, shape, name):
    """A variable of the same kind, dtype and place as another, in no collection.

    Nothing initialises or saves it: it must be assigned before each use.
    """
    with init_scope(), colocate_with(like):
        return v1.Variable(
            tf.zeros(shape, like.dtype.base_dtype),
            trainable=False,
            collections=[],
            name=name,
            use_resource=is_resource_variable(like),
        )


def read_from_here_on(variable):
    """Makes later uses of the variable as a tensor wait for the control dependencies open now.

    A resource variable is read anew at each use. A ref variable is used by one
    read, which was built with it and waits for nothing.
    """
    if not is_resource_variable(variable):
        variable._snapshot = tf.identity(variable._variable, name="read")


def zeros_slot(variable, name):
    """A float32 slot of zeros of the variable's shape, named and saved as an optimizer's are."""
    return _slot_creator.create_zeros_slot(variable, name, dtype=tf.float32)


def slot_key(variable):
    """What an optimizer's own dicts of slots have as the key of a variable."""
    return _optimizer._var_key(variable)


def add_control_inputs(op, inputs):
    """Makes an existing op wait for others, which must not depend on it."""
    op._add_control_inputs(inputs)


def is_ref_buffer(tensor):
    """True where a tensor is the memory of a ref variable, which any assign changes.

    `tf.identity`, `read_value` and the reshaping ops hand on the buffer itself.
    """
    while tensor.op.type in _PASS_ON and not tensor.dtype._is_ref_dtype:
        tensor = tensor.op.inputs[0]
    return tensor.dtype._is_ref_dtype


#: Ops that may hand on the very buffer of their first input.
_PASS_ON = frozenset(
    [
        "Bitcast",
        "CheckNumerics",
        "EnsureShape",
        "ExpandDims",
        "Identity",
        "PreventGradient",
        "RefIdentity",
        "Reshape",
        "Squeeze",
        "StopGradient",
    ]
)


def graph_of(x):
    """The graph that an op, tensor or variable belongs to."""
    return _ops._get_graph_from_inputs([x])  # pylint: disable=protected-access


# Gradient functions and overrides ---------------------------------------------

_gradient_registry = _ops._gradient_registry  # pylint: disable=protected-access

#: The op attribute in which TF keeps the name of an op's own gradient function.
GRADIENT_ATTRIBUTE = "_gradient_op_type"

#: The functions of TF that build backward ops: `gradients` and the gradient tape.
_BACKWARD_BUILDERS = frozenset(["_GradientsHelper", "_gradient_function"])


def gradient_is_registered(name):
    """True if TF knows a gradient function, or "not differentiable", by this name."""
    try:
        _gradient_registry.lookup(name)
    except LookupError:
        return False
    return True


def registered_gradients():
    """The names of all registered gradient functions (op types are names too)."""
    return _gradient_registry.list()


def gradient_function(name):
    """The function registered by this name; None is "not differentiable"."""
    return _gradient_registry.lookup(name)


def register_gradient(name, function):
    """Registers a gradient function for good: TF's registry has no removal."""
    _gradient_registry.register(function, name)


def gradient_override(op):
    """The name of the op's own gradient function, or None."""
    try:
        return op.get_attr(GRADIENT_ATTRIBUTE).decode()
    except ValueError:
        return None


def set_gradient_override(op, name):
    """Gives the op a gradient function by name; honoured even on a finalized graph."""
    op._set_attr(  # pylint: disable=protected-access
        GRADIENT_ATTRIBUTE, v1.AttrValue(s=name.encode("utf-8"))
    )


def clear_gradient_override(op):
    """Gives the op back the gradient of its type."""
    op._clear_attr(GRADIENT_ATTRIBUTE)  # pylint: disable=protected-access


def active_override(graph, op_type):
    """What `Graph.gradient_override_map` says now about an op type, or None."""
    return graph._gradient_override_map.get(op_type)  # pylint: disable=protected-access


def building_backward():
    """True while TF builds backward ops somewhere up this thread's stack."""
    frame = sys._getframe(1)  # pylint: disable=protected-access
    while frame is not None:
        if frame.f_code.co_name in _BACKWARD_BUILDERS:
            return True
        frame = frame.f_back
    return False


def function_definition(graph, name):
    """The FunctionDef of a function of the graph's library, or None."""
    function = graph._get_function(name)  # pylint: disable=protected-access
    return None if function is None else function.definition


def in_legacy_function(graph):
    """True for the body of a Defun, whose gradient TF computes without Python."""
    return isinstance(graph, _legacy_functions._FuncGraph)  # pylint: disable=protected-access


def keep_alive(graph, thing):
    """Ties the lifetime of a thing to the graph's."""
    kept = getattr(graph, "_tfgraphtools_kept", ())  # TF 2's Graph has no __dict__
    if not any(thing is one for one in kept):
        graph._tfgraphtools_kept = kept + (thing,)


def function_names(node):
    """The names of the functions that a NodeDef calls by its attributes."""
    names = []
    for value in node.attr.values():
        if value.HasField("func"):
            names.append(value.func.name)
        names.extend(function.name for function in value.list.func)
    return names


def function_attributes(op, attributes):
    """The names of the functions that an op calls, in the order of these attributes."""
    node, names = op.node_def, []
    for attribute in attributes:
        if attribute in node.attr:
            value = node.attr[attribute]
            names.extend(
                [value.func.name]
                if value.HasField("func")
                else [function.name for function in value.list.func]
            )
    return names


def function_graph(graph, definition):
    """The live FuncGraph of a function of the graph, or one rebuilt from its definition."""
    function = graph._get_function(definition.signature.name)  # pylint: disable=protected-access
    live = getattr(function, "graph", None)
    if isinstance(live, _func_graph.FuncGraph):
        return live
    return rebuilt_function(graph, definition)


def is_rebuilt(graph):
    """True for a body that `function_graph` rebuilt: a copy that TF does not use."""
    return getattr(graph, "_tfgraphtools_rebuilt", False)


def is_control_flow_body(graph):
    """True for a branch or loop body of control flow v2."""
    return isinstance(
        graph,
        (_bodies.CondBranchFuncGraph, _bodies.WhileCondFuncGraph, _bodies.WhileBodyFuncGraph),
    )


def copy_functions(source, destination):
    """Adds the functions of a graph's library to another graph."""
    for function in source._functions.values():  # pylint: disable=protected-access
        if destination._get_function(function.name) is None:  # pylint: disable=protected-access
            if hasattr(function, "add_to_graph"):
                function.add_to_graph(destination)
            else:
                destination._add_function_recursive(function)  # pylint: disable=protected-access


# Parts of graphs, copied --------------------------------------------------------

INT32 = tf.int32.as_datatype_enum


def node_copy(op):
    """The op's NodeDef, for the caller to change."""
    node = v1.NodeDef()
    node.CopyFrom(op.node_def)
    return node


def constant_node(name, value):
    """The NodeDef of an int32 scalar."""
    node = v1.NodeDef(name=name, op="Const")
    node.attr["dtype"].type = INT32
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value, tf.int32, []))
    return node


def rebuilt_function(graph, definition):
    """A FuncGraph made of a function's definition, with inputs, outputs and control outputs."""
    with tf.Graph().as_default() as scratch:
        copy_functions(graph, scratch)
        rebuilt = _function_def_to_graph.function_def_to_graph(definition)
    rebuilt._tfgraphtools_rebuilt = True  # pylint: disable=protected-access
    return rebuilt


def add_function(graph, name, nodes, inputs, outputs, controls):
    """Makes a function of nodes and adds it to the graph's library; returns its name.

    Args:
      inputs: the names of the Placeholder nodes that become the arguments.
      outputs: tensor names; controls: names of the ops that must run.
    """
    with graph.as_default():
        name = _control_flow_util_v2.unique_fn_name("", name)
        body = _func_graph.FuncGraph(name)
        with body.as_default():
            copy_functions(graph, body)
            definition = v1.GraphDef(node=nodes)
            definition.versions.CopyFrom(graph.graph_def_versions)
            tf.graph_util.import_graph_def(definition, name="")
        body.inputs = [body.get_operation_by_name(one).outputs[0] for one in inputs]
        body.outputs = [body.get_tensor_by_name(one) for one in outputs]
        body.control_outputs = [body.get_operation_by_name(one) for one in controls]
        _control_flow_util_v2.create_new_tf_function(body)
    return name


def import_nodes(graph, nodes, contexts, input_map, scope):
    """Imports nodes into a graph under a new scope, v1 control-flow contexts included.

    Args:
      contexts: the outermost CondContextDefs and WhileContextDefs of the nodes.
      input_map: ``{tensor name that no node makes: tensor of the graph}``.
      scope: the wanted scope.

    Returns:
      The scope that the nodes are in.
    """
    definition = v1.GraphDef(node=nodes)
    definition.versions.CopyFrom(graph.graph_def_versions)
    with graph.as_default(), v1.name_scope(None), v1.device(None), tf.control_dependencies(None):
        scope = graph.unique_name(scope, mark_as_used=False)
        if not contexts:
            tf.graph_util.import_graph_def(definition, input_map=input_map, name=scope)
            return scope
        meta = v1.MetaGraphDef(graph_def=definition)
        for context in contexts:
            is_loop = hasattr(context, "loop_exit_names")
            key = v1.GraphKeys.WHILE_CONTEXT if is_loop else v1.GraphKeys.COND_CONTEXT
            meta.collection_def[key].bytes_list.value.append(context.SerializeToString())
        _meta_graph.import_scoped_meta_graph(meta, input_map=input_map, import_scope=scope)
    return scope


def is_resource(tensor):
    """True for a handle: of a variable, a tensor array, a stack."""
    return tensor.dtype.base_dtype == tf.resource


def is_stateful(op):
    """True for an op that reads or changes a state that outlives it."""
    return op._is_stateful if not IS_TF1 else op.op_def.is_stateful


def has_seed(op):
    """True for an op with a generator of its own."""
    return any(attr.name in ("seed", "seed2") for attr in op.op_def.attr)


def control_flow_context(op):
    """The v1 control-flow context that an op is in, or None."""
    return op._get_control_flow_context()  # pylint: disable=protected-access


def wait_for(op, other):
    """Adds a control edge to an op that no session has seen yet."""
    op._add_control_input(other)  # pylint: disable=protected-access


def handle_of(variable):
    """The tensor that stands for the variable in the graph: its handle, or its ref."""
    if is_resource_variable(variable):
        return variable.handle
    return variable._ref()  # pylint: disable=protected-access


def is_ref(tensor):
    """True for the output of a ref variable or of an op that passes one on."""
    return tensor.dtype._is_ref_dtype  # pylint: disable=protected-access


def takes_ref(op_type, position, graph):
    """True if this input of ops of this type must be a ref."""
    definition = graph._get_op_def(op_type) if IS_TF1 else graph.op_def_for_type(op_type)
    return position < len(definition.input_arg) and definition.input_arg[position].is_ref


def identity_node(name, inputs, dtypes):
    """The NodeDef of an Identity, or of an IdentityN for more than one input."""
    node = v1.NodeDef(name=name, op="Identity" if len(inputs) == 1 else "IdentityN", input=inputs)
    if len(inputs) == 1:
        node.attr["T"].type = dtypes[0]
    else:
        node.attr["T"].list.type.extend(dtypes)
    return node


def placeholder_node(name, tensor):
    """The NodeDef of a Placeholder of a tensor's dtype and shape."""
    node = v1.NodeDef(name=name, op="Placeholder")
    node.attr["dtype"].type = tensor.dtype.base_dtype.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(tensor.shape.as_proto())
    return node


def unfinalize(graph):
    """Lets a finalized graph take ops again."""
    graph._unsafe_unfinalize()  # pylint: disable=protected-access


def lookup_gradient(op):
    """TF's gradient function for the op: None if not differentiable, LookupError if unknown."""
    return _ops.get_gradient_function(op)


def traceback_of(op):
    """[(file, line number, function, code)] of where the op was built, outermost first."""
    try:
        frames = op.traceback
        return [tuple(frame)[:4] for frame in frames or ()]
    except Exception:  # pylint: disable=broad-except  # imported ops may have none
        return []


#: Where TensorFlow's own files are: frames to skip in a traceback.
PACKAGE_FOLDERS = tuple(
    {
        os.path.dirname(os.path.abspath(tf.__file__)),
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(_ops.__file__)))),
    }
)


def parse_text(text, message):
    """Fills a protocol buffer from its text format."""
    return _text_format.Parse(text, message)


def saved_model_from(data):
    """The SavedModel protocol buffer of these bytes."""
    return _saved_model_pb2.SavedModel.FromString(data)


def order_of(op):
    """A number that grows with the order in which a graph's ops were built."""
    return op._id  # pylint: disable=protected-access


def times_or_zero(values, factor):
    """values * factor, and 0 where the factor is 0, be the value infinite or NaN."""
    if IS_TF1 and values.dtype.base_dtype == tf.bfloat16:  # TF 1.15 has no such op for it
        return where(tf.equal(factor, 0), tf.zeros_like(values), values * factor)
    return tf.math.multiply_no_nan(values, factor)
