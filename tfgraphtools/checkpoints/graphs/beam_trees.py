"""GatherTree of tf.contrib.seq2seq, an op that TF 2 lacks, as a loop of ops that every format has.

The op follows each beam from its last step back to its first, and writes ``end_token`` at and after
the length of a sequence, and behind its first one (gather_tree_op.cc of TF 1.15).
"""

from tfgraphtools.checkpoints.graphs import constant_branches, cuts, old_control_flow

_OP = "GatherTree"
_INPUTS = ("step_ids", "parent_ids", "lengths", "end_token")


def expand(graph_def):
    """Puts loops of TF 1's control flow in the place of GatherTree, where this TensorFlow lacks it.

    One inside a loop stays, and is refused: the frame of the loop has no constants of another.

    Args:
      graph_def: changed in place.

    Returns:
      What was changed, in words.
    """
    if cuts.op_definition(_OP) is not None:
        return []
    nodes = {node.name: node for node in graph_def.node}
    trees = [
        node
        for node in graph_def.node
        if node.op == _OP and not constant_branches.is_in_loop(nodes, node)
    ]
    loop = _loop() if trees else None
    for node in trees:
        _replace(graph_def, node, loop)
    return [f"{node.name}: {_OP} as a loop" for node in trees]


def _replace(graph_def, node, loop):
    """Adds the nodes of the loop, and makes the op an Identity of its result."""
    sources = dict(zip(_INPUTS, [tensor for tensor in node.input if not tensor.startswith("^")]))
    waits = [tensor for tensor in node.input if tensor.startswith("^")]
    for part in loop.node:
        if part.name in sources:
            continue
        copy = graph_def.node.add()
        copy.CopyFrom(part)
        copy.name = f"{node.name}/{part.name}"
        del copy.input[:]
        copy.input.extend(_renamed(tensor, node.name, sources) for tensor in part.input)
        copy.attr.pop("_class", None)  # with which other node it shares a device
        if "frame_name" in copy.attr:
            copy.attr["frame_name"].s = f"{node.name}/loop".encode()
    node.op = "Identity"
    del node.input[:]
    node.input.extend([f"{node.name}/tree", *waits])
    node.attr.clear()
    node.attr["T"].type = 3  # int32


def _renamed(tensor, scope, sources):
    mark = "^" if tensor.startswith("^") else ""
    name, output = cuts.split_tensor(tensor)
    if name in sources:
        return mark + sources[name]
    return f"{mark}{scope}/{name}" + (f":{output}" if output else "")


def _loop():
    """Returns the GraphDef of the op, from placeholders to a node called tree."""
    from tensorflow.compat import v1

    with v1.Graph().as_default() as graph, old_control_flow.built_of_nodes(v1):
        shapes = ([None] * 3, [None] * 3, [None], [])
        inputs = [v1.placeholder(v1.int32, *row) for row in zip(shapes, _INPUTS)]
        v1.identity(_tree(v1, *inputs), name="tree")
        return graph.as_graph_def()


def _tree(v1, step_ids, parent_ids, lengths, end_token):
    shape = v1.shape(step_ids)
    time, batch, beams = shape[0], shape[1], shape[2]
    steps = v1.reshape(v1.range(time), [-1, 1, 1])
    own = v1.tile(v1.reshape(v1.range(beams), [1, -1]), v1.stack([batch, 1]))
    rows = v1.tile(v1.reshape(v1.range(batch), [-1, 1]), v1.stack([1, beams]))
    lengths = v1.reshape(v1.minimum(lengths, time), [-1, 1])

    def step_back(step, beam, tokens):
        places = v1.stack([v1.zeros_like(beam) + step, rows, beam], axis=-1)
        chosen = v1.expand_dims(v1.gather_nd(step_ids, places), 0)
        at_step = v1.cast(v1.equal(steps, step), v1.int32)
        is_inside = v1.cast(step < lengths, v1.int32)
        before = v1.gather_nd(parent_ids, places) * is_inside + own * (1 - is_inside)
        return step - 1, before, tokens + chosen * at_step

    _, _, tokens = v1.while_loop(
        lambda step, *_: step >= 0,
        step_back,
        [time - 1, own, v1.zeros_like(step_ids)],
        [v1.TensorShape([]), v1.TensorShape([None] * 2), v1.TensorShape([None] * 3)],
        back_prop=False,
        name="loop",
    )
    is_end = v1.cast(v1.equal(tokens, end_token), v1.int32)
    is_kept = v1.cast(v1.equal(v1.cumsum(is_end, exclusive=True), 0), v1.int32)
    is_kept *= v1.cast(steps < v1.expand_dims(lengths, 0), v1.int32)
    return tokens * is_kept + (1 - is_kept) * end_token
