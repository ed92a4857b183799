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
_LOUD = "private bookkeeping: an AttributeError by name"

#: The producers of graphs, defaults of new attributes and docs are of another version.
_DEFS = (
    r"(BaseSession|MetaGraphDef)\.graph_def|(GraphDef|NodeDef|OpDef|MetaGraphDef)(\.versions|"
    r"\.node|\.meta_info_def)?|Graph\._?graph_def_versions|"
    r"(Operation|OpError)\._?(node|op)_def|InvalidArgumentError\._node_def"
)

KNOWN = (
    ("value", _RUNS, r".*", "of the run: a port, the number of a thread, the stack of a call"),
    ("value", r"Graph\._?collections", r".*", "of the run: 1.15 adds to a set of collections"),
    ("value|kind", _DEFS, r".*",
     "protos of ops with the attributes that 2.x added to them, and the version of the graph"),
    ("value", r"Concrete\w+\.function_def|_DefinedFunction\.definition", r".*",
     "protos of functions with the attributes that 2.x added to them"),
    ("value", r"Session\._config", r".*", "the proto with the fields of 2.x, which are empty"),
    # what C++ gives
    ("kind", r"\w+\.(_c_graph|_c_op|_session|_server)", r"SwigPyObject", "a handle of C++"),
    ("missing", r"CheckpointReader\.this|Tensor\._tf_output", r"", "a handle of SWIG"),
    ("kind", r"Graph\._nodes_by_(id|name)", r".*",
     "a view of C++'s ops with the methods of a dict, in another order: get_operations() has it"),
    ("kind", r"Operation\.(_inputs|_inputs_val|inputs)", r"_InputList", "a list or tuple"),
    ("kind", r"Operation\.traceback", r"tuple", "a sequence of frames, which unpack as before"),
    ("missing", r"Operation\.traceback_with_start_lines", r"", "the lines of functions: loud"),
    ("value", r"Tensor\.OVERLOADABLE_OPERATORS", r".*",
     "without comparisons: the fix of this name says why"),
    # a class or a value that says the same
    ("kind", r"DType\.is_unsigned", r"numpy.bool_", "a bool"),
    ("value", r"DType\.size", r".*", "of strings and handles, whose elements have no size: 0"),
    ("value", r"History\.history", r".*", "floats: those of NumPy are not JSON"),
    ("value", r"IndexedSlices(\._?dense_shape)?", r".*",
     "the shape is known, and the op that gives it has another name"),
    ("value", r"SparseTensor(, placeholder|\.\w+)", r".*",
     "parts without names are made in another order; more of the shape is known"),
    ("value", r"LinearOperator\w*\.(_?graph_parents)", r".*",
     "deprecated in 1.15, empty in 2.x; the operator's arguments hold them"),
    ("value", r"TrainSpec(\._fields)?|EmbeddingColumn\._fields|column, embedding|columns", r".*",
     "a named tuple with one field more, at its end"),
    ("value", r"Options\._options", r".*", "the default options are there, and say nothing"),
    ("value", r"Module\.submodules", r".*", "the same modules in another order"),
    ("value", r"TFModuleWrapper\.name_scope", r".*", "the same class under another name"),
    ("missing", r"TFModuleWrapper\.(_\w+)", r"", "the wrapper that warned of deprecated names"),
    ("missing", r"TFModuleWrapper\.export_saved_model", r"", "left TensorFlow; said by name"),
    ("value", r"(Server\._?server_def|ServerDef(\.cluster|\.job_name)?)", r".*local",
     "the only job of create_local_server is localhost: /job:local is an error that names it"),
    ("value", r"CheckpointSaverHook\._steps_per_run", r".*", "it reads the step after each run"),
    ("missing", r"Options\.experimental_stats", r"", "statistics left TensorFlow: loud"),
    ("missing", r"ImageDataGenerator\.principal_components", r"", "set where ZCA is fitted: loud"),
    ("missing", r"Function\.experimental_relax_shapes", r"", "reduce_retracing: loud"),
    # Keras
    ("kind", r"Dense\.kernel_regularizer", r"L1L2",
     "l1() and l2() are classes of their own: the penalty is the same, a config has its half"),
    ("value", r"Layer\.losses", r".*", "the op of the penalty has another name"),
    ("kind", r"ConvLSTM2D\.cell", r"ConvLSTM2DCell", "ConvLSTMCell: a class that is not public"),
    ("kind", r"Sequential\.input_spec", r"InputSpec",
     "of a model that is not built: its first layer checks its input itself"),
    ("value", r"\w+\.supports_masking", r".*", "masks pass where no layer asks for one, too"),
    ("missing", r"Node\.(arguments|get_config|node_indices|tensor_indices)", r"",
     "call_kwargs and iterate_inbound() of a node: loud"),
    ("signature", r"ImageDataGenerator\.flow", r"place of subset", "a parameter before the last"),
    ("signature", r"Node\.iterate_inbound", r"", "gives no arguments of calls: loud"),
    ("signature", r"RNNCell\.build", r"(no|new required) parameter", "the parameter has a name"),
    ("signature", r"DatasetV1\.(interleave|shuffle)", r"default of", "defaults that mean the same"),
    ("value|kind", _KERAS + r"\._\w+", r".*", "bookkeeping of Keras, which its own methods read"),
    ("value|missing|signature", r"Trackable\._\w+|\w+\._(un)?\w*checkpoint_dependenc\w+", r".*",
     "bookkeeping of checkpoints: what they hold is compared by other tests"),
    ("value", r"Optimizer\._checkpoint_dependencies", r".*", "the slots are among the variables"),
    ("value|kind", _FUNCTIONS + r"\._\w+", r".*", "bookkeeping of tf.function"),
    ("missing", _PRIVATE, r".*", _LOUD),
    ("signature", _PRIVATE, r".*", "a private method that has other parameters: loud"),
)  # fmt: skip


def reason(kind, symbol, cause):
    """Why a difference is a known one, or ""."""
    for kinds, of_symbol, of_cause, why in KNOWN:
        if re.fullmatch(kinds, kind) and re.fullmatch(of_symbol, symbol):
            if re.match(of_cause, cause):
                return why
    return ""
