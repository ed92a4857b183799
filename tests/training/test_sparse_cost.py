"""A sparse step makes no tensor as large as the table: its cost does not grow with the table."""

import numpy as np
import pytest

ROWS, WIDTH, TOUCHED = 5000, 4, 6

#: {id: mask(v1)} of a table
MASKS = {
    "rows": lambda v1: np.arange(ROWS)[:, None] % 2 == 0,
    "columns": lambda v1: np.arange(WIDTH) % 2 == 0,
    "elements": lambda v1: np.arange(ROWS * WIDTH).reshape(ROWS, WIDTH) % 3 == 0,
    "fed-rows": lambda v1: v1.placeholder_with_default(np.ones([ROWS, 1], bool), [None, 1]),
    "fed-of-any-rank": lambda v1: v1.placeholder_with_default(np.ones([WIDTH], bool), None),
    "variable": lambda v1: v1.get_variable(
        "mask", initializer=np.arange(ROWS)[:, None] % 2 == 0, trainable=False
    ),
}
WRAPPERS = {
    "freeze": lambda t, o: o,
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w.*": 0.5}),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w.*": 0.1}),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", ".*", o)]),
    "clip": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.clip_by_global_norm(1.0)),
}
#: What hands on memory that is there, without a copy.
FREE = ("ReadVariableOp", "VariableV2", "_Arg", "PlaceholderWithDefault", "Identity")
CASES = [(mask, "freeze", parts) for mask in MASKS for parts in (1, 2)]
CASES += [("rows", wrapper, 2) for wrapper in WRAPPERS if wrapper != "freeze"]


@pytest.mark.parametrize("mask, wrapper, parts", CASES)
def test_no_tensor_of_a_step_is_as_large_as_the_table(
    mask, wrapper, parts, graph, v1, tf, training, session
):
    v1.enable_resource_variables()
    table = v1.get_variable(
        "w",
        [ROWS, WIDTH],
        initializer=v1.zeros_initializer(),
        partitioner=v1.fixed_size_partitioner(parts) if parts > 1 else None,
    )
    rows = v1.placeholder(tf.int32, [None])
    read = v1.nn.embedding_lookup(table, rows, partition_strategy="div")
    passed_mask = MASKS[mask](v1)
    freezer = training.FreezeOptimizer(v1.train.MomentumOptimizer(1.0, 0.9), {"w.*": passed_mask})
    step = WRAPPERS[wrapper](training, freezer).minimize(tf.reduce_sum(read))
    run, metadata = session(), v1.RunMetadata()
    feed = {rows: np.linspace(0, ROWS - 1, TOUCHED).astype(int)}
    options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE, output_partition_graphs=True)
    run.run(step, feed)
    run.run(step, feed, options=options, run_metadata=metadata)
    types = {node.name: node.op for part in metadata.partition_graphs for node in part.node}
    large = []
    for device in metadata.step_stats.dev_stats:
        for node in device.node_stats:
            shapes = [output.tensor_description.shape for output in node.output]
            sizes = [np.prod([dim.size for dim in shape.dim]) for shape in shapes]
            kind = types.get(node.node_name)
            own = getattr(passed_mask, "size", ROWS)  # of the mask itself
            most = own if kind == "Const" else ROWS / parts - 1
            if kind not in FREE and max(sizes, default=0) > most:
                large.append((kind, node.node_name, sizes))
    assert large == []
    assert len(types) > 20
