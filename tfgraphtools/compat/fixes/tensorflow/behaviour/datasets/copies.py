"""Copies of datasets in eager code."""

#: What the functions of a dataset keep is neither copied nor an error.
_IGNORE = 1


def graph_of(dataset):
    """The graph that makes a dataset: a serialized GraphDef in a string tensor.

    Args:
      dataset: a tf.data.Dataset.

    Raises:
      tf.errors.OpError: the dataset cannot be copied, such as one that is copied to a device.
    """
    from tensorflow.python.ops import gen_dataset_ops

    return gen_dataset_ops.dataset_to_graph_v2(
        dataset._variant_tensor, external_state_policy=_IGNORE
    )


def variant_of(graph):
    """The variant tensor of the dataset that a serialized GraphDef makes."""
    from tensorflow.python.ops import gen_experimental_dataset_ops

    return gen_experimental_dataset_ops.dataset_from_graph(graph)
