"""Names of ``tensorflow.python.data`` that live in another module now: most of its classes moved.

The layout is that of `moved.MOVED`, of which this is a part.
"""

MOVED = {
    "data.experimental.ops.error_ops": [
        ("TF 2.x", "data.ops.ignore_errors_op: _IgnoreErrorsDataset"),
    ],
    "data.experimental.ops.grouping": [
        ("TF 2.x", "data.ops.group_by_window_op: _GroupByWindowDataset"),
    ],
    "data.experimental.ops.interleave_ops": [
        ("TF 2.x", "data.ops.directed_interleave_op: _DirectedInterleaveDataset"),
    ],
    "data.experimental.ops.resampling": [
        (
            "TF 2.x",
            "data.ops.dataset_ops: _get_prob_original_static _filter_ds "
            "_estimate_initial_dist_ds _get_target_to_initial_ratio "
            "_estimate_data_distribution _calculate_acceptance_probs_with_mixing",
        ),
    ],
    "data.experimental.ops.scan_ops": [
        ("TF 2.x", "data.ops.scan_op: _ScanDataset"),
    ],
    "data.experimental.ops.snapshot": [
        ("TF 2.x", "data.ops.snapshot_op: _SnapshotDataset"),
        ("TF 2.3", "data.experimental.ops.snapshot: snapshot=legacy_snapshot"),
    ],
    "data.experimental.ops.take_while_ops": [
        ("TF 2.x", "data.ops.take_while_op: _TakeWhileDataset"),
    ],
    "data.experimental.ops.unique": [
        ("TF 2.x", "data.ops.unique_op: _UniqueDataset"),
    ],
    "data.ops.dataset_ops": [
        ("TF 2.x", "data.ops.options: AutotuneAlgorithm Options"),
        ("TF 2.x", "data.ops.cache_op: CacheDataset"),
        ("TF 2.x", "data.ops.concatenate_op: ConcatenateDataset=_ConcatenateDataset"),
        ("TF 2.x", "data.ops.filter_op: FilterDataset=_FilterDataset"),
        ("TF 2.x", "data.ops.flat_map_op: FlatMapDataset=_FlatMapDataset"),
        ("TF 2.x", "data.ops.from_generator_op: _GeneratorDataset"),
        (
            "TF 2.x",
            "data.ops.from_sparse_tensor_slices_op: "
            "SparseTensorSliceDataset=_SparseTensorSliceDataset",
        ),
        ("TF 2.x", "data.ops.from_tensor_slices_op: TensorSliceDataset=_TensorSliceDataset"),
        ("TF 2.x", "data.ops.from_tensors_op: TensorDataset=_TensorDataset"),
        (
            "TF 2.x",
            "data.ops.interleave_op: InterleaveDataset=_InterleaveDataset "
            "ParallelInterleaveDataset=_ParallelInterleaveDataset",
        ),
        (
            "TF 2.x",
            "data.ops.map_op: MapDataset=_MapDataset ParallelMapDataset=_ParallelMapDataset",
        ),
        (
            "TF 2.x",
            "data.ops.padded_batch_op: PaddedBatchDataset=_PaddedBatchDataset "
            "_is_padded_shape_compatible_with _padded_shape_to_tensor "
            "_padding_value_to_tensor",
        ),
        ("TF 2.x", "data.ops.range_op: RangeDataset=_RangeDataset"),
        ("TF 2.x", "data.ops.shard_op: ShardDataset=_ShardDataset"),
        ("TF 2.x", "data.ops.skip_op: SkipDataset=_SkipDataset"),
        ("TF 2.x", "data.ops.take_op: TakeDataset=_TakeDataset"),
        ("TF 2.x", "data.ops.unbatch_op: _UnbatchDataset"),
        ("TF 2.x", "data.ops.window_op: WindowDataset=_WindowDataset"),
        ("TF 2.x", "data.ops.zip_op: ZipDataset=_ZipDataset"),
    ],
    "data.ops.iterator_ops": [
        ("TF 2.1", "data.ops.iterator_ops: IteratorV2=OwnedIterator"),
    ],
    "data.ops.multi_device_iterator_ops": [
        (
            "TF 2.2",
            "data.ops.multi_device_iterator_ops: MultiDeviceIteratorV2=OwnedMultiDeviceIterator",
        ),
    ],
    "data.util.nest": [
        ("TF 2.8", "data.util.nest: is_sequence=is_nested"),
        ("TF 2.x", "util.nest: _sequence_like _yield_value"),
    ],
}
