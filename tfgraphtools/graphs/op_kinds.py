"""Ops by what they are for, as patterns and tables."""

import re

APPLIES = re.compile(r"(Resource)?(Sparse)?Apply[A-Z]\w*")
SUMMARIES = re.compile(r"\w*Summary(V2|Writer\w*)?|(Write|Import)\w*(Summary|Event|Writer)\w*")
SAVERS = set(
    "Save SaveV2 SaveSlices Restore RestoreV2 RestoreSlice MergeV2Checkpoints ShardedFilename "
    "ShardedFilespec".split()
)
QUEUES = re.compile(r"(FIFO|PaddingFIFO|RandomShuffle|Priority)Queue(V2)?")
QUEUE_OPS = re.compile(r"Queue(Enqueue|Close|Size|IsClosed)\w*")
DEQUEUES = re.compile(r"Queue(Dequeue)\w*")
ITERATORS = ("IteratorGetNext", "IteratorGetNextSync", "IteratorGetNextAsOptional")
DATASETS = re.compile(r"\w*Dataset(V\d)?|\w*Iterator\w*|OneShotIterator")
WRITES = re.compile(r"Assign\w*|(Resource)?Scatter(Nd)?(Add|Sub|Mul|Div|Min|Max|Update)\w*")
RANDOM = re.compile(r"(Stateless)?(Random\w+|TruncatedNormal|ParameterizedTruncatedNormal)(V2)?")
BATCH_NORMS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
CONTROL_V1 = set(
    "Switch RefSwitch Merge RefMerge Enter RefEnter Exit RefExit NextIteration RefNextIteration "
    "LoopCond".split()
)
CONTROL_V2 = set("If StatelessIf While StatelessWhile Case StatelessCase For".split())
CALLS = set("PartitionedCall StatefulPartitionedCall SymbolicGradient RemoteCall".split())
PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
MUTABLE_TABLES = set(
    "MutableHashTable MutableHashTableV2 MutableDenseHashTable MutableDenseHashTableV2 "
    "MutableHashTableOfTensors MutableHashTableOfTensorsV2 AnonymousMutableHashTable "
    "AnonymousMutableDenseHashTable AnonymousMutableHashTableOfTensors".split()
)
TABLES_OF_FILES = ("InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
#: Ops that write something or have no value to read.
SINKS = re.compile(
    r"NoOp|Assert|PrintV2|Print|IsVariableInitialized|VarIsInitializedOp|InitializeTable\w*|"
    r"ControlTrigger|Abort|DestroyResourceOp|DeleteSessionTensor|\w*HashTable\w*|_?(Send|Retval)|"
    r"MakeIterator|DisableCopyOnRead|Stack\w*|TensorArrayCloseV3|Barrier\w*|ConditionalAccumulator|Accumulator\w*"
)
#: The scope that `tf.gradients` gives its ops; an optimizer calls it.
GRADIENTS = re.compile(r"(?:^|/)gradients(?:_\d+)?/")
#: Scopes of layers that draw random numbers while training alone.
NOISE = re.compile(r"(?:^|/)([^/]*(?:dropout|gaussian_noise)[^/]*)(?:/|$)", re.IGNORECASE)
#: Ops that take a prediction and a label.
COMPARISONS = re.compile(
    r"\w*CrossEntropyWithLogits|Sub|SquaredDifference|Mul|Equal|NotEqual|Less|LessEqual|Greater|"
    r"GreaterEqual|InTopK(V2)?|CTCLoss|ConfusionMatrix|LogicalAnd"
)
