"""The site's own search finds recipes by their names, and FAQ entries by the texts of errors.

Needs node, and MkDocs with its theme (in this environment or in that of scripts/docs).
"""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.once]

#: A search: the recipe that is among the first three results.
RECIPES = {
    "GAN": "h1_gan",
    "gan two optimizers": "h1_gan",
    "UPDATE_OPS": "h1_gan",
    "Grad-CAM": "h2_grad_cam_and_saliency",
    "gradcam": "h2_grad_cam_and_saliency",
    "saliency": "h2_grad_cam_and_saliency",
    "saliency map": "h2_grad_cam_and_saliency",
    "guided backpropagation": "h2_grad_cam_and_saliency",
    "pruning": "h3_lottery_tickets",
    "prune weights": "h3_lottery_tickets",
    "lottery ticket": "h3_lottery_tickets",
    "MAML": "h4_maml",
    "meta-learning": "h4_maml",
    "SAM": "h5_sharpness_aware",
    "sharpness-aware": "h5_sharpness_aware",
    "DANN": "h6_domain_adversarial",
    "domain adaptation": "h6_domain_adversarial",
    "gradient reversal": "h6_domain_adversarial",
    "gradient reversal layer": "h6_domain_adversarial",
    "L-BFGS": "h8_lbfgs",
    "lbfgs": "h8_lbfgs",
    "ScipyOptimizerInterface": "h8_lbfgs",
    "tf.contrib.opt.ScipyOptimizerInterface": "h8_lbfgs",
    "Hogwild": "h9_hogwild",
    "A3C": "h9_hogwild",
    "threads": "h9_hogwild",
    "embedding rows": "a4_embedding_rows",
    "train new tokens": "a4_embedding_rows",
    "fine-tune embedding": "a4_embedding_rows",
}

#: A search, as people type or paste it: the FAQ entry that is among the first three results.
ERRORS = {
    "AttributeError: module 'tensorflow' has no attribute 'placeholder'": "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    "module 'tensorflow' has no attribute 'Session'": "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    "module 'tensorflow' has no attribute 'get_variable'": "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    "AttributeError: module 'tensorflow' has no attribute 'flags'": "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    "module 'tensorflow._api.v2.train' has no attribute 'AdamOptimizer'": "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    "ModuleNotFoundError: No module named 'tensorflow.contrib'": "no-module-named-tensorflowcontrib",
    "module 'tensorflow' has no attribute 'contrib'": "module-tensorflow-has-no-attribute-contrib",
    "module 'tensorflow' has no attribute 'to_float'": "module-tensorflow-has-no-attribute-placeholder-session-get_variable-to_float",
    "AttributeError: module 'tensorflow' has no attribute 'estimator'": "module-tensorflow-has-no-attribute-estimator",
    "No module named 'tensorflow_estimator'": "no-module-named-tensorflow_estimator",
    "`dense` is not available with Keras 3.": "dense-is-not-available-with-keras-3",
    "BasicLSTMCell is not available with Keras 3": "dense-is-not-available-with-keras-3",
    "No module named 'tensorflow.examples'": "no-module-named-tensorflowexamples",
    "tensorflow.examples.tutorials.mnist": "no-module-named-tensorflowexamples",
    "module 'numpy' has no attribute 'float'": "module-numpy-has-no-attribute-float-npfloat-npint-npbool-npobject",
    "AttributeError: module 'numpy' has no attribute 'bool'.": "module-numpy-has-no-attribute-float-npfloat-npint-npbool-npobject",
    "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?": "missing-parentheses-in-call-to-print",
    "ModuleNotFoundError: No module named 'imp'": "no-module-named-imp",
    "No module named 'distutils'": "no-module-named-imp",
    "ImportError: cannot import name 'imread' from 'scipy.misc'": "cannot-import-name-imread-from-scipymisc",
    "module 'scipy.misc' has no attribute 'imresize'": "cannot-import-name-imread-from-scipymisc",
    "AttributeError: module 'collections' has no attribute 'Iterable'": "module-collections-has-no-attribute-iterable",
    "NameError: name 'xrange' is not defined": "name-xrange-is-not-defined",
    "ModuleNotFoundError: No module named 'ConfigParser'": "no-module-named-configparser-urllib2-cpickle-queue",
    "No module named 'urllib2'": "no-module-named-configparser-urllib2-cpickle-queue",
    "Restoring from checkpoint failed": "key-not-found-in-checkpoint-restoring-from-checkpoint-failed",
    "np.object": "module-numpy-has-no-attribute-float-npfloat-npint-npbool-npobject",
    "Interpolation is not defined": "name-xrange-is-not-defined",
    "RuntimeError: The Session graph is empty. Add operations to the graph before calling run().": "the-session-graph-is-empty-add-operations-to-the-graph-before-calling-run",
    "tf.placeholder() is not compatible with eager execution.": "tfplaceholder-is-not-compatible-with-eager-execution",
    "TypeError: Tensor objects are only iterable when eager execution is enabled. To iterate over this tensor use tf.map_fn.": "iterating-over-a-symbolic-tftensor-is-not-allowed-tensor-objects-are-only-iterable-when-eager-execution-is-enabled",
    "Iterating over a symbolic `tf.Tensor` is not allowed": "iterating-over-a-symbolic-tftensor-is-not-allowed-tensor-objects-are-only-iterable-when-eager-execution-is-enabled",
    "FailedPreconditionError: Attempting to use uninitialized value dense/kernel": "attempting-to-use-uninitialized-value",
    "using a `tf.Tensor` as a Python `bool` is not allowed": "using-a-symbolic-tftensor-as-a-python-bool-is-not-allowed",
    "NotImplementedError: Cannot convert a symbolic Tensor (strided_slice:0) to a numpy array": "cannot-convert-a-symbolic-tftensor-to-a-numpy-array",
    "AttributeError: 'Tensor' object has no attribute 'numpy'": "tensor-object-has-no-attribute-numpy",
    "'int' object has no attribute 'value'": "int-object-has-no-attribute-value",
    "AttributeError: 'NoneType' object has no attribute 'value'": "int-object-has-no-attribute-value",
    "is not an element of this graph": "tensor-is-not-an-element-of-this-graph-must-be-from-the-same-graph",
    "must be from the same graph as Tensor": "tensor-is-not-an-element-of-this-graph-must-be-from-the-same-graph",
    "TypeError: Cannot interpret feed_dict key as Tensor": "cannot-interpret-feed_dict-key-as-tensor",
    "You must feed a value for placeholder tensor 'x' with dtype float": "you-must-feed-a-value-for-placeholder-tensor",
    "ValueError: Variable conv1/weights already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?": "variable-already-exists-disallowed-did-you-mean-to-set-reusetrue",
    "RuntimeError: Graph is finalized and cannot be modified.": "graph-is-finalized-and-cannot-be-modified",
    "RuntimeError: Attempted to use a closed Session.": "attempted-to-use-a-closed-session",
    "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.": "tfgradients-is-not-supported-when-eager-execution-is-enabled",
    "loss passed to Optimizer.compute_gradients should be a function when eager execution is enabled": "tfgradients-is-not-supported-when-eager-execution-is-enabled",
    "CudnnRNN": "no-opkernel-was-registered-to-support-op-cudnnrnn",
    "No OpKernel was registered to support Op 'CudnnRNN' used by node": "no-opkernel-was-registered-to-support-op-cudnnrnn",
    "Op type not registered 'Resampler' in binary running on": "op-type-not-registered-in-binary-running-on-this-machine",
    "ValueError: No gradients provided for any variable": "no-gradients-provided",
    "ValueError: None values not supported.": "none-values-not-supported",
    "LookupError: No gradient defined for operation 'Floor'": "lookuperror-no-gradient-defined-for-operation",
    "loss does not decrease": "the-loss-does-not-move-change-or-decrease",
    "the loss does not change": "the-loss-does-not-move-change-or-decrease",
    "Variable d_w1/Adam/ does not exist, or was not created with tf.get_variable()": "variable-wadam-does-not-exist-or-was-not-created-with-tfget_variable-did-you-mean-to-set-reusetfauto_reuse-in-varscope",
    "frozen weights change": "frozen-weights-change-although-their-gradient-is-zero",
    "loss is nan": "nan-loss-during-training-nan-in-summary-histogram",
    "InvalidArgumentError: Nan in summary histogram for: layer1/weights": "nan-loss-during-training-nan-in-summary-histogram",
    "NotFoundError: Key dense/kernel not found in checkpoint": "key-not-found-in-checkpoint-restoring-from-checkpoint-failed",
    "ExponentialMovingAverage not found": "key-wexponentialmovingaverage-not-found-in-checkpoint",
    "Key conv1/weights/ExponentialMovingAverage not found in checkpoint": "key-wexponentialmovingaverage-not-found-in-checkpoint",
    "part_0 not found": "key-wpart_0-not-found-in-checkpoint",
    "Key w/part_0 not found in checkpoint": "key-wpart_0-not-found-in-checkpoint",
    "InvalidArgumentError: Assign requires shapes of both tensors to match. lhs shape= [10] rhs shape= [1000]": "assign-requires-shapes-of-both-tensors-to-match",
    "DataLossError: not an sstable (bad magic number)": "data-loss-not-an-sstable-bad-magic-number",
    "DataLossError: file is too short to be an sstable": "file-is-too-short-to-be-an-sstable",
    "too short to be an sstable": "file-is-too-short-to-be-an-sstable",
    "Checksum does not match": "checksum-does-not-match",
    "Checksum does not match: stored 4091153041 vs. calculated on the restored bytes 1234": "checksum-does-not-match",
    "Unable to open table file model.ckpt": "unable-to-open-table-file",
    "ValueError: The passed save_path is not a valid checkpoint: ./model.ckpt": "the-passed-save_path-is-not-a-valid-checkpoint",
    "RuntimeError: MetaGraphDef associated with tags 'serve' could not be found in SavedModel": "metagraphdef-associated-with-tags-serve-could-not-be-found-in-savedmodel",
    "ValueError: Can't load save_path when it is None.": "cant-load-save_path-when-it-is-none",
    "No default session is registered. Use `with sess.as_default()`": "no-default-session-is-registered",
    "ValueError: GraphDef cannot be larger than 2GB.": "graphdef-cannot-be-larger-than-2gb",
    "Object arrays cannot be loaded when allow_pickle=False": "object-arrays-cannot-be-loaded-when-allow_picklefalse",
    "setting an array element with a sequence": "setting-an-array-element-with-a-sequence-inhomogeneous-shape",
    "TypeError: load() missing 1 required positional argument: 'Loader'": "load-missing-1-required-positional-argument-loader",
    "A KerasTensor cannot be used as input to a TensorFlow function": "a-kerastensor-cannot-be-used-as-input-to-a-tensorflow-function",
    "ERROR: Could not find a version that satisfies the requirement tensorflow==1.15": "could-not-find-a-version-that-satisfies-the-requirement-tensorflow115",
    "TypeError: Descriptors cannot be created directly.": "descriptors-cannot-be-created-directly-protobuf",
    "File format not supported: filepath=model. Keras 3 only supports V3 `.keras` files": "file-format-not-supported-keras-3-only-supports-v3-keras-files-could-not-deserialize-kerasmetricsmse",
    "Could not deserialize 'keras.metrics.mse'": "file-format-not-supported-keras-3-only-supports-v3-keras-files-could-not-deserialize-kerasmetricsmse",
    "ValueError: Argument(s) not recognized: {'lr': 0.001}": "arguments-not-recognized-lr-0001",
    "Argument(s) not recognized: {'lr'": "arguments-not-recognized-lr-0001",
    "get_session is not available": "get_session-is-not-available-when-using-tensorflow-20",
    "module 'tensorflow.keras.backend' has no attribute 'get_session'": "module-kerasbackend-has-no-attribute-get_session-or-set_session",
    "metrics_tensors": "model-object-has-no-attribute-metrics_tensors",
    "AttributeError: 'Model' object has no attribute 'metrics_tensors'": "model-object-has-no-attribute-metrics_tensors",
    "No module named 'keras.backend.tensorflow_backend'": "no-module-named-kerasengine-kerasbackend",
    "No module named 'keras.engine.topology'": "no-module-named-kerasengine-kerasbackend",
    "'Sequential' object has no attribute 'predict_classes'": "sequential-object-has-no-attribute-predict_classes-or-fit_generator",
    "AttributeError: 'str' object has no attribute 'decode'": "str-object-has-no-attribute-decode",
    "created within a Lambda layer": "the-following-variables-were-created-within-a-lambda-layer-but-are-not-tracked-by-said-layer",
}


def _mkdocs():
    """The command of MkDocs, or None."""
    if importlib.util.find_spec("mkdocs") and importlib.util.find_spec("mkdocstrings"):
        return [sys.executable, "-m", "mkdocs"]
    environments = pathlib.Path(os.environ.get("TFGRAPHTOOLS_ENVS", str(ROOT / ".envs")))
    program = environments / "docs" / "bin" / "mkdocs"
    return [str(program)] if program.exists() else None


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """{search: the locations of its first three results}."""
    mkdocs, node = _mkdocs(), shutil.which("node")
    if mkdocs is None or node is None:
        pytest.skip("needs node, and the environment of scripts/docs")
    site = tmp_path_factory.mktemp("site")
    environment = dict(os.environ, NO_MKDOCS_2_WARNING="1", DISABLE_MKDOCS_2_WARNING="true")
    subprocess.run(
        [*mkdocs, "build", "--quiet", "--site-dir", str(site)],
        cwd=str(ROOT),
        env=environment,
        check=True,
    )
    queries = [*RECIPES, *ERRORS]
    found = subprocess.run(
        [node, str(ROOT / "scripts" / "site" / "search.js"), str(site)],
        input=json.dumps(queries),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return {query: row[:3] for query, row in zip(queries, json.loads(found.stdout))}


@pytest.mark.parametrize("query", RECIPES)
def test_a_recipe_by_its_name(results, query):
    assert f"gallery/{RECIPES[query]}.html" in [row.partition("#")[0] for row in results[query]]


@pytest.mark.parametrize("query", ERRORS)
def test_an_entry_by_the_text_of_the_error(results, query):
    assert f"faq.html#{ERRORS[query]}" in results[query]


def test_there_are_60_searches_for_entries():
    assert len(ERRORS) >= 60
