"""Names of the other packages below ``tensorflow.python`` that live in another module now.

The layout is that of `moved.MOVED`, of which this is a part.
"""

MOVED = {
    "feature_column.feature_column_v2": [
        ("TF 2.14", "feature_column.feature_column_v2_types: FeatureColumn"),
    ],
    "layers.utils": [
        ("TF 2.x", "keras.utils.tf_utils: get_reachable_from_inputs"),
    ],
    "saved_model.load": [
        ("TF 2.x", "trackable.resource: _RestoredResource=RestoredResource"),
    ],
    "saved_model.loader_impl": [
        ("TF 2.x", "saved_model.loader_impl: _parse_saved_model=parse_saved_model"),
    ],
    "saved_model.utils_impl": [
        (
            "TF 2.x",
            "saved_model.path_helpers: get_or_create_variables_dir get_or_create_assets_dir "
            "get_assets_dir",
        ),
    ],
    "training.experimental.mixed_precision": [
        (
            "TF 2.x",
            "training.experimental.mixed_precision: enable_mixed_precision_graph_rewrite="
            "enable_mixed_precision_graph_rewrite_v1",
        ),
        (
            "TF 2.x",
            "training.experimental.mixed_precision: disable_mixed_precision_graph_rewrite="
            "disable_mixed_precision_graph_rewrite_v1",
        ),
    ],
    "training.tracking.base": [
        ("TF 2.x", "checkpoint.restore: CheckpointPosition"),
    ],
    "training.tracking.data_structures": [
        ("TF 2.x", "trackable.data_structures: _wrap_or_unwrap=wrap_or_unwrap"),
    ],
    "training.tracking.graph_view": [
        ("TF 2.x", "trackable.trackable_utils: _escape_local_name=escape_local_name"),
    ],
    "training.tracking.tracking": [
        ("TF 2.x", "trackable.asset: TrackableAsset=Asset"),
        ("TF 2.x", "trackable.resource: CapturableResource TrackableResource"),
        ("TF 2.x", "trackable.resource: ResourceTracker resource_tracker_scope"),
        ("TF 2.4", "keras.utils.layer_utils: cached_per_instance"),
    ],
    "summary": [
        (
            "TF 2.1",
            "summary.summary: FileWriter audio get_summary_description histogram image merge "
            "merge_all scalar tensor_summary text",
        ),
    ],
    "util.deprecation": [
        ("TF 2.2", "util.deprecation: DeprecatedNamesAlreadySet=DeprecatedNamesAlreadySetError"),
    ],
    "util.nest": [
        ("TF 2.13", "util.nest: is_sequence=is_nested"),
        (
            "TF 2.x",
            "util.nest_util: "
            "_STRUCTURES_HAVE_MISMATCHING_TYPES=STRUCTURES_HAVE_MISMATCHING_TYPES "
            "_STRUCTURES_HAVE_MISMATCHING_LENGTHS=STRUCTURES_HAVE_MISMATCHING_LENGTHS "
            "_SHALLOW_TREE_HAS_INVALID_KEYS=SHALLOW_TREE_HAS_INVALID_KEYS",
        ),
        (
            "TF 2.x",
            "util.nest_util: _get_attrs_items _DotString _DOT _yield_flat_up_to=yield_flat_up_to",
        ),
    ],
}
