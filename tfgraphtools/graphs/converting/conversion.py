"""`graphs.convert`: a graph of TF 1 as an ONNX or TFLite model that computes the same."""

import collections
import os
from typing import Any, Dict, Mapping, Optional, Sequence

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.errors import ArgumentError, GraphExportError, UnsupportedVersionError
from tfgraphtools.graphs.comparing import output_differences
from tfgraphtools.graphs.converting import first_difference, origins
from tfgraphtools.graphs.converting.extraction import PartOptions, Tensors
from tfgraphtools.graphs.converting.frozen_parts import FrozenPart
from tfgraphtools.graphs.formats import loop_switches, onnx_models, tflite_models

#: What was written: ``inputs`` and ``outputs`` are {name in the model: tensor of the graph};
#: ``changes``, ``differences`` and ``ranges`` as in `Extraction`.
Conversion = collections.namedtuple("Conversion", "path inputs outputs changes differences ranges")

_FORMATS = ("onnx", "tflite")

#: The largest difference that is accepted by default, by quantization.
TOLERANCES = {None: 1e-5, "float16": 1e-2, "dynamic": 5e-2, "int8": 1e-1}


def convert(
    path: Path,
    destination: Path,
    to: str,
    outputs: Tensors = None,
    inputs: Tensors = None,
    shapes: Optional[Dict[str, Sequence[Optional[int]]]] = None,
    rename: Optional[Dict[str, str]] = None,
    checkpoint: Optional[Path] = None,
    opset: Optional[int] = None,
    quantize: Optional[str] = None,
    samples: Optional[Mapping[str, Any]] = None,
    tolerance: Optional[float] = None,
    keep_training: bool = False,
    tags: Optional[Sequence[str]] = None,
    overwrite: bool = False,
    constants: Optional[Mapping[str, Any]] = None,
    select_tf_ops: bool = False,
) -> Any:
    """Writes a graph of TF 1 as an ONNX or TFLite model.

    The part is cut as in `extract`, converted by tf2onnx or by TensorFlow's converter, and run in
    onnxruntime or the TFLite interpreter on the same inputs as the original, before it is put in
    its place: random numbers near 1, and, where the original takes them and nothing is quantized,
    negative, large and equal ones and each combination of flags. The metadata of the model say the
    hashes of the graph and of the checkpoint's index, and the range of each input. Loops, branches
    and TensorArrays of TF 1's control flow are converted, too.

    Args:
      path: a graph, as in `show`.
      destination: the file to write.
      to: "onnx" or "tflite".
      outputs, inputs, shapes, rename, checkpoint, keep_training, tags, overwrite, constants: as in
        `extract`.
      opset: of ONNX; None takes tf2onnx's default.
      quantize: of TFLite: "dynamic" (8-bit weights), "float16" (weights), or "int8" (weights and
        activations; inputs and outputs stay floating-point), calibrated with ``samples``, or
        without them by the FakeQuant ops of a graph that was trained for it.
      samples: {input: array} to calibrate and compare with, and no others; None draws them.
      tolerance: the largest difference, as in `extract`: 1e-5 by default, 0.01 for "float16", 0.05
        for "dynamic", 0.1 for "int8".
      select_tf_ops: of TFLite: write ops that it lacks as ops of TensorFlow, for interpreters that
        have its Flex delegate.

    Returns:
      A `Conversion`.

    Example:
      >>> convert("model.ckpt-9.meta", "model.onnx", "onnx", "probs")      # doctest: +SKIP
      >>> convert("frozen.pb", "model.tflite", "tflite", "y", "x",         # doctest: +SKIP
      ...         quantize="int8", samples={"x": images})

    Raises:
      GraphExportError: an op that the format lacks, by name; otherwise as in `extract`.
      DifferentOutputsError: the model computes something else. Nothing is written.
      MissingExtraError: tf2onnx or onnxruntime is not installed.
      UnsupportedVersionError: TensorFlow 1.15.
      ArgumentError: an option that the format does not have.
    """
    _require_options(to, opset, quantize, select_tf_ops)
    if to == "onnx":
        onnx_models.require_packages(opset)
    options = PartOptions(
        checkpoint,
        tags,
        keep_training,
        shapes or {},
        rename or {},
        samples,
        constants=constants or {},
    )
    limit = TOLERANCES[quantize] if tolerance is None else tolerance
    with replacing(destination, overwrite) as staged:
        part = FrozenPart(path, outputs, inputs, options)
        if quantize == "int8":
            _require_calibration(part, samples)
        if quantize:  # whose ranges are those of ordinary inputs
            part.comparisons = part.comparisons[:1]
        _require_tf2(part.tf)
        _require_no_tables(part)
        _make_plain(part)
        if to == "onnx":
            data, rows = _as_onnx(part, opset, limit)
        else:
            data = tflite_models.converted(part, quantize, select_tf_ops, samples is not None)
            data = origins.in_tflite(data, part.metadata())
            run = tflite_models.TfliteRuns(part, data)
            rows = output_differences.differences(part.comparisons, run, limit)
        first = None if quantize else _first_difference(part, to, data, rows)
        output_differences.require_equal(os.fspath(destination), rows, part.random, first)
        with open(staged, "wb") as file:
            file.write(data)
    tensors = part.inputs, part.outputs
    return Conversion(os.fspath(destination), *tensors, part.changes, rows, part.ranges())


def _make_plain(part):
    """Makes inputs and loops what converters read rightly.

    tf2onnx takes a default of an input for a constant, and a shape that is not said for that of a
    scalar.
    """
    loop_switches.complete(part.graph_def)
    names = {tensor.split(":")[0] for tensor in part.inputs.values()}
    for node in part.graph_def.node:
        if node.name in names:
            node.op = "Placeholder"
            del node.input[:]
            if "shape" not in node.attr:
                node.attr["shape"].shape.unknown_rank = True


def _as_onnx(part, opset, tolerance):
    """Returns (the model, a `Difference` for each of its outputs).

    What tf2onnx refuses, such as loops in loops and functions in functions, goes by way of TFLite.
    """
    try:
        return _compared_onnx(part, onnx_models.converted(part, opset), tolerance)
    except GraphExportError as error:
        try:
            by_tflite = onnx_models.of_tflite(part, tflite_models.converted(part, None), opset)
            return _compared_onnx(part, by_tflite, tolerance)
        except GraphExportError:
            raise error from None  # the first one names the op of the graph


def _compared_onnx(part, data, tolerance):
    data = origins.in_onnx(data, part.metadata())
    run = onnx_models.OnnxRuns(part, data)
    return data, output_differences.differences(part.comparisons, run, tolerance)


def _first_difference(part, to, data, rows):
    """Returns the `Difference` of the first tensor of a model that is not the graph's, or None."""
    worst = output_differences.worst_of(rows)
    if worst.relative <= worst.limit:
        return None
    tensors = onnx_models.OnnxTensors if to == "onnx" else tflite_models.TfliteTensors
    try:
        return first_difference.of_model(part, tensors(part, data), rows)
    except GraphExportError:  # the model does not run on these inputs
        return None


def _require_options(to, opset, quantize, select_tf_ops):
    if to not in _FORMATS:
        raise ArgumentError("to", " or ".join(_FORMATS), repr(to), 'Pass to="onnx" (--to onnx).')
    if opset is not None and to != "onnx":
        raise ArgumentError("opset", "None for TFLite", opset, "Only ONNX has opsets.")
    if to == "onnx" and quantize:
        raise ArgumentError("quantize", "None for ONNX", repr(quantize), "It is of TFLite alone.")
    if to == "onnx" and select_tf_ops:
        raise ArgumentError("select_tf_ops", "False for ONNX", "True", "It is of TFLite alone.")
    if quantize not in TOLERANCES:
        known = ", ".join(key for key in TOLERANCES if key)
        raise ArgumentError("quantize", known, repr(quantize), "Name one of them.")


def _require_calibration(part, samples):
    """Raises unless something says the ranges of activations."""
    has_ranges = any(node.op.startswith("FakeQuant") for node in part.graph_def.node)
    if samples is None and not has_ranges:
        raise ArgumentError(
            "samples",
            "inputs as the model will see them, to calibrate int8",
            "none, and no FakeQuant ops in the graph",
            "Pass {input: array} (--samples data.npz).",
        )


def _require_tf2(tf):
    if tf.__version__.startswith("1."):
        raise UnsupportedVersionError(
            "graphs.convert",
            "TensorFlow 2",
            f"TensorFlow {tf.__version__}",
            "Call it under TF 2: it reads the files that TF 1.15 wrote.",
        )


def _require_no_tables(part):
    if part.initializers:
        raise GraphExportError(
            part.place,
            "a graph without tables, which no model file fills",
            "tables that these ops fill: " + ", ".join(part.initializers[:4]),
            "Cut the graph behind them: name the tensor of the ids in --inputs.",
        )
