"""State that outlives a run: variables, queues, iterators, tables, and the ops that write it."""

from tfgraphtools._tf.function_calls import CALLS, called_names, captured_inputs, functions_of
from tfgraphtools._tf.graph_functions import function_definition, function_graph
from tfgraphtools._tf.op_facts import is_resource, is_stateful, takes_ref
from tfgraphtools._tf.op_type_groups import CONTROL_FLOW, REF_READERS, RESOURCE_READERS, VARIABLES
from tfgraphtools._tf.variable_kinds import is_ref


def stores_behind(tensor, arguments=None):
    """Returns the ops that made the state whose handle or ref this tensor may be.

    Args:
      arguments: ``{name of a body's argument: list of the stores that it may be}``.
    """
    stores, seen, waiting = [], set(), [tensor]
    while waiting:
        tensor = waiting.pop()
        if tensor.name in seen or not (is_ref(tensor) or is_resource(tensor)):
            continue
        seen.add(tensor.name)
        op = tensor.op
        handles = [source for source in op.inputs if is_ref(source) or is_resource(source)]
        if arguments and op.name in arguments:
            stores.extend(arguments[op.name])
        elif called_names(op):
            stores.extend(_stores_of_call(op, tensor.value_index, arguments))
        elif handles and op.type not in VARIABLES:
            waiting.extend(handles)
        else:
            stores.append(op)
    return list(dict.fromkeys(stores))


def variables_behind(tensor, arguments=None):
    """Returns the ops of the variables whose ref or handle this tensor may be."""
    return [op for op in stores_behind(tensor, arguments) if op.type in VARIABLES]


def refs_behind(tensor):
    """Returns the ops of the ref variables whose memory this tensor may be: see `is_ref_buffer`."""
    while not is_ref(tensor):
        tensor = tensor.op.inputs[0]
    return variables_behind(tensor)


def arguments_of(op, body, arguments=None):
    """Returns ``{name of a body's argument: the stores that it may be}`` of one call."""
    return {
        inner.op.name: stores_behind(outer, arguments)
        for outer, inner in captured_inputs(op, body)
        if is_ref(outer) or is_resource(outer)
    }


def _stores_of_call(op, output, arguments):
    stores = []
    for name in called_names(op):
        definition = function_definition(op.graph, name)
        body = function_graph(op.graph, definition) if definition is not None else None
        if body is not None and output < len(body.outputs):
            inner = arguments_of(op, body, arguments)
            stores.extend(stores_behind(body.outputs[output], inner))
    return stores


def written_handles(op):
    """Returns the inputs by which an op writes a state: refs and handles, not only read."""
    if op.type in CONTROL_FLOW or op.type in CALLS or functions_of(op):
        return []
    written = []
    for position, tensor in enumerate(op.inputs):
        if is_ref(tensor):
            if op.type not in REF_READERS and takes_ref(op.type, position, op.graph):
                written.append(tensor)
        elif is_resource(tensor) and is_stateful(op) and op.type not in RESOURCE_READERS:
            written.append(tensor)
    return written


def writes(op):
    """Returns True for an op that writes a variable."""
    return any(variables_behind(tensor) for tensor in written_handles(op))
