"""Frozen parts as TFLite models, by TensorFlow's converter, and their runs in its interpreter."""

import os
import re
import tempfile
import warnings

import numpy as np

from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.formats import (
    element_sizes,
    lacking_ops,
    partitioned_lookups,
    tensor_arrays,
    unused_results,
)

#: An op in the messages of the converter: its type, and its name (with that of a function).
_LOCATION = re.compile(r'(?:loc|callsite)\(\w*\[?"(?P<op>\w+):", "(?P<name>[^"]+)"')
#: An op and the types of its inputs and outputs there.
_TYPES = re.compile(r"\btf\.(?P<op>\w+)\((?P<types>[^\n]*)")
_DTYPE = re.compile(r"tensor<(?:[\d?*]+x)*(?P<dtype>\w+)>")
#: {dtype in those messages: in Python}; those of others are shown as they are.
_DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
_DTYPES.update({"i1": "bool", "ui8": "uint8", "i8": "int8", "i16": "int16"})
_DTYPES.update({"i32": "int32", "i64": "int64", "ui16": "uint16", "ui32": "uint32"})
#: That which TFLite has every op of.
_USUAL = {"float32", "int32", "bool"}
_MOST_SAMPLES = 100
#: What runs ops of TensorFlow in TFLite. The interpreter in the packages of TF 2.21 has none.
_FLEX = "Flex delegate"


def converted(part, quantize, select_tf_ops=False, calibrates=True):
    """Returns the TFLite model of a `FrozenPart`.

    Args:
      quantize, select_tf_ops: as in `conversion.convert`.
      calibrates: whether the inputs of the comparison say the ranges for int8; else the graph does.

    Raises:
      GraphExportError: TFLite has no form for an op.
    """
    graph_def = type(part.graph_def)()
    graph_def.CopyFrom(part.graph_def)
    tensors = [*part.inputs.values(), *part.outputs.values()]
    fetched = [tensor.split(":")[0] for tensor in tensors]
    unused_results.remove(graph_def, fetched)
    element_sizes.fix(graph_def, part)
    partitioned_lookups.rewrite(graph_def, fetched)
    lacking_ops.expand(graph_def, is_exact=quantize is None)
    tensor_arrays.to_lists(graph_def, fetched, part.place)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frozen.pb")
        with open(path, "wb") as file:
            file.write(graph_def.SerializeToString())
        shapes = {
            _array_name(part.inputs[name]): None if shape is None else list(shape)
            for name, (_, shape) in part.described().items()
        }
        try:
            converter = part.tf.compat.v1.lite.TFLiteConverter.from_frozen_graph(
                path,
                list(map(_array_name, part.inputs.values())),
                list(map(_array_name, part.outputs.values())),
                shapes,
            )
            _set_options(part, converter, quantize, select_tf_ops, calibrates)
            return converter.convert()
        except Exception as error:  # ConverterError, or whatever a pass stumbles over
            raise _refused(part, error, select_tf_ops) from error


def _array_name(tensor):
    return tensor[:-2] if tensor.endswith(":0") else tensor


def _set_options(part, converter, quantize, select_tf_ops, calibrates):
    lite = part.tf.lite
    if select_tf_ops:
        converter.target_spec.supported_ops = [
            lite.OpsSet.TFLITE_BUILTINS,
            lite.OpsSet.SELECT_TF_OPS,
        ]
    if quantize == "int8" and not calibrates:
        _take_ranges_of_graph(part, converter)
    elif quantize:
        converter.optimizations = [lite.Optimize.DEFAULT]
    if quantize == "float16":
        converter.target_spec.supported_types = [part.tf.float16]
    if quantize == "int8" and calibrates:
        converter.representative_dataset = lambda: _samples(part)


def _take_ranges_of_graph(part, converter):
    """Makes a converter compute in the integers that the FakeQuant ops of a graph stand for."""
    converter.inference_type = part.tf.int8
    converter.inference_input_type = converter.inference_output_type = part.tf.float32
    # It asks for them; an input has those of the FakeQuant behind it.
    converter.quantized_input_stats = {
        _array_name(tensor): (0.0, 1.0) for tensor in part.inputs.values()
    }


def _samples(part):
    """Yields lists of arrays, one sample each, in the order of the inputs."""
    count = 0
    shapes = {name: shape for name, (_, shape) in part.described().items()}
    for run in part.comparisons[0].runs:
        is_one = any(shape and shape[0] is not None for shape in shapes.values())
        rows = 1 if is_one else max(len(array) for array in run.values() if array.ndim)
        for row in range(rows):
            if count == _MOST_SAMPLES:
                return
            count += 1
            yield [
                run[name] if is_one or not run[name].ndim else run[name][row : row + 1]
                for name in part.inputs
            ]


def _refused(part, error, has_tf_ops):
    text = str(error)
    types = {match.group("op"): _dtypes(match.group("types")) for match in _TYPES.finditer(text)}
    ops = list(
        dict.fromkeys(
            "{} ({}){}".format(
                match.group("name").split("@")[0],
                match.group("op"),
                types.get(match.group("op"), ""),
            )
            for match in _LOCATION.finditer(text)
        )
    )
    return GraphExportError(
        part.place,
        "ops that TFLite has",
        "; ".join(ops[:6]) or text.strip().split("\n")[0].rstrip("."),
        "Fix the sizes of the inputs, on which those of lists depend: --shape x=1,224,224,3."
        if any("TensorList" in op for op in ops)
        else "Cut them off with --inputs or other --outputs, or try {}--to onnx.".format(
            "" if has_tf_ops else "--select-tf-ops or "
        ),
    )


def _dtypes(types):
    """Returns, in words, the dtypes that may be why TFLite lacks an op; "" if they are usual."""
    names = (match.group("dtype") for match in _DTYPE.finditer(types))
    unusual = dict.fromkeys(_DTYPES.get(name, name) for name in names)
    unusual = [name for name in unusual if name not in _USUAL]
    return f" of {', '.join(unusual)}" if unusual else ""


class TfliteRuns:
    """Runs of a TFLite model.

    Args:
      part: the `FrozenPart`.
      data: the model.
      options: of the interpreter.

    Raises:
      GraphExportError: the interpreter does not load it, or fails in a run.
    """

    def __init__(self, part, data, **options):
        self._part = part
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that it moves to another package
            self._interpreter = self._call(part.tf.lite.Interpreter, model_content=data, **options)
        details = {row["name"].split(":")[0]: row for row in self._interpreter.get_input_details()}
        self._inputs = {
            name: details[tensor.split(":")[0]]
            for name, tensor in part.inputs.items()
            if tensor.split(":")[0] in details
        }
        self._outputs = self._interpreter.get_output_details()

    def __call__(self, arrays):
        """Returns {name: array} of the outputs."""
        interpreter = self._interpreter
        for name, row in self._inputs.items():
            if tuple(row["shape"]) != arrays[name].shape:
                self._call(interpreter.resize_tensor_input, row["index"], arrays[name].shape)
        self._call(interpreter.allocate_tensors)
        for name, row in self._inputs.items():
            self._call(interpreter.set_tensor, row["index"], np.array(arrays[name], order="C"))
        self._call(interpreter.invoke)
        values = [self._call(interpreter.get_tensor, row["index"]) for row in self._outputs]
        return dict(zip(self._part.outputs, values))

    def value(self, index):
        """Returns the array of a tensor after a run."""
        return self._call(self._interpreter.get_tensor, index)

    def indices(self):
        """Returns {name: index} of all tensors."""
        return {row["name"]: row["index"] for row in self._interpreter.get_tensor_details()}

    def _call(self, function, *arguments, **named):
        try:
            return function(*arguments, **named)
        except (ValueError, RuntimeError) as error:
            if _FLEX in str(error):
                raise _without_flex(self._part) from error
            raise GraphExportError(
                self._part.place,
                "a model that the TFLite interpreter runs",
                " ".join(str(error).split())[:400].rstrip("."),
                "Fix the sizes of the inputs: --shape x=1,224,224,3.",
            ) from error


def _without_flex(part):
    return GraphExportError(
        part.place,
        "an interpreter with the Flex delegate, to compare the model with its graph",
        f"that of TensorFlow {part.tf.__version__}, which has none",
        "Convert it under a TensorFlow that has one, such as 2.15: tf.lite.Interpreter runs its "
        "ops there.",
    )


class TfliteTensors:
    """Values of the tensors inside a TFLite model that have the name of an op of its graph.

    One that stands for several ops has the names of all, and is none of them.

    Attributes:
      ops: {name of the op: None}.
    """

    def __init__(self, part, data):
        self._runs = TfliteRuns(part, data, experimental_preserve_all_tensors=True)
        self._indices = self._runs.indices()
        self.ops = {node.name: None for node in part.graph_def.node if node.name in self._indices}

    def __call__(self, names, arrays):
        """Returns {name: array} of ops."""
        self._runs(arrays)
        return {name: self._runs.value(self._indices[name]) for name in names}
