"""Functions of a graph: bodies of control flow v2, `tf.function`, Defun."""

import contextlib

from tfgraphtools._tf.api import IS_TF1, tf, v1
from tfgraphtools._tf.tf_internals import Internal

_func_graph = Internal("tensorflow.python.framework.func_graph", "Functions in graphs")
_legacy_functions = Internal("tensorflow.python.framework.function", "Functions of Defun")
_function_def_to_graph = Internal(
    "tensorflow.python.framework.function_def_to_graph", "Functions in graphs"
)
_control_flow_util_v2 = Internal(
    "tensorflow.python.ops.control_flow_util_v2", "New functions in graphs"
)
_bodies = Internal("tensorflow.python.ops.control_flow_v2_func_graphs", "Control flow v2")
_eager_functions = Internal("tensorflow.python.eager.function", "Copies of functions in loops")
_concrete = Internal(
    "tensorflow.python.eager.polymorphic_function.concrete_function", "Copies of functions in loops"
)
_handle_data = Internal(
    "tensorflow.python.ops.custom_gradient" if IS_TF1 else "tensorflow.python.ops.handle_data_util",
    "Copies of handles",
)

#: Dtypes of what stands for something else: a variable, an array, a list.
HANDLES = (tf.resource, tf.variant)

_IF = {"then_branch": "_true_graph", "else_branch": "_false_graph"}
_LOOP = {"cond": "_cond_graph", "body": "_body_graph"}
_CASE = {"branches": "_branch_graph_{}"}
#: Ops with bodies: {attribute that names them: where TF 2 keeps the live body at the op}.
BODIES = {
    "Case": _CASE,
    "If": _IF,
    "StatelessCase": _CASE,
    "StatelessIf": _IF,
    "StatelessWhile": _LOOP,
    "While": _LOOP,
}


def function_definition(graph, name):
    """Returns the FunctionDef of a function of the graph's library, or None."""
    function = _function(graph, name)
    return None if function is None else function.definition


def _function(graph, name):
    """Returns a function of the graph's library, or of that of a graph around it, or None."""
    while graph is not None:
        function = graph._get_function(name)  # pylint: disable=protected-access
        if function is not None:
            return function
        graph = getattr(graph, "outer_graph", None)
    return None


def seen_from(graph, tensor):
    """Returns the tensor that stands for a tensor of an outer graph in the body of a function.

    A tensor that the body has not captured, or that is of another graph, stands for itself.
    """
    if tensor.graph is graph or not isinstance(graph, _func_graph.FuncGraph):
        return tensor
    outer = seen_from(graph.outer_graph, tensor)
    return next((inner for captured, inner in graph.captures if captured is outer), tensor)


def captures_of(graph):
    """Returns [(tensor of a graph around it, what stands for it here)] of a function."""
    return list(graph.captures) if isinstance(graph, _func_graph.FuncGraph) else []


def reads_seen_from(graph, ref):
    """Returns the tensors in a function's body that stand for reads of a ref variable."""
    reads = [op.outputs[0] for op in ref.consumers() if op.type == "Identity"]
    return [inner for inner in (seen_from(graph, read) for read in reads) if inner.graph is graph]


def is_around(graph, body):
    """Returns True for a graph in which the body of a function is called, directly or not."""
    while body is not None and body is not graph:
        body = getattr(body, "outer_graph", None)
    return body is graph


def in_legacy_function(graph):
    """Returns True for the body of a Defun, whose gradient TF computes without Python."""
    is_plain = type(graph) is tf.Graph
    return not is_plain and isinstance(graph, _legacy_functions._FuncGraph)  # pylint: disable=protected-access


def has_python_gradient(graph, name):
    """Returns True for a Defun with a gradient function of its own."""
    return getattr(_function(graph, name), "python_grad_func", None) is not None


def copy_call_gradient(op, copy):
    """Gives the copy of a call of a `tf.function` or Defun the gradient that it has in Python.

    TensorFlow tells Defuns of one body and different ``python_grad_func`` apart by the call alone:
    they share a name.
    """
    for attribute in ("_gradient_function", "__defun"):
        if hasattr(op, attribute):
            setattr(copy, attribute, getattr(op, attribute))


def function_names(node):
    """Returns the names of the functions that a NodeDef calls by its attributes."""
    names = []
    for value in node.attr.values():
        if value.HasField("func"):
            names.append(value.func.name)
        names.extend(function.name for function in value.list.func)
    return names


def function_attributes(op, attributes):
    """Returns the names of the functions that an op calls, in the order of these attributes."""
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
    """Returns the live FuncGraph of a function of the graph, or one rebuilt from its definition."""
    return _live_body(graph, definition.signature.name) or rebuilt_function(graph, definition)


def _live_body(graph, name):
    """Returns the FuncGraph that a function was made of, or None."""
    live = getattr(_function(graph, name), "graph", None)
    return live if live is not None and isinstance(live, _func_graph.FuncGraph) else None


def rebuilt_function(graph, definition, sources=()):
    """Makes a FuncGraph of a function's definition: inputs, outputs, control outputs.

    Args:
      sources: for each argument a tensor of the kind that is passed, or None.
    """
    with tf.Graph().as_default() as scratch:
        copy_functions(graph, scratch, called_by(graph, definition.node_def))
        rebuilt = _function_def_to_graph.function_def_to_graph(definition)
    rebuilt._tfgraphtools_rebuilt = True  # pylint: disable=protected-access
    live = _live_body(graph, definition.signature.name)
    if live is not None:
        copy_handle_data(zip(live.inputs, rebuilt.inputs))
        names = {op.name: op for op in live.get_operations()}
        copy_handle_data(
            pair
            for op in rebuilt.get_operations()
            for pair in zip(getattr(names.get(op.name), "outputs", ()), op.outputs)
        )
    copy_handle_data(zip(sources, rebuilt.inputs))
    return rebuilt


def copy_handle_data(pairs):
    """Copies what TF knows of the object behind a handle or variant to another tensor.

    TF keeps the dtype and shape of a variable, or of the elements of a list, beside its
    handle. A copy that is imported has no such notes, and without them the gradient of a
    loop takes a variable for something that has no gradient.

    Args:
      pairs: (tensor that has the notes or None, tensor that needs them).
    """
    for source, target in pairs:
        if source is not None and target.dtype in HANDLES and source.dtype == target.dtype:
            _handle_data.copy_handle_data(source, target)


def called_by(graph, nodes):
    """Returns the names of the functions that these nodes call, and of all that those call."""
    names, waiting = set(), list(nodes)
    while waiting:
        node = waiting.pop()
        for name in [node.op, *function_names(node)]:
            definition = None if name in names else function_definition(graph, name)
            if definition is not None:
                names.add(name)
                waiting.extend(definition.node_def)
    return names


def is_rebuilt(graph):
    """Returns True for a body that `function_graph` rebuilt: a copy that TF does not use."""
    return getattr(graph, "_tfgraphtools_rebuilt", False)


def is_control_flow_body(graph):
    """Returns True for a branch or loop body of control flow v2."""
    return type(graph) is not tf.Graph and isinstance(
        graph,
        (_bodies.CondBranchFuncGraph, _bodies.WhileCondFuncGraph, _bodies.WhileBodyFuncGraph),
    )


def copy_functions(source, destination, names=None):
    """Adds functions of a graph to another graph: those of these names, or its whole library."""
    if names is None:
        functions = source._functions.values()  # pylint: disable=protected-access
    else:
        functions = [_function(source, name) for name in sorted(names)]
    for function in functions:
        if destination._get_function(function.name) is None:  # pylint: disable=protected-access
            if hasattr(function, "add_to_graph"):
                function.add_to_graph(destination)
            else:
                destination._add_function_recursive(function)  # pylint: disable=protected-access


def add_function(graph, name, nodes, inputs, outputs, controls, handles):
    """Makes a function of nodes and adds it to the graph's library; returns its name.

    Args:
      inputs: the names of the Placeholder nodes that become the arguments.
      outputs: tensor names; controls: names of the ops that must run.
      handles: ``{tensor name: tensor with its handle data}``, see `copy_handle_data`.
    """
    with graph.as_default():
        name = _control_flow_util_v2.unique_fn_name("", name)
        body = _func_graph.FuncGraph(name)
        with body.as_default():
            copy_functions(graph, body, called_by(graph, nodes))
            definition = v1.GraphDef(node=nodes)
            definition.versions.CopyFrom(graph.graph_def_versions)
            tf.graph_util.import_graph_def(definition, name="")
        names = {node.name for node in nodes}
        copy_handle_data(
            (source, body.get_tensor_by_name(name))
            for name, source in handles.items()
            if name.split(":")[0] in names
        )
        body.inputs = [body.get_operation_by_name(op_name).outputs[0] for op_name in inputs]
        body.outputs = [body.get_tensor_by_name(tensor_name) for tensor_name in outputs]
        body.control_outputs = [body.get_operation_by_name(op_name) for op_name in controls]
        body._tfgraphtools_copy = True  # pylint: disable=protected-access
        adopt_bodies(body, [node.name for node in nodes if node.op in BODIES])
        _control_flow_util_v2.create_new_tf_function(body)
    return name


def adopt_bodies(graph, names):
    """Gives imported branches and loops the live bodies that TF 2 differentiates.

    Without them it rebuilds the bodies from their definitions, which say nothing of what is
    behind a handle. Each body must be called by one op only: TF changes it.
    """
    for op in () if IS_TF1 else map(graph.get_operation_by_name, names):
        for attribute, cache in BODIES[op.type].items():
            value = op.get_attr(attribute)
            for number, function in enumerate(value if isinstance(value, list) else [value]):
                body = _live_body(graph, function.name)
                if body is not None:
                    body.outer_graph = graph
                    setattr(op, cache.format(number), body)


def adopt_calls(graph, names):
    """Gives imported calls of functions that `add_function` made the gradient of a `tf.function`.

    TensorFlow gives it to the calls that it builds, with what rewrites a call to hand out what
    its backward pass needs. Each such function must be called by one op only.
    """
    for op in map(graph.get_operation_by_name, names):
        name = op.get_attr("f").name
        body = _live_body(graph, name)
        if body is None or not getattr(body, "_tfgraphtools_copy", False):
            continue
        if IS_TF1:
            pair = _eager_functions._DelayedRewriteGradientFunctions(body, {}, None)
            op._set_attr("_gradient_op_type", v1.AttrValue(s=pair.register().encode()))
        else:
            pair = _concrete._DelayedRewriteGradientFunctions(_function(graph, name), None)
            op._gradient_function = pair._rewrite_forward_and_call_backward


def capturing_graph():
    """Returns a graph for copies: an op built in it may take tensors of other graphs.

    Each such tensor becomes a placeholder, and nothing is added to its own graph.
    So a gradient function that captured a tensor of the original graph works.
    """
    with tf.Graph().as_default():
        graph = _func_graph.FuncGraph("scratch")
    graph._captured = {}  # so that TF builds control flow in it as in any other graph
    return graph


@contextlib.contextmanager
def no_function(graph):
    """Builds in a capturing graph as in no function: it captures nothing meanwhile.

    In a function TF leaves the zeros of a v1 branch outside of the branch; a run
    of a loop around it then takes either.
    """
    graph._building_function = False
    try:
        with graph.as_default():
            yield
    finally:
        graph._building_function = True
