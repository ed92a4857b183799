"""Parts of a graph as functions of TF 2 that read and write given variables."""

import hashlib

from tfgraphtools.checkpoints.graphs import cuts, graph_imports
from tfgraphtools.graphs.tf2 import resources

_LOOPS = ("Enter", "RefEnter")
_NO_GRADIENT = (
    "The graph has a while loop of TF 1's control flow: TensorFlow cannot build its gradient from "
    "a saved graph. Train the original in a tf.compat.v1.Session, or write its .meta again after "
    "tf.compat.v1.enable_control_flow_v2()."
)


def outputs_of(tf, part, variables):
    """Returns a function of the inputs of a part, which gives {name: output}.

    It runs the update ops of the part before it returns.

    Args:
      tf: the module.
      part: a `graph_parts.GraphPart`.
      variables: {name in the graph: a `tf.Variable`}; others than those of the part may be there.
    """
    names, graph_def = _detached(part)
    has_loops = any(node.op in _LOOPS for node in graph_def.node)

    def run(*arguments):
        mapped = dict(zip(part.inputs.values(), arguments))
        if has_loops:
            handles = arguments[len(part.inputs) :]
        else:
            handles = _captured(tf, [variables[name] for name in names])
        mapped.update((name + ":0", handle) for name, handle in zip(names, handles))
        tensors = _imported(
            tf, graph_def, mapped, [*part.outputs.values(), *part.updates], part.place
        )
        updates = [getattr(tensors[name], "op", tensors[name]) for name in part.updates]
        # A step that only takes gradients would drop them with the outputs.
        tf.compat.v1.get_default_graph().control_outputs.extend(updates)
        with tf.control_dependencies(updates):
            return {name: tf.identity(tensors[tensor]) for name, tensor in part.outputs.items()}

    if not has_loops:
        return tf.compat.v1.wrap_function(run, specs(tf, part))
    handles = [tf.TensorSpec([], tf.resource) for _ in names]
    function = tf.compat.v1.wrap_function(run, specs(tf, part) + handles)
    return _without_gradient(tf, function, [variables[name] for name in names])


def _without_gradient(tf, function, variables):
    """Returns a function that raises where a gradient through it is asked for.

    TensorFlow fails in words of its own as soon as a tape sees such a call: the call sees no tape.

    Args:
      function: of inputs and of the handles of the variables.
    """

    @tf.custom_gradient
    def refuse(outputs, _):
        def gradient(*_):
            raise LookupError(_NO_GRADIENT)

        return tf.nest.map_structure(tf.identity, outputs), gradient

    def call(*inputs):
        handles = [variable.handle for variable in variables]
        outputs = function(*[tf.stop_gradient(tensor) for tensor in [*inputs, *handles]])
        trained = [variable.value() for variable in variables if variable.trainable]
        differentiable = [tensor for tensor in [*inputs, *trained] if tensor.dtype.is_floating]
        return dict(zip(outputs, refuse(list(outputs.values()), differentiable)))

    return call


def losses_of(tf, part, variables):
    """Returns a concrete function without arguments: a list of the part's regularization losses.

    Args:
      tf, part, variables: as in `outputs_of`.
    """
    names, graph_def = _detached(part)

    def run():
        handles = _captured(tf, [variables[name] for name in names])
        mapped = {name + ":0": handle for name, handle in zip(names, handles)}
        tensors = _imported(tf, graph_def, mapped, part.losses, part.place)
        return [tensors[name] for name in part.losses]

    return tf.compat.v1.wrap_function(run, [])


def _detached(part):
    """Returns (the names of the variables, the GraphDef without them)."""
    graph_def = type(part.meta.graph_def)()
    graph_def.CopyFrom(part.meta.graph_def)
    names = resources.detach(graph_def, part.place)
    wanted = [*part.inputs.values(), *part.outputs.values(), *part.updates, *part.losses]
    kept = cuts.needed(graph_def, [cuts.split_tensor(tensor)[0] for tensor in wanted])
    cuts.keep_only(graph_def, kept)
    resources.require_variables_alone(graph_def, part.place)
    arguments = names + [cuts.split_tensor(tensor)[0] for tensor in part.inputs.values()]
    _wait_for_none(graph_def, {"^" + name for name in arguments})
    _rename_functions(graph_def)
    return names, graph_def


def _wait_for_none(graph_def, arguments):
    """Removes the control inputs from arguments, whose nodes the function does not have."""
    for node in graph_def.node:
        kept = [tensor for tensor in node.input if tensor not in arguments]
        if len(kept) < len(node.input):
            del node.input[:]
            node.input.extend(kept)


def _rename_functions(graph_def):
    """Gives the functions of a GraphDef names of their own: a process has one for each name.

    Two graphs often have one of the same name, such as cond_true_7.
    """
    library = graph_def.library
    if not library.function:
        return
    digest = hashlib.sha1(library.SerializeToString(deterministic=True)).hexdigest()[:8]
    names = {f.signature.name: f"{f.signature.name}_{digest}" for f in library.function}
    for row in library.gradient:
        row.function_name = names.get(row.function_name, row.function_name)
        row.gradient_func = names.get(row.gradient_func, row.gradient_func)
    nodes = list(graph_def.node)
    for function in library.function:
        function.signature.name = names[function.signature.name]
        nodes += function.node_def
    for node in nodes:
        node.op = names.get(node.op, node.op)
        for value in node.attr.values():
            for called in (value.func, *value.list.func):
                if called.name in names:
                    called.name = names[called.name]


def _captured(tf, variables):
    """Returns the handles of variables in the function that is being built."""
    graph = tf.compat.v1.get_default_graph()
    for variable in variables:
        graph.watch_variable(variable)
    return [graph.capture(variable.handle) for variable in variables]


def _imported(tf, graph_def, mapped, wanted, place):
    """Imports a GraphDef into the function that is being built; returns {name: tensor or op}."""
    passed = {name: mapped[name] for name in wanted if name in mapped}  # an input is an output
    imported = [name for name in dict.fromkeys(wanted) if name not in passed]
    used = {tensor for node in graph_def.node for tensor in node.input}
    used |= {f"{tensor}:0" for tensor in used}
    mapped = {name: value for name, value in mapped.items() if name in used}
    with graph_imports.importing(place):
        elements = tf.graph_util.import_graph_def(graph_def, mapped, imported, name="graph")
    return {**passed, **dict(zip(imported, elements))}


def specs(tf, part):
    """Returns the `tf.TensorSpec` of each input of a part."""
    nodes = {node.name: node for node in part.meta.graph_def.node}
    listed = []
    for name, tensor in part.inputs.items():
        node = nodes[cuts.split_tensor(tensor)[0]]
        listed.append(
            tf.TensorSpec(
                cuts.placeholder_shape(part.meta.graph_def, node),
                tf.as_dtype(node.attr["dtype"].type),
                "".join(letter if letter.isalnum() else "_" for letter in name),
            )
        )
    return listed
