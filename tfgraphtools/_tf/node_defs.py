"""Parts of graphs as protocol buffers: NodeDefs made, changed and imported."""

import numpy as np
from google.protobuf import text_format as _text_format
from tensorflow.core.protobuf import saved_model_pb2 as _saved_model_pb2

from tfgraphtools._tf.api import tf, v1
from tfgraphtools._tf.graph_functions import (
    BODIES,
    adopt_bodies,
    adopt_calls,
    copy_call_gradient,
    copy_handle_data,
    function_definition,
)
from tfgraphtools._tf.tf_internals import Internal

_meta_graph = Internal("tensorflow.python.framework.meta_graph", "Copies of v1 control flow")
_tf_optimizer = Internal("tensorflow.python.grappler.tf_optimizer", "Graphs with functions inlined")

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
INT32 = tf.int32.as_datatype_enum


def node_copy(op):
    """Returns the op's NodeDef, for the caller to change."""
    node = v1.NodeDef()
    node.CopyFrom(op.node_def)
    return node


def constant_node(name, value):
    """Returns the NodeDef of an int32 scalar."""
    node = v1.NodeDef(name=name, op="Const")
    node.attr["dtype"].type = INT32
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value, tf.int32, []))
    return node


def identity_node(name, inputs, dtypes):
    """Returns the NodeDef of an Identity, or of an IdentityN for more than one input."""
    node = v1.NodeDef(name=name, op="Identity" if len(inputs) == 1 else "IdentityN", input=inputs)
    if len(inputs) == 1:
        node.attr["T"].type = dtypes[0]
    else:
        node.attr["T"].list.type.extend(dtypes)
    return node


def placeholder_node(name, tensor):
    """Returns the NodeDef of a Placeholder of a tensor's dtype and shape."""
    node = v1.NodeDef(name=name, op="Placeholder")
    node.attr["dtype"].type = tensor.dtype.base_dtype.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(tensor.shape.as_proto())
    return node


def zeros_node(name, tensor):
    """Returns the NodeDef of a Const of zeros of a tensor's dtype and (static) shape."""
    node = v1.NodeDef(name=name, op="Const")
    node.attr["dtype"].type = tensor.dtype.base_dtype.as_datatype_enum
    value = np.zeros(tensor.shape.as_list(), tensor.dtype.as_numpy_dtype)
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))
    return node


def import_nodes(
    graph, nodes, contexts, input_map, scope, handles=(), keep_shapes=True, originals=None
):
    """Imports nodes into a graph under a new scope, v1 control-flow contexts included.

    Args:
      contexts: the outermost CondContextDefs and WhileContextDefs of the nodes.
      input_map: ``{tensor name that no node makes: tensor of the graph}``.
      scope: the name of the scope.
      handles: ``{tensor name: tensor with its handle data}``, see `copy_handle_data`.
      keep_shapes: whether tensors have the shapes that they had. The live bodies of branches and
        loops have those, and do not fit others.
      originals: the graph of the ops that the nodes are copies of, if their Defuns keep their
        gradients in Python.

    Returns:
      The scope that the nodes are in.
    """
    definition = v1.GraphDef(node=nodes)
    definition.versions.CopyFrom(graph.graph_def_versions)
    with graph.as_default(), v1.name_scope(None), v1.device(None), tf.control_dependencies(None):
        scope = graph.unique_name(scope, mark_as_used=False)
        if contexts:
            meta = v1.MetaGraphDef(graph_def=definition)
            for context in contexts:
                is_loop = hasattr(context, "loop_exit_names")
                key = v1.GraphKeys.WHILE_CONTEXT if is_loop else v1.GraphKeys.COND_CONTEXT
                meta.collection_def[key].bytes_list.value.append(context.SerializeToString())
            _meta_graph.import_scoped_meta_graph(meta, input_map=input_map, import_scope=scope)
        else:
            tf.graph_util.import_graph_def(definition, input_map=input_map, name=scope)
    prefix, node_names = scope + "/" if scope else "", {node.name for node in nodes}
    copy_handle_data(
        (source, graph.get_tensor_by_name(prefix + name))
        for name, source in dict(handles).items()
        if name.split(":")[0] in node_names
    )
    if keep_shapes:
        adopt_bodies(graph, [prefix + node.name for node in nodes if node.op in BODIES])
        adopt_calls(graph, [prefix + node.name for node in nodes if node.op in _CALLS])
    if originals is not None:
        _copy_gradients_of_defuns(originals, graph, nodes, prefix)
    return scope


def _copy_gradients_of_defuns(originals, graph, nodes, prefix):
    kinds = {node.op for node in nodes}
    defuns = {kind for kind in kinds if function_definition(originals, kind) is not None}
    for node in nodes:
        if node.op in defuns:
            try:
                op = originals.get_operation_by_name(node.name)
            except KeyError:
                continue  # a node of a body that was inlined
            if op.type == node.op:
                copy_call_gradient(op, graph.get_operation_by_name(prefix + node.name))


def sub_graph(definition, names):
    """Returns a GraphDef of the nodes that the ops of these names need, control edges included."""
    nodes = {node.name: node for node in definition.node}
    kept, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in kept:
            kept.add(name)
            waiting.extend(source.lstrip("^").split(":")[0] for source in nodes[name].input)
    part = v1.GraphDef(library=definition.library, versions=definition.versions)
    part.node.extend(node for node in definition.node if node.name in kept)
    for node in part.node:
        places = node.attr["_class"].list.s if "_class" in node.attr else ()
        if any(place.decode().partition("@")[2] not in kept for place in places):
            del node.attr["_class"]  # no import colocates with a node that is not there
    return part


def flattened(definition, fetches):
    """Returns a GraphDef with the bodies of calls, branches and loops inlined, as a run has them.

    Args:
      fetches: the names of the ops that it must keep.
    """
    meta = v1.MetaGraphDef(graph_def=definition)
    meta.collection_def["train_op"].node_list.value.extend(fetches)
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.min_graph_nodes = -1
    config.graph_options.rewrite_options.optimizers.append("function")
    return _tf_optimizer.OptimizeGraph(config, meta)


def parse_text(text, message):
    """Fills a protocol buffer from its text format."""
    return _text_format.Parse(text, message)


def saved_model_from(data):
    """Returns the SavedModel protocol buffer of these bytes."""
    return _saved_model_pb2.SavedModel.FromString(data)
