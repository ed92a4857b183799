"""Parsers of ``Example`` protos build the ops of TF 1.15, under their names.

2.x builds ``ParseExampleV2`` and similar ops, one name scope deeper. The graph then does not have
``ParseExample/ParseExample:0``, and default seeds count other ops. Features that 1.15 does not
have (ragged ones), batches of sequences or of unusual ranks, and eager execution keep the ops of
2.x.

Source: ``parsing_ops.py`` of TF 1.15.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_PARSERS = Fix(
    "tensorflow.parse_example",
    "TF 2.3",
    "parsers of Example protos build 1.15's ops: ParseExample/ParseExample, not "
    "ParseExample/ParseExampleV2",
)
_MODULE = "tensorflow.python.ops.parsing_ops:"


def _is_old(ragged_keys):
    """Tells whether 1.15 has an op for such features; says so if it does."""
    from tfgraphtools._tf import v1

    if ragged_keys or v1.executing_eagerly():
        return False
    _parse_example.used()
    return True


@replaces("tensorflow.python.ops.gen_parsing_ops:parse_example_v2", row=_PARSERS)
def _parse_example(original, serialized, names, ragged_keys, name=None, **options):
    from tensorflow.python.ops import gen_parsing_ops

    if serialized.shape.rank not in (None, 1) or not _is_old(ragged_keys):
        return original(
            serialized=serialized, names=names, ragged_keys=ragged_keys, name=name, **options
        )
    for added in ("num_sparse", "ragged_value_types", "ragged_split_types"):
        options.pop(added)
    outputs = gen_parsing_ops.parse_example(
        serialized=serialized, names=names, name=name, **options
    )
    return (*outputs, [], [])


@replaces(_MODULE + "parse_single_example_v2", row=_PARSERS)
def _parse_single_example(original, serialized, features, example_names=None, name=None):
    from tensorflow.python.ops import gen_parsing_ops, parsing_ops

    from tfgraphtools._tf import v1

    if not features or example_names is not None:
        return original(serialized, features, example_names, name)
    features = parsing_ops._prepend_none_dimension(features)
    parameters = parsing_ops._ParseOpParams.from_features(
        features,
        [
            v1.VarLenFeature,
            v1.SparseFeature,
            v1.FixedLenFeature,
            v1.FixedLenSequenceFeature,
            v1.io.RaggedFeature,
        ],
    )
    if not _is_old(parameters.ragged_keys):
        return original(serialized, features, example_names, name)
    with v1.name_scope(name, "ParseSingleExample", [serialized]):
        outputs = gen_parsing_ops.parse_single_example(
            serialized=v1.convert_to_tensor(serialized, name="serialized"),
            dense_defaults=parameters.dense_defaults_vec,
            num_sparse=len(parameters.sparse_keys),
            sparse_keys=parameters.sparse_keys,
            sparse_types=parameters.sparse_types,
            dense_keys=parameters.dense_keys,
            dense_shapes=parameters.dense_shapes_as_proto,
            name=name,
        )
        tensors = _by_key(parameters, *outputs)
    return parsing_ops._construct_tensors_for_composite_features(features, tensors)


def _by_key(parameters, indices, values, shapes, dense):
    from tfgraphtools._tf import v1

    sparse = [v1.SparseTensor(*parts) for parts in zip(indices, values, shapes)]
    return dict(zip(parameters.sparse_keys + parameters.dense_keys, sparse + list(dense)))


@replaces(_MODULE + "_parse_single_sequence_example_raw", row=_PARSERS)
def _parse_single_sequence(original, serialized, context, feature_list, debug_name, name=None):
    from tensorflow.python.ops import gen_parsing_ops

    from tfgraphtools._tf import v1

    if not _is_old(context.ragged_keys or feature_list.ragged_keys):
        return original(serialized, context, feature_list, debug_name, name)
    if context.num_features + feature_list.num_features == 0:
        raise ValueError("Must provide at least one feature key.")
    for key, value in feature_list.dense_defaults.items():
        if value is not None:
            raise ValueError(f"Value feature_list.dense_defaults[{key}] must be None")
    # The public function has opened a scope; 2.x opens another one in it.
    with v1.name_scope(v1.get_default_graph().get_name_scope() + "/"):
        outputs = gen_parsing_ops.parse_single_sequence_example(
            serialized=v1.convert_to_tensor(serialized, name="serialized"),
            debug_name="" if debug_name is None else debug_name,
            context_dense_defaults=context.dense_defaults_vec,
            context_sparse_keys=context.sparse_keys,
            context_sparse_types=context.sparse_types,
            context_dense_keys=context.dense_keys,
            context_dense_shapes=context.dense_shapes_as_proto,
            feature_list_sparse_keys=feature_list.sparse_keys,
            feature_list_sparse_types=feature_list.sparse_types,
            feature_list_dense_keys=feature_list.dense_keys,
            feature_list_dense_types=feature_list.dense_types,
            feature_list_dense_shapes=feature_list.dense_shapes_as_proto,
            feature_list_dense_missing_assumed_empty=list(feature_list.dense_defaults),
            name=name,
        )
        return _by_key(context, *outputs[:4]), _by_key(feature_list, *outputs[4:8])


TABLES = (
    replacing.table(
        "parsers of protos",
        _parse_example,
        _parse_single_example,
        _parse_single_sequence,
        kind="patches",
    ),
)
