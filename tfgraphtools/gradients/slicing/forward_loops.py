"""Loops of control flow v2 as they were before TensorFlow differentiated them.

`tf.gradients` gives the loop that it differentiates new bodies, which also save what the backward
pass needs in lists, a list for each new input. The former bodies stay in the graph's library.
"""

from tfgraphtools import _tf
from tfgraphtools.gradients.slicing.node_names import full_name

_REWRITTEN = "_rewritten"


def forget_backward_passes(graph, nodes, handles, ends):
    """Gives copies of loops their former bodies, where nothing takes what they save.

    Args:
      nodes: NodeDefs, changed in place.
      handles: ``{tensor name: tensor with its handle data}``; it loses those of the lists.
      ends: names of tensors that are needed besides the inputs of nodes.
    """
    used = {full_name(name) for node in nodes for name in node.input} | set(ends)
    for node in nodes:
        if node.op not in ("StatelessWhile", "While"):
            continue
        former = {name: node.attr[name].func.name.split(_REWRITTEN)[0] for name in ("body", "cond")}
        definition = _tf.function_definition(graph, former["body"])
        if definition is None or _tf.function_definition(graph, former["cond"]) is None:
            continue
        count = len(definition.signature.input_arg)
        total = len(node.attr["T"].list.type)
        lists = {f"{node.name}:{number}" for number in range(count, total)}
        if lists & used:
            continue
        for name in lists & set(handles):
            del handles[name]
        for name, function in former.items():
            node.attr[name].func.name = function
        data = [name for name in node.input if not name.startswith("^")]
        waits = [name for name in node.input if name.startswith("^")]
        del node.input[:]
        node.input.extend(data[:count] + waits)
        del node.attr["T"].list.type[count:]
        for name in ("_output_shapes", "output_shapes"):
            if name in node.attr:
                del node.attr[name].list.shape[count:]
        node.attr["_num_original_outputs"].i = count
