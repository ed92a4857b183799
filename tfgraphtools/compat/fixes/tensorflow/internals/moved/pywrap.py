"""Names of ``tensorflow.python.pywrap_tensorflow``, which 1.15 had in one module of C++.

Functions that need a change besides are in `internals.pywrap`.

The layout is that of `moved.MOVED`, of which this is a part.
"""

MOVED = {
    "pywrap_tensorflow": [
        ("TF 2.1", "training.py_checkpoint_reader: NewCheckpointReader"),
        ("TF 2.1", "training.quantize_training: do_quantize_training_on_graphdef"),
        ("TF 2.2", "client.pywrap_tf_session: TF_NewSessionOptions TF_Reset"),
        (
            "TF 2.2",
            "client.pywrap_tf_session: "
            "TF_AddControlInput TF_AddInput TF_AddInputList TF_ApiDefMapGet "
            "TF_ApiDefMapPut TF_Buffer TF_CloseSession TF_DeleteApiDefMap TF_DeleteBuffer "
            "TF_DeleteDeviceList TF_DeleteFunction TF_DeleteImportGraphDefOptions "
            "TF_DeleteImportGraphDefResults TF_DeleteLibraryHandle TF_DeleteSession "
            "TF_DeleteSessionOptions TF_DeleteStatus TF_DeviceListCount "
            "TF_DeviceListIncarnation TF_DeviceListMemoryBytes TF_DeviceListName "
            "TF_DeviceListType TF_FinishOperation TF_FunctionImportFunctionDef "
            "TF_FunctionSetAttrValueProto TF_FunctionToFunctionDef TF_GetAllOpList "
            "TF_GetAllRegisteredKernels TF_GetBuffer TF_GetCode TF_GetOpList "
            "TF_GetRegisteredKernelsForOp TF_GetXlaConstantFoldingDisabled "
            "TF_GraphCopyFunction TF_GraphImportGraphDefWithResults TF_GraphNextOperation "
            "TF_GraphSetOutputHandleShapesAndTypes_wrapper TF_GraphToFunction_wrapper "
            "TF_GraphToGraphDef TF_ImportGraphDefOptionsAddInputMapping "
            "TF_ImportGraphDefOptionsAddReturnOperation "
            "TF_ImportGraphDefOptionsAddReturnOutput "
            "TF_ImportGraphDefOptionsRemapControlDependency "
            "TF_ImportGraphDefOptionsSetPrefix TF_ImportGraphDefOptionsSetUniquifyNames "
            "TF_ImportGraphDefOptionsSetValidateColocationConstraints "
            "TF_ImportGraphDefResultsMissingUnusedInputMappings_wrapper "
            "TF_ImportGraphDefResultsReturnOperations "
            "TF_ImportGraphDefResultsReturnOutputs TF_Input TF_LoadLibrary "
            "TF_NewApiDefMap TF_NewBuffer TF_NewBufferFromString "
            "TF_NewImportGraphDefOptions TF_NewOperation TF_NewServer TF_NewSession "
            "TF_NewSessionRef TF_NewStatus TF_OperationDevice TF_OperationGetAttrBool "
            "TF_OperationGetAttrInt TF_OperationGetAttrType TF_OperationGetAttrValueProto "
            "TF_OperationGetControlOutputs_wrapper TF_OperationInputType TF_OperationName "
            "TF_OperationNumInputs TF_OperationNumOutputs TF_OperationOpType "
            "TF_OperationOutputType TF_OperationToNodeDef TF_Output TF_Reset_wrapper "
            "TF_ServerJoin TF_ServerStart TF_ServerStop TF_ServerTarget "
            "TF_SessionListDevices TF_SessionMakeCallable TF_SessionPRunSetup_wrapper "
            "TF_SessionPRun_wrapper TF_SessionReleaseCallable TF_SessionRunCallable "
            "TF_SessionRun_wrapper TF_SetAttrValueProto TF_SetDevice TF_SetXlaAutoJitMode "
            "TF_SetXlaConstantFoldingDisabled TF_SetXlaEnableLazyCompilation "
            "TF_SetXlaMinClusterSize TF_TryEvaluateConstant_wrapper",
        ),
        ("TF 2.1", "client._pywrap_events_writer: EventsWriter"),
        (
            "TF 2.2",
            "client.pywrap_tf_session: GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER "
            "GRAPH_DEF_VERSION_MIN_PRODUCER TENSOR_HANDLE_KEY",
        ),
        (
            "TF 2.2",
            "util._pywrap_util_port: IsGoogleCudaEnabled IsMklEnabled IsBuiltWithROCm "
            "GpuSupportsHalfMatMulAndConv",
        ),
        (
            "TF 2.2",
            "lib.io._pywrap_file_io: CopyFile CreateDir DeleteFile DeleteRecursively FileExists "
            "ReadFileToString RecursivelyCreateDir RenameFile WriteStringToFile",
        ),
    ],
}
