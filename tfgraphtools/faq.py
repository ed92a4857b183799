"""The FAQ's entry for an error: its place in docs, or on the site of the documentation."""

import re
from typing import Optional

#: (regular expression over "Class: message", anchor of the entry on docs/faq.md); the first that
#: fits decides.
ENTRIES = [
    (
        r"module 'tensorflow(\.compat\.v1)?' has no attribute 'contrib'",
        "module-tensorflow-has-no-attribute-contrib",
    ),
    (
        r"module 'tensorflow[\w.]*' has no attribute 'estimator'",
        "module-tensorflow-has-no-attribute-estimator",
    ),
    (
        r"module '[\w.]*keras\.backend' has no attribute '[gs]et_session'",
        "module-kerasbackend-has-no-attribute-get_session-or-set_session",
    ),
    (
        r"module 'tensorflow(\._api\.v2[\w.]*)?' has no attribute",
        "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    ),
    (r"No module named 'tensorflow\.contrib", "no-module-named-tensorflowcontrib"),
    (r"No module named 'tensorflow_estimator", "no-module-named-tensorflow_estimator"),
    (
        r"No module named 'tensorflow\.examples",
        "no-module-named-tensorflowexamples-tutorialsmnistinput_data",
    ),
    (r"No module named 'keras\.", "no-module-named-kerasengine-kerasbackend-kerasutilsnp_utils"),
    (
        r"No module named '(imp|distutils|asyncore|asynchat|cgi|pipes|imghdr|sndhdr)'",
        "no-module-named-imp",
    ),
    (
        r"No module named '(ConfigParser|urllib2|urlparse|cPickle|c?StringIO|Queue|commands)'",
        "no-module-named-configparser-urllib2-cpickle-queue",
    ),
    (r"is not available with Keras 3", "dense-is-not-available-with-keras-3"),
    (
        r"module 'numpy' has no attribute '(float|int|bool|object|str|long|product|asscalar)",
        "module-numpy-has-no-attribute-float-npfloat-npint-npbool-npobject",
    ),
    (r"Missing parentheses in call to 'print'", "missing-parentheses-in-call-to-print"),
    (
        r"from 'scipy\.misc'|'scipy\.misc' has no attribute",
        "cannot-import-name-imread-from-scipymisc",
    ),
    (
        r"module '(collections|inspect|time)' has no attribute '([A-Z]\w+|getargspec|clock)'",
        "module-collections-has-no-attribute-iterable",
    ),
    (r"when allow_pickle=False", "object-arrays-cannot-be-loaded-when-allow_picklefalse"),
    (
        r"setting an array element with a sequence.*inhomogeneous",
        "setting-an-array-element-with-a-sequence-inhomogeneous-shape",
    ),
    (
        r"load\(\) missing 1 required positional argument: 'Loader'",
        "load-missing-1-required-positional-argument-loader",
    ),
    (
        r"NameError: name '(xrange|unicode|raw_input|reduce|basestring|unichr|long|execfile)'",
        "name-xrange-is-not-defined",
    ),
    (
        r"The Session graph is empty",
        "the-session-graph-is-empty-add-operations-to-the-graph-before-calling-run",
    ),
    (
        r"placeholder\(\) is not compatible with eager",
        "tfplaceholder-is-not-compatible-with-eager-execution",
    ),
    (
        r"Tensor objects are only iterable|[Ii]terating over .*Tensor.* is not allowed",
        "iterating-over-a-symbolic-tftensor-is-not-allowed-tensor-objects-are-only-iterable-w"
        "hen-eager-execution-is-enabled",
    ),
    (r"uninitialized value", "attempting-to-use-uninitialized-value"),
    (
        r"as a Python `?bool`? is not allowed",
        "using-a-symbolic-tftensor-as-a-python-bool-is-not-allowed",
    ),
    (
        r"Cannot convert a symbolic .*Tensor.* to a numpy array",
        "cannot-convert-a-symbolic-tftensor-to-a-numpy-array",
    ),
    (r"Tensor' object has no attribute 'numpy'", "tensor-object-has-no-attribute-numpy"),
    (r"'(int|NoneType)' object has no attribute 'value'", "int-object-has-no-attribute-value"),
    (r"Cannot interpret feed_dict key as Tensor", "cannot-interpret-feed_dict-key-as-tensor"),
    (
        r"is not an element of this graph|must be from the same graph",
        "tensor-is-not-an-element-of-this-graph-must-be-from-the-same-graph",
    ),
    (
        r"You must feed a value for placeholder tensor",
        "you-must-feed-a-value-for-placeholder-tensor",
    ),
    (
        r"already exists, disallowed\. Did you mean to set reuse=True",
        "variable-already-exists-disallowed-did-you-mean-to-set-reusetrue",
    ),
    (r"Graph is finalized", "graph-is-finalized-and-cannot-be-modified"),
    (r"[Nn]o default session is registered", "no-default-session-is-registered"),
    (r"GraphDef cannot be larger than 2GB", "graphdef-cannot-be-larger-than-2gb"),
    (r"use a closed Session", "attempted-to-use-a-closed-session"),
    (
        r"tf\.gradients is not supported when eager|should be a function when eager",
        "tfgradients-is-not-supported-when-eager-execution-is-enabled-loss-passed-to-compute_"
        "gradients-should-be-a-function",
    ),
    (
        r"(Op|OpKernel).*Cudnn",
        "no-opkernel-was-registered-to-support-op-cudnnrnn-cudnnlstm-cudnnlstm-on-a-cpu",
    ),
    (r"Op type not registered", "op-type-not-registered-in-binary-running-on-this-machine"),
    (r"NodeDef mentions attr", "nodedef-mentions-attr-not-in-op"),
    (r"No gradients provided", "no-gradients-provided"),
    (r"None values not supported", "none-values-not-supported"),
    (
        r"No gradient defined for operation|gradient registry has no entry",
        "lookuperror-no-gradient-defined-for-operation",
    ),
    (
        r"Variable \S+ does not exist, or was not created with tf\.get_variable",
        "variable-wadam-does-not-exist-or-was-not-created-with-tfget_variable-did-you-mean-to"
        "-set-reusetfauto_reuse-in-varscope",
    ),
    (
        r"Nan in summary histogram|diverged with loss = NaN|Tensor had (NaN|Inf)",
        "nan-loss-during-training-nan-in-summary-histogram",
    ),
    (
        r"A KerasTensor cannot be used",
        "a-kerastensor-cannot-be-used-as-input-to-a-tensorflow-function",
    ),
    (
        r"unexpected keyword argument 'float_format'",
        "messagetostring-got-an-unexpected-keyword-argument-float_format",
    ),
    (r"Descriptors cannot be created directly", "descriptors-cannot-be-created-directly-protobuf"),
    (
        r"File format not supported|Could not deserialize 'keras|Unknown layer",
        "file-format-not-supported-keras-3-only-supports-v3-keras-files-could-not-deserialize"
        "-kerasmetricsmse-unknown-layer",
    ),
    (r"Argument\(s\) not recognized", "arguments-not-recognized-lr-0001"),
    (
        r"get_session` is not available when using TensorFlow 2",
        "get_session-is-not-available-when-using-tensorflow-20",
    ),
    (r"no attribute 'metrics_tensors'", "model-object-has-no-attribute-metrics_tensors"),
    (
        r"no attribute '(predict_classes|fit_generator)'",
        "sequential-object-has-no-attribute-predict_classes-or-fit_generator",
    ),
    (r"'str' object has no attribute 'decode'", "str-object-has-no-attribute-decode"),
    (
        r"created within a Lambda layer",
        "the-following-variables-were-created-within-a-lambda-layer-but-are-not-tracked-by-sa"
        "id-layer",
    ),
]

#: The same for docs/faq_checkpoints.md.
CHECKPOINT_ENTRIES = [
    (
        r"ExponentialMovingAverage not found",
        "key-wexponentialmovingaverage-not-found-in-checkpoint",
    ),
    (r"\bpart_\d+ not found", "key-wpart_0-not-found-in-checkpoint"),
    (r"not an sstable", "data-loss-not-an-sstable-bad-magic-number"),
    (r"too short to be an sstable", "file-is-too-short-to-be-an-sstable"),
    (r"Checksum does not match", "checksum-does-not-match"),
    (r"Unable to open table file", "unable-to-open-table-file"),
    (
        r"not found in checkpoint|graph key that is missing from the checkpoint",
        "key-not-found-in-checkpoint-restoring-from-checkpoint-failed",
    ),
    (
        r"Assign requires shapes of both tensors to match",
        "assign-requires-shapes-of-both-tensors-to-match",
    ),
    (r"save_path is not a valid checkpoint", "the-passed-save_path-is-not-a-valid-checkpoint"),
    (r"Can't load save_path when it is None", "cant-load-save_path-when-it-is-none"),
    (
        r"to be a trackable object",
        "checkpoint-was-expecting-to-be-a-trackable-object-an-object-based-checkpoint",
    ),
    (
        r"MetaGraphDef associated with tags",
        "metagraphdef-associated-with-tags-serve-could-not-be-found-in-savedmodel",
    ),
    (
        r"Unsupported ops: |not supported by the native TFLite|neither a custom op nor a flex op",
        "unsupported-ops-some-ops-are-not-supported-by-the-native-tflite-runtime",
    ),
    (r"find op for builtin opcode", "didnt-find-op-for-builtin-opcode"),
]

#: {page: its entries}, in the order in which an error is looked up.
PAGES = {"faq": ENTRIES, "faq_checkpoints": CHECKPOINT_ENTRIES}


def link_for(text: str) -> Optional[str]:
    """Returns the link of the entry for an error, or None.

    Args:
      text: the error's class and message, "ValueError: ...".

    Example:
      >>> link_for("RuntimeError: Graph is finalized and cannot be modified.")
      'docs/faq.md#graph-is-finalized-and-cannot-be-modified'
    """
    for page, entries in PAGES.items():
        for pattern, anchor in entries:
            if re.search(pattern, text):
                site = documentation()
                return f"{site}/{page}.html#{anchor}" if site else f"docs/{page}.md#{anchor}"
    return None


def documentation() -> Optional[str]:
    """Returns the address in this installation's metadata (``project_urls``), or None."""
    try:
        from importlib import metadata

        urls = metadata.metadata("tfgraphtools").get_all("Project-URL") or ()
    except ImportError:  # Python 3.7 has no such module; a checkout has no metadata
        return None
    for url in urls:
        name, _, address = url.partition(",")
        if name.strip().lower() == "documentation":
            return address.strip().rstrip("/")
    return None
