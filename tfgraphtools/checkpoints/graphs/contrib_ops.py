"""The ops that tf.contrib of TF 1.15 brought along, by the module that had them.

Measured by loading every library below ``tensorflow_core/contrib``. Of these TF 2.21 has one,
ImageProjectiveTransformV2. `Rpc` and `TryRpc` were in the core of TF 1.15, wrapped by contrib.
"""

_OPS = {
    "tf.contrib.bigtable": (
        "BigtableClient BigtableLookupDataset BigtablePrefixKeyDataset "
        "BigtableRangeKeyDataset BigtableSampleKeyPairsDataset BigtableSampleKeysDataset "
        "BigtableScanDataset BigtableTable DatasetToBigtable"
    ),
    "tf.contrib.boosted_trees": (
        "BucketizeWithInputBoundaries BuildCategoricalEqualitySplits "
        "BuildDenseInequalitySplits BuildSparseInequalitySplits CenterTreeEnsembleBias "
        "CreateQuantileAccumulator CreateStatsAccumulatorScalar "
        "CreateStatsAccumulatorTensor CreateTreeEnsembleVariable "
        "DecisionTreeEnsembleResourceHandleOp GradientTreesPartitionExamples "
        "GradientTreesPrediction GradientTreesPredictionVerbose GrowTreeEnsemble "
        "MakeQuantileSummaries QuantileAccumulatorAddSummaries "
        "QuantileAccumulatorDeserialize QuantileAccumulatorFlush "
        "QuantileAccumulatorFlushSummary QuantileAccumulatorGetBuckets "
        "QuantileAccumulatorIsInitialized QuantileAccumulatorSerialize QuantileBuckets "
        "QuantileStreamResourceHandleOp Quantiles StatsAccumulatorScalarAdd "
        "StatsAccumulatorScalarDeserialize StatsAccumulatorScalarFlush "
        "StatsAccumulatorScalarIsInitialized StatsAccumulatorScalarMakeSummary "
        "StatsAccumulatorScalarResourceHandleOp StatsAccumulatorScalarSerialize "
        "StatsAccumulatorTensorAdd StatsAccumulatorTensorDeserialize "
        "StatsAccumulatorTensorFlush StatsAccumulatorTensorIsInitialized "
        "StatsAccumulatorTensorMakeSummary StatsAccumulatorTensorResourceHandleOp "
        "StatsAccumulatorTensorSerialize TreeEnsembleDeserialize "
        "TreeEnsembleIsInitializedOp TreeEnsembleSerialize TreeEnsembleStampToken "
        "TreeEnsembleStats TreeEnsembleUsedHandlers"
    ),
    "tf.contrib.factorization": "MaskedMatmul WALSComputePartialLhsAndRhs",
    "tf.contrib.ffmpeg": "DecodeAudio DecodeAudioV2 DecodeVideo EncodeAudio EncodeAudioV2",
    "tf.contrib.framework": "ZeroInitializer ZeroVarInitializer",
    "tf.contrib.fused_conv": "FusedConv2DBiasActivation",
    "tf.contrib.hadoop": "SequenceFileDataset",
    "tf.contrib.ignite": "IgniteDataset",
    "tf.contrib.image": (
        "AdjustHsvInYiq BipartiteMatch ImageConnectedComponents ImageProjectiveTransform "
        "ImageProjectiveTransformV2 SingleImageRandomDotStereograms"
    ),
    "tf.contrib.input_pipeline": "ObtainNext",
    "tf.contrib.kafka": "KafkaDataset",
    "tf.contrib.kinesis": "KinesisDataset",
    "tf.contrib.layers": "SparseFeatureCross SparseFeatureCrossV2",
    "tf.contrib.libsvm": "DecodeLibsvm",
    "tf.contrib.memory_stats": "BytesInUse BytesLimit MaxBytesInUse",
    "tf.contrib.nearest_neighbor": "HyperplaneLSHProbes",
    "tf.contrib.periodic_resample": "PeriodicResample PeriodicResampleOpGrad",
    "tf.contrib.reduce_slice_ops": "ReduceSliceMax ReduceSliceMin ReduceSliceProd ReduceSliceSum",
    "tf.contrib.resampler": "Resampler ResamplerGrad",
    "tf.contrib.rpc": "Rpc TryRpc",
    "tf.contrib.seq2seq": "GatherTree",
    "tf.contrib.tensor_forest": (
        "CreateFertileStatsVariable CreateTreeVariable DecisionTreeResourceHandleOp "
        "FeatureUsageCounts FertileStatsDeserialize FertileStatsIsInitializedOp "
        "FertileStatsResourceHandleOp FertileStatsSerialize FinalizeTree GrowTreeV4 "
        "ProcessInputV4 ReinterpretStringToFloat ScatterAddNdim TraverseTreeV4 "
        "TreeDeserialize TreeIsInitializedOp TreePredictionsV4 TreeSerialize TreeSize "
        "UpdateModelV4"
    ),
    "tf.contrib.text": "SkipGramGenerateCandidates",
}

#: Those that TF 2 has in its core.
IN_TF2 = ("ImageProjectiveTransformV2",)

#: {op: module}.
MODULE_OF = {op: module for module, ops in _OPS.items() for op in ops.split()}
