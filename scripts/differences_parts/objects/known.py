"""The known differences of attributes: (kinds, pattern of the attribute, pattern, reason).

The attribute is ``Class.name``, with the class of 1.15 that has it. A row for an attribute
without an underscore says why user code need not meet it.
"""

import re

_PRIVATE = r"(\w+\.)_\w+"
_KERAS = (
    r"(Activation|AttentionWrapper|Basic\w+|Batch\w+|Bidirectional|BinaryAccuracy|Conv\w+|Dense|"
    r"Depthwise\w+|Dropout\w*|Embedding|Flatten|GRU\w*|Global\w+|InputLayer|LSTM\w*|Lambda|"
    r"Layer\w*|LeakyReLU|MaxPooling2D|Mean|Model|MultiRNNCell|Network|Node|OptimizerV2|Own|RNN\w*|"
    r"Reshape|ResidualWrapper|Separable\w+|Sequential|SimpleRNN|Subclassed|TimeDistributed|"
    r"UpSampling2D|ZeroPadding2D)"
)
_FUNCTIONS = r"(ConcreteFunction|Function|_DefinedFunction)"
_RUNS = r"(LooperThread|Thread|Server|Template)\.(_name|name|target|_stacktrace)"
_LOUD = "it is private: an AttributeError names it"

#: The producers of graphs, defaults of new attributes and docs are of another version.
_DEFS = (
    r"(BaseSession|MetaGraphDef)\.graph_def|(GraphDef|NodeDef|OpDef|MetaGraphDef)(\.versions|"
    r"\.node|\.meta_info_def)?|Graph\._?graph_def_versions|"
    r"(Operation|OpError)\._?(node|op)_def|InvalidArgumentError\._node_def"
)

KNOWN = (
    ("value", _RUNS, r".*",
     "it depends on the run: a port, the number of a thread, the stack of a call"),
    ("value", r"Graph\._?collections", r".*",
     "it depends on the run: 1.15 adds to a set of collections"),
    ("value|kind", _DEFS, r".*",
     "protos of ops have attributes that 2.x added, and another version of the graph"),
    ("value", r"Concrete\w+\.function_def|_DefinedFunction\.definition", r".*",
     "protos of functions have attributes that 2.x added"),
    ("value", r"Session\._config", r".*",
     "the proto has additional fields of 2.x, which are empty"),
    # what C++ gives
    ("kind", r"\w+\.(_c_graph|_c_op|_session|_server)", r"SwigPyObject", "it is a C++ handle"),
    ("missing", r"CheckpointReader\.this|Tensor\._tf_output", r"", "it is a SWIG handle"),
    ("kind", r"Graph\._nodes_by_(id|name)", r".*",
     "it is a view of the C++ ops with the methods of a dict, in another order; use "
     "get_operations()"),
    ("kind", r"Operation\.(_inputs|_inputs_val|inputs)", r"_InputList", "it is a list or tuple"),
    ("kind", r"Operation\.traceback", r"tuple", "it is a sequence of frames that unpack as before"),
    ("missing", r"Operation\.traceback_with_start_lines", r"",
     "it has the lines of functions: an AttributeError names it"),
    ("value", r"Tensor\.OVERLOADABLE_OPERATORS", r".*",
     "it lacks comparisons: see the fix of this name"),
    # a class or a value that says the same
    ("kind", r"DType\.is_unsigned", r"numpy.bool_", "it is a bool"),
    ("value", r"DType\.size", r".*",
     "it is 0 for strings and handles, whose elements have no size"),
    ("value", r"History\.history", r".*",
     "values are Python floats, because NumPy's cannot be written as JSON"),
    ("value", r"IndexedSlices(\._?dense_shape)?", r".*",
     "the shape is known, and its op has another name"),
    ("value", r"SparseTensor(, placeholder|\.\w+)", r".*",
     "parts without names are created in another order, and more of the shape is known"),
    ("value", r"LinearOperator\w*\.(_?graph_parents)", r".*",
     "it is deprecated in 1.15 and empty in 2.x; the operator's arguments hold the tensors"),
    ("value", r"TrainSpec(\._fields)?|EmbeddingColumn\._fields|column, embedding|columns", r".*",
     "the named tuple has one more field at its end"),
    ("value", r"Options\._options", r".*", "the default options are present and have no effect"),
    ("value", r"Module\.submodules", r".*", "it has the same modules in another order"),
    ("value", r"TFModuleWrapper\.name_scope", r".*", "the class has another name"),
    ("missing", r"TFModuleWrapper\.(_\w+)", r"",
     "it belongs to the wrapper that warned about deprecated names"),
    ("missing", r"TFModuleWrapper\.export_saved_model", r"",
     "it left TensorFlow; an error names it"),
    ("value", r"(Server\._?server_def|ServerDef(\.cluster|\.job_name)?)", r".*local",
     "the only job of create_local_server is localhost: /job:local is an error that names it"),
    ("value", r"CheckpointSaverHook\._steps_per_run", r".*", "it reads the step after each run"),
    ("missing", r"Options\.experimental_stats", r"",
     "statistics left TensorFlow: an AttributeError names it"),
    ("missing", r"ImageDataGenerator\.principal_components", r"",
     "it is set when ZCA is fitted: an AttributeError names it"),
    ("missing", r"Function\.experimental_relax_shapes", r"",
     "it is called reduce_retracing: an AttributeError names it"),
    # Keras
    ("kind", r"Dense\.kernel_regularizer", r"L1L2",
     "l1() and l2() are separate classes: the penalty is the same, and the config has only its "
     "own factor"),
    ("value", r"Layer\.losses", r".*", "the op of the penalty has another name"),
    ("kind", r"ConvLSTM2D\.cell", r"ConvLSTM2DCell", "ConvLSTMCell: a class that is not public"),
    ("kind", r"Sequential\.input_spec", r"InputSpec",
     "for a model that is not built, the first layer checks its input"),
    ("value", r"\w+\.supports_masking", r".*", "masks are passed on even if no layer uses them"),
    ("missing", r"Node\.(arguments|get_config|node_indices|tensor_indices)", r"",
     "it is call_kwargs or iterate_inbound() of a node: an AttributeError names it"),
    ("signature", r"ImageDataGenerator\.flow", r"place of subset",
     "there is a new parameter before the last one"),
    ("signature", r"Node\.iterate_inbound", r"",
     "it yields no arguments of calls: unpacking fails"),
    ("signature", r"RNNCell\.build", r"(no|new required) parameter",
     "the parameter has another name"),
    ("signature", r"DatasetV1\.(interleave|shuffle)", r"default of", "the defaults mean the same"),
    ("value|kind", _KERAS + r"\._\w+", r".*",
     "it is internal to Keras: only Keras's methods read it"),
    ("value|missing|signature", r"Trackable\._\w+|\w+\._(un)?\w*checkpoint_dependenc\w+", r".*",
     "it is internal to checkpoints: other tests compare their contents"),
    ("value", r"Optimizer\._checkpoint_dependencies", r".*", "the slots are among the variables"),
    ("value|kind", _FUNCTIONS + r"\._\w+", r".*", "it is internal to tf.function"),
    ("missing", _PRIVATE, r".*", _LOUD),
    ("signature", _PRIVATE, r".*", "a private method has other parameters: a TypeError names them"),
)  # fmt: skip


def reason(kind, symbol, cause):
    """Why a difference is a known one, or ""."""
    for kinds, of_symbol, of_cause, why in KNOWN:
        if re.fullmatch(kinds, kind) and re.fullmatch(of_symbol, symbol):
            if re.match(of_cause, cause):
                return why
    return ""
