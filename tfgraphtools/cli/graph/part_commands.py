"""`graph extract` and `graph convert`: parts of graphs as files that compute the same."""

import argparse
import json
import os
import sys
from typing import Any, Dict, List, Optional, Sequence

from tfgraphtools import files
from tfgraphtools.cli import _tables, _wording
from tfgraphtools.errors import DifferentOutputsError, UsageError


def add_subcommands(subparsers: Any) -> None:
    """Adds both subcommands to the parser."""
    extract = subparsers.add_parser(
        "extract",
        help="write the part between tensors as a frozen graph",
        description="Write the part of a graph between tensors as a GraphDef with constants, for "
        "inference, and compare it with the original on the same inputs.",
    )
    _add_common(extract, "the .pb to write")
    extract.add_argument(
        "--fold", action="store_true", help="fold batch normalizations into the weights before them"
    )
    extract.set_defaults(subcommand=_extract)
    convert = subparsers.add_parser(
        "convert",
        help="convert to ONNX or TFLite",
        description="Convert a graph to ONNX or TFLite, and compare the model with the original on "
        "the same inputs.",
    )
    _add_common(convert, "the model to write")
    convert.add_argument("--to", required=True, choices=["onnx", "tflite"], help="the format")
    convert.add_argument("--opset", type=int, metavar="N", help="of ONNX")
    convert.add_argument(
        "--quantize",
        choices=["dynamic", "float16", "int8"],
        help="of TFLite; int8 is calibrated with --samples",
    )
    convert.add_argument(
        "--select-tf-ops",
        action="store_true",
        help="of TFLite: write ops that it lacks as TensorFlow's, for the Flex delegate",
    )
    convert.set_defaults(subcommand=_convert)


def _add_common(parser, out):
    parser.add_argument("file", metavar="FILE", help="a graph, as 'graph show' reads it")
    parser.add_argument("--out", required=True, metavar="PATH", help=out)
    add_tensors(parser)
    parser.add_argument(
        "--shape",
        action="append",
        metavar="INPUT=SIZES",
        help="sizes of an input, ? for any: x=?,224,224,3",
    )
    parser.add_argument(
        "--set",
        action="append",
        dest="constants",
        metavar="PLACEHOLDER=VALUE",
        help="make a placeholder a constant, and take out what it does not choose: "
        "is_training=false, keep_prob=1.0",
    )
    parser.add_argument(
        "--rename", action="append", metavar="OLD=NEW", help="a new name for an input or output"
    )
    parser.add_argument(
        "--checkpoint", metavar="PATH", help="of the variables (default: the one beside FILE)"
    )
    parser.add_argument("--tags", metavar="TAGS", help="of a SavedModel's graph")
    parser.add_argument(
        "--keep-training", action="store_true", help="leave a training graph as it is"
    )
    parser.add_argument(
        "--samples", metavar="NPZ", help="arrays to compare with, by input (default: random ones)"
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="SHARE",
        help="the largest difference, of the largest value of an output (default: 1e-5; quantized: "
        "more)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite PATH")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_tensors(parser: Any) -> None:
    """Adds the options that name outputs and inputs."""
    parser.add_argument(
        "--outputs",
        nargs="+",
        metavar="NAME",
        help="tensors or ops (default: those of the file's signature)",
    )
    parser.add_argument(
        "--inputs",
        nargs="+",
        metavar="NAME",
        help="input tensors; the graph is cut there (default: the placeholders)",
    )


def _extract(arguments):
    from tfgraphtools import graphs

    return _written(arguments, graphs.extract, {"fold": arguments.fold})


def _convert(arguments):
    from tfgraphtools import graphs

    own = {name: getattr(arguments, name) for name in ("to", "opset", "quantize", "select_tf_ops")}
    return _written(arguments, graphs.convert, own)


def compute_exactly() -> None:
    """Disables oneDNN, which is less exact, unless TensorFlow is there or the user chose."""
    if "tensorflow" not in sys.modules:  # which reads it once
        os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def _written(arguments, write, options):
    compute_exactly()
    options.update(_common(arguments))
    read = [arguments.file, arguments.checkpoint, arguments.samples]
    files.require_no_input("--out", arguments.out, [path for path in read if path])
    try:
        result = write(arguments.file, arguments.out, **options)
    except DifferentOutputsError as error:
        _print_differences(arguments, error.differences, None)
        message = _wording.as_options(str(error), arguments.parser)
        print(f"tfgraphtools: {message}", file=sys.stderr)
        return 1
    for change in result.changes:
        print("note: " + _tables.printable(change), file=sys.stderr)
    for name in getattr(result, "initializers", ()):
        print("note: run this op once after importing the graph: " + name, file=sys.stderr)
    _print_differences(arguments, result.differences, result)
    return 0


def _print_differences(arguments, differences, result):
    if arguments.json:
        printed: Dict[str, Any] = {"differences": [row._asdict() for row in differences]}
        if result is not None:
            printed.update((key, getattr(result, key)) for key in ("path", "inputs", "outputs"))
            printed["changes"] = list(result.changes)
            printed["ranges"] = result.ranges
        _tables.print_json(printed)
        return
    lines = difference_lines(differences)
    if result is not None:
        from tfgraphtools.graphs.converting import origins

        ranges = [f"{name} {origins.in_words(row)}" for name, row in result.ranges.items()]
        if ranges:
            lines.append(_tables.printable("compared on " + ", ".join(ranges)))
        names = " -> ".join(", ".join(tensors) for tensors in (result.inputs, result.outputs))
        lines.append(_tables.printable(f"wrote {result.path}: {names}"))
    sys.stdout.write("".join(line + "\n" for line in lines))


def difference_lines(differences: Sequence[Any]) -> List[str]:
    """Returns the table of the differences of outputs."""
    rows = [
        [row.name, f"{row.difference:.2g}", f"{row.largest:.3g}", f"{row.relative:.2g}"]
        for row in differences
    ]
    headers = ["output", "difference", "largest value", "relative"]
    return _tables.table(headers, rows, _tables.terminal_width(), right=[1, 2, 3])


def options_of_part(arguments: argparse.Namespace) -> Dict[str, Any]:
    """Returns the arguments that every command on a part of a graph has."""
    return {
        "outputs": names_of(arguments.outputs),
        "inputs": names_of(arguments.inputs),
        "checkpoint": arguments.checkpoint,
        "constants": {key: _value(text) for key, text in _pairs("--set", arguments.constants)},
        "samples": samples_of(arguments.samples),
        "tags": None if arguments.tags is None else names_of([arguments.tags]),
    }


def _common(arguments: argparse.Namespace) -> Dict[str, Any]:
    """Returns the arguments that `graphs.extract` and `graphs.convert` share."""
    options = {
        **options_of_part(arguments),
        "shapes": {key: _sizes(key, text) for key, text in _pairs("--shape", arguments.shape)},
        "rename": dict(_pairs("--rename", arguments.rename)),
        "keep_training": arguments.keep_training,
        "overwrite": arguments.force,
    }
    if arguments.tolerance is not None:
        options["tolerance"] = arguments.tolerance
    return options


def names_of(words: Optional[Sequence[str]]) -> Optional[Sequence[str]]:
    """Returns the names of ``a b`` and of ``a,b``, or None."""
    return words and [name for word in words for name in word.split(",") if name]


def _pairs(option, texts):
    for text in texts or ():
        key, sign, value = text.partition("=")
        if not (key and sign and value):
            raise UsageError(option, "NAME=VALUE", repr(text), f"For example: {option} x=...")
        yield key, value


def _value(text):
    """Returns what a text is in JSON, such as false, 0.5 or [1, 2]; else the text."""
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except ValueError:
        return text


def _sizes(key, text):
    try:
        sizes = [None if size == "?" else int(size) for size in text.split(",")]
        if any(size is not None and size < 0 for size in sizes):
            raise ValueError
    except ValueError:
        got = f"{key}={text}"
        raise UsageError("--shape", "sizes, ? for any", got, "As in x=?,224,224,3.") from None
    return sizes


def samples_of(path: Optional[str]) -> Optional[Dict[str, Any]]:
    """Returns the arrays of a .npz, or None."""
    if path is None:
        return None
    import zipfile

    import numpy as np

    try:
        with open(path, "rb") as file:
            if not zipfile.is_zipfile(file):
                raise ValueError("no archive of numpy.savez, or one that is cut short")
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise UsageError(
            "--samples", "a .npz of arrays", f"{path}: {error}", "Write it with numpy.savez."
        ) from error
