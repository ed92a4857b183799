"""An estimator in a folder: its last checkpoint, its arguments, and the graph that predicts.

What is code (a model function, an optimizer, a rate that decays) cannot be saved. The
graph predicts without it; to train on, it is asked for by name.
"""

import glob
import inspect
import json
import os
import shutil
import tempfile

import numpy

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError

ARGUMENTS = "model.def"
GRAPH = "predict.meta"

_INPUT, _PREDICTIONS = "skflow_input", "skflow_predictions"


def save(estimator, path):
    """Saves an estimator that was fit into a folder, which is made; a failure leaves it whole."""
    path = os.path.abspath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = tempfile.mkdtemp(prefix=os.path.basename(path) + ".", dir=os.path.dirname(path))
    try:
        _write(estimator, beside)
        if os.path.isdir(path):
            _move_in(beside, path)
        else:
            os.chmod(beside, 0o777 & ~_umask())
            os.rename(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write(estimator, path):
    _copy_checkpoint(estimator.model_dir, path)
    if estimator._saved is None:
        _export_graph(estimator, os.path.join(path, GRAPH))
    else:
        shutil.copy(os.path.join(estimator.model_dir, GRAPH), path)
    kept, lost = _arguments(estimator)
    with open(os.path.join(path, ARGUMENTS), "w") as file:
        json.dump({"class_name": type(estimator).__name__, "lost": lost, **kept}, file, indent=1)


def _move_in(source, path):
    """Replaces files of a folder; that which says which checkpoint is meant comes last."""
    for name in sorted(os.listdir(source), key=lambda name: name == "checkpoint"):
        os.replace(os.path.join(source, name), os.path.join(path, name))


def _copy_checkpoint(source, path):
    checkpoint = v1.train.latest_checkpoint(source)
    for file in glob.glob(glob.escape(checkpoint) + ".*"):
        shutil.copy(file, path)
    v1.train.update_checkpoint_state(os.path.abspath(path), os.path.basename(checkpoint))


def _export_graph(estimator, file):
    signature = estimator._features_info
    with v1.Graph().as_default():
        v1.train.create_global_step()
        inputs = v1.placeholder(signature.dtype, signature.shape, name="input")
        predictions = estimator._get_predict_ops(inputs).predictions
        v1.add_to_collection(_INPUT, inputs)
        v1.add_to_collection(_PREDICTIONS, predictions)
        v1.train.Saver().export_meta_graph(file)


def _arguments(estimator):
    """Returns ({argument: value}, the names of those that are code)."""
    defaults = inspect.signature(type(estimator).__init__).parameters
    kept, lost = {}, list(estimator._lost)
    for name, value in estimator.get_params().items():
        if name == "config" or value is defaults[name].default or name in lost:
            continue
        try:
            kept[name] = json.loads(json.dumps(value, default=_as_json))
        except TypeError:
            lost.append(name)
    return kept, lost


def _as_json(value):
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        return value.tolist()
    raise TypeError(value)


def restore(base, path, config):
    """Returns the estimator that was saved into a folder; its class derives from `base`."""
    file = os.path.join(path, ARGUMENTS)
    if not os.path.exists(file):
        raise ArgumentError(
            f"restore({path!r})",
            "a folder that save() wrote",
            f"no {ARGUMENTS} in it",
            "Fit an estimator, and save it there.",
        )
    with open(file) as opened:
        kept = json.load(opened)
    if not os.path.exists(os.path.join(path, GRAPH)):
        raise ArgumentError(
            f"restore({path!r})",
            "a folder that save() wrote under 'tfgraphtools run'",
            f"no {GRAPH} in it: TensorFlow 0.x itself wrote it",
            "TF 2.x cannot read its graph: fit and save again.",
        )
    if v1.train.latest_checkpoint(path) is None:
        raise ArgumentError(
            f"restore({path!r})",
            "a folder that save() wrote",
            "no checkpoint in it that its file 'checkpoint' names",
            "Restore the missing files, or fit and save again.",
        )
    kind, lost = _class(base, kept.pop("class_name"), path), kept.pop("lost")
    needed = [name for name in lost if _is_needed(kind, name)]
    estimator = kind(config=config, **kept, **dict.fromkeys(needed))
    estimator._lost, estimator._was_fit = tuple(lost), True
    estimator._saved = SavedGraph(os.path.join(path, GRAPH))
    estimator._model_dir = tempfile.mkdtemp()  # what was saved stays as it is
    _copy_checkpoint(path, estimator.model_dir)
    shutil.copy(os.path.join(path, GRAPH), estimator.model_dir)
    return estimator


def _is_needed(kind, name):
    default = inspect.signature(kind.__init__).parameters[name].default
    return default is inspect.Parameter.empty


def _class(base, name, path):
    known = {kind.__name__: kind for kind in _with_subclasses(base)}
    if name not in known:
        raise ArgumentError(
            f"restore({path!r})",
            "an estimator of a class that is there: " + ", ".join(sorted(known)),
            name,
            "Import the module of the class first.",
        )
    return known[name]


def _with_subclasses(kind):
    yield kind
    for derived in kind.__subclasses__():
        yield from _with_subclasses(derived)


class SavedGraph:
    """The graph that predicts.

    Args:
      file: its meta graph; read when it is asked for.
    """

    def __init__(self, file):
        with open(file, "rb") as opened:
            self._meta = v1.MetaGraphDef.FromString(opened.read())
        self._graph = None

    def graph(self):
        """Returns the graph."""
        if self._graph is None:
            self._graph = v1.Graph()
            with self._graph.as_default():
                self._saver = v1.train.import_meta_graph(self._meta)
        return self._graph

    def predict(self, feeder, folder):
        """Predicts from a feeder's batches, with the checkpoint of a folder."""
        with self.graph().as_default() as graph, v1.Session() as session:
            session.run(v1.tables_initializer())
            self._saver.restore(session, v1.train.latest_checkpoint(folder))
            (inputs,), (predictions,) = map(graph.get_collection, (_INPUT, _PREDICTIONS))
            feeder.set_placeholders(inputs, None)
            feed = feeder.get_feed_dict_fn()
            batches = []
            while True:
                try:
                    batches.append(session.run(predictions, feed()))
                except StopIteration:
                    return numpy.concatenate(batches)
