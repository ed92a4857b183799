"""Parts of ``tf.contrib`` that the package tf_slim has under another name."""

from tfgraphtools.compat.engine.rewrite_kinds import Rename

#: Where tf_slim has what contrib had. ``tf_slim.layers`` is a package to ``import``, and another
#: module as an attribute; the names in both are those of tf_slim itself.
_SLIM = {
    "tensorflow.contrib.slim": "tf_slim",
    "tensorflow.contrib.slim.nets": "tf_slim.nets",
    "tensorflow.contrib.layers": "tf_slim",
    "tensorflow.contrib.layers.python.layers": "tf_slim.layers",
    "tensorflow.contrib.framework": "tf_slim",
    "tensorflow.contrib.framework.python.ops": "tf_slim",
    "tensorflow.contrib.framework.python.ops.variables": "tf_slim.ops.variables",
}

#: What `contrib.layers` and `contrib.framework` had and tf_slim has not.
_NOT_IN_SLIM = frozenset(
    "assert_scalar_int is_numeric_tensor reduce_sum_n remove_squeezable_dimensions with_shape "
    "with_same_shape deprecated deprecated_args deprecated_arg_values prepend_name_scope "
    "strip_name_scope fuse_op convolutional_delta_orthogonal convolutional_orthogonal_1d "
    "convolutional_orthogonal_2d convolutional_orthogonal_3d zero_initializer "
    "load_and_remap_matrix_initializer load_embedding_initializer "
    "load_linear_multiclass_bias_initializer load_variable_slot_initializer get_placeholders "
    "smart_constant_value smart_case RecordInput embedding_lookup_unique "
    "safe_embedding_lookup_sparse bow_encoder embed_sequence bucketized_column "
    "check_feature_columns create_feature_spec_for_parsing crossed_column embedding_column "
    "scattered_embedding_column input_from_feature_columns transform_features "
    "joint_weighted_sum_from_feature_columns make_place_holder_tensors_for_base_features "
    "multi_class_target one_hot_column parse_feature_columns_from_examples "
    "parse_feature_columns_from_sequence_examples real_valued_column shared_embedding_columns "
    "sparse_column_with_hash_bucket sparse_column_with_integerized_feature "
    "sparse_column_with_keys sparse_column_with_vocabulary_file weighted_sparse_column "
    "weighted_sum_from_feature_columns infer_real_valued_columns "
    "sequence_input_from_feature_columns".split()
)


def instead(name):
    """Returns the `Rename` of a name of contrib to tf_slim's, or None where tf_slim has none.

    Example:
      >>> instead("tensorflow.contrib.layers.fully_connected")
      Rename(to='tf_slim.fully_connected')
    """
    if name.rpartition(".")[2] in _NOT_IN_SLIM:
        return None
    owner = name
    while owner:
        if owner in _SLIM:
            inner = name[len(owner) :].replace(".arg_scope.", ".")  # a module, and its function
            return Rename(_SLIM[owner] + inner)
        owner = owner.rpartition(".")[0]
    return None
