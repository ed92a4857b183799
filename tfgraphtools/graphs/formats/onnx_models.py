"""Frozen parts as ONNX models, by tf2onnx, and their runs in onnxruntime."""

import importlib
import logging
import os
import re
import sys
import tempfile
import warnings

import numpy as np

from tfgraphtools.errors import ArgumentError, GraphExportError, MissingExtraError
from tfgraphtools.graphs.formats import onnx_ops

_PACKAGES = ("tf2onnx", "onnxruntime")
_UNSUPPORTED = re.compile(r"Tensorflow op \[(?P<name>.*): (?P<op>\w+)\] is not supported")


def require_packages(opset):
    """Raises `MissingExtraError` if tf2onnx or onnxruntime is not installed.

    Args:
      opset: the user's, or None. `ArgumentError` is raised if tf2onnx does not know it.
    """
    for name in _PACKAGES:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                "graphs.convert to ONNX",
                " and ".join(_PACKAGES),
                f"no module named {error.name!r}",
                "Install them: pip install tf2onnx onnxruntime.",
            ) from None
    known = sys.modules["tf2onnx"].constants.OPSET_TO_IR_VERSION
    if opset is not None and opset not in known:
        got = f"{opset}, which tf2onnx does not know"
        raise ArgumentError("opset", f"at most {max(known)}", got, "Leave it out for the default.")


def converted(part, opset):
    """Returns the serialized ONNX model of a `FrozenPart`.

    Raises:
      GraphExportError: tf2onnx has no form for an op.
    """
    return _by_tf2onnx(
        part,
        "from_graph_def",
        part.graph_def,
        input_names=list(part.inputs.values()),
        output_names=list(part.outputs.values()),
        opset=opset,
        custom_op_handlers=_handlers(opset),
    )


def _handlers(opset):
    return onnx_ops.handlers() if opset is None or opset >= onnx_ops.LEAST_OPSET else None


def of_tflite(part, model, opset):
    """Returns the serialized ONNX model of a TFLite model of a `FrozenPart`.

    Raises:
      GraphExportError: tf2onnx has no form for an op.
    """
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the interpreter moves
        path = os.path.join(folder, "model.tflite")
        with open(path, "wb") as file:
            file.write(model)
        return _by_tf2onnx(part, "from_tflite", path, opset=opset)


def _by_tf2onnx(part, function, source, **options):
    """Returns the serialized model, with the part's names of inputs and outputs."""
    import tf2onnx

    messages = _Messages()
    logger = logging.getLogger("tf2onnx")
    logger.addHandler(messages)
    try:
        model, _ = getattr(tf2onnx.convert, function)(source, **options)
    except Exception as error:  # whatever a rewriter of tf2onnx stumbles over
        text = " ".join(str(error).split()).rstrip(".")
        raise _refused(part, messages.unsupported or [text]) from error
    finally:
        logger.removeHandler(messages)
    if messages.unsupported:
        raise _refused(part, messages.unsupported)
    new_names = {}
    for name, tensor in [*part.inputs.items(), *part.outputs.items()]:
        new_names[tensor] = new_names[tensor.rpartition(":0")[0] or tensor] = name
    _rename(model.graph, new_names)
    return model.SerializeToString()


def _rename(graph, new_names):
    """Renames values of an ONNX graph, and of the graphs in its loops and branches."""
    for row in [*graph.input, *graph.output, *graph.value_info, *graph.initializer]:
        row.name = new_names.get(row.name, row.name)
    for node in graph.node:
        for names in (node.input, node.output):
            for index, name in enumerate(names):
                names[index] = new_names.get(name, name)
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                _rename(inner, new_names)


def _refused(part, ops):
    unknown = [name for name, (_, shape) in part.described().items() if shape is None]
    return GraphExportError(
        part.place,
        "ops that tf2onnx converts",
        "; ".join(ops[:6]),
        f"Say how many sizes the input has: --shape {unknown[0]}=?,4."
        if unknown
        else "Cut them off with --inputs or other --outputs, try a higher --opset, or --to tflite.",
    )


class _Messages(logging.Handler):
    """The ops that tf2onnx says it does not support, as ``name (op)``."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.unsupported = []

    def emit(self, record):
        match = _UNSUPPORTED.search(record.getMessage())
        if match:
            self.unsupported.append("{name} ({op})".format(**match.groupdict()))


class OnnxRuns:
    """Runs of an ONNX model.

    Args:
      part: the `FrozenPart`.
      data: the serialized model.
      outputs: the names of its outputs; None are those of the part.

    Raises:
      GraphExportError: onnxruntime does not load it, or fails in a run.
    """

    def __init__(self, part, data, outputs=None):
        import onnxruntime

        self._part, self._outputs = part, list(outputs or part.outputs)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        with _refusing(part):
            self._session = onnxruntime.InferenceSession(
                data, options, providers=["CPUExecutionProvider"]
            )
        self._inputs = {row.name for row in self._session.get_inputs()}

    def __call__(self, arrays):
        """Returns {name: array} of the outputs."""
        # onnxruntime takes no number of NumPy for an array without dimensions.
        feed = {name: np.asarray(array) for name, array in arrays.items() if name in self._inputs}
        with _refusing(self._part):
            return dict(zip(self._outputs, self._session.run(self._outputs, feed)))


class OnnxTensors:
    """Values of the tensors inside an ONNX model that have the name of an op of its graph.

    Attributes:
      ops: {name of the op: None}.
    """

    def __init__(self, part, data):
        import onnx

        self._part, self._model = part, onnx.load_model_from_string(data)
        values = {output for node in self._model.graph.node for output in node.output}
        ops = {node.name for node in part.graph_def.node}
        self.ops = {name: None for name in ops if name + ":0" in values}

    def __call__(self, names, arrays):
        """Returns {name: array} of ops."""
        import onnx

        model = type(self._model)()
        model.CopyFrom(self._model)
        del model.graph.output[:]
        for name in names:
            model.graph.output.add().CopyFrom(onnx.helper.make_empty_tensor_value_info(name + ":0"))
        runs = OnnxRuns(self._part, model.SerializeToString(), [name + ":0" for name in names])
        return {name.rpartition(":")[0]: value for name, value in runs(arrays).items()}


class _refusing:
    """Makes an error of onnxruntime one of the part."""

    def __init__(self, part):
        self._part = part

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if isinstance(error, Exception):  # onnxruntime's own classes have no common base
            raise GraphExportError(
                self._part.place,
                "a model that onnxruntime runs",
                " ".join(str(error).split())[:400].rstrip("."),
                "Try another --opset, fix the sizes of the inputs (--shape), or --to tflite.",
            ) from error
