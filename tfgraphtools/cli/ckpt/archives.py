"""`ckpt convert --to npz|safetensors|saved_model|frozen`."""

import argparse
import re
from typing import Any

from tfgraphtools import checkpoints
from tfgraphtools.cli import _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.cli.ckpt import checkpoint_sources, maps
from tfgraphtools.errors import UsageError

#: The options that began with these formats: see `formats.OPTIONS`.
OPTIONS = {
    "cast": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "DTYPE"),
        "help": "for example 'dense/.*' float16",
    },
    "transpose": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "AXES"),
        "help": "for example 'dense/kernel' 1,0",
    },
    "compress": {
        "action": "store_true",
        "help": "compress the arrays (slow; weights hardly shrink)",
    },
    "meta": {"metavar": "FILE", "help": "the .meta file of the graph, if it is not beside SOURCE"},
    "keep-training": {
        "action": "store_true",
        "help": "export a training graph unchanged (default: convert it for inference)",
    },
    "outputs": {"nargs": "+", "metavar": "NAME", "help": "output ops or tensors"},
    "inputs": {
        "nargs": "+",
        "metavar": "NAME",
        "help": "input tensors; the graph is cut there (default: the placeholders)",
    },
    "signature": {"metavar": "KEY", "help": "the key of the signature (default: serving_default)"},
}


def to_npz(arguments: argparse.Namespace) -> int:
    """Writes an .npz file, and shows what is in it."""
    return _archive(arguments, checkpoints.to_npz, {"compress": arguments.compress})


def to_safetensors(arguments: argparse.Namespace) -> int:
    """Writes a .safetensors file, and shows what is in it."""
    options = {"max_shard_size": maps.shard_size(arguments)}
    return _archive(arguments, checkpoints.to_safetensors, options)


def planned(ckpt: Any, arguments: argparse.Namespace) -> Any:
    """Returns the checkpoint after the rules of the command line, without writing it."""
    rules = maps.arguments_of(arguments, "ckpt convert")
    if arguments.drop:
        maps.add_patterns(rules, "drop", arguments.drop)
    if arguments.cast:
        maps.add_entries(rules, "cast", maps.by_pattern(arguments.cast, "--cast"), "--cast")
    if arguments.transpose:
        maps.add_entries(rules, "transpose", maps.axes(arguments.transpose), "--transpose")
    use_ema = checkpoint_sources.averages_asked_for(arguments)
    if use_ema:
        from tfgraphtools.checkpoints.plans import moving_averages

        averages = checkpoints.averages_of(ckpt, use_ema)
        aliases = {average: variable for variable, average in averages.items()}
        maps.add_entries(rules, "alias", aliases, "--use-ema")
        shapes = {name: ckpt.store.summary(name)[1] for name in ckpt}
        dropped = [*averages.values(), *moving_averages.others(shapes, averages)]
        maps.add_patterns(rules, "drop", [re.escape(name) for name in dropped])
    return checkpoints.plan(ckpt, **rules).view() if rules else ckpt


def _archive(arguments, write, options):
    if arguments.dry_run:
        return _preview(arguments)
    with checkpoint_sources.opened(arguments.source) as ckpt:
        written = write(
            planned(ckpt, arguments),
            arguments.destination,
            overwrite=arguments.force,
            progress=_tables.progress("write"),
            **options,
        )
    if arguments.json:
        print_json(written._asdict())
        return 0
    rows = [[name, words] for name, words in written.encoded.items()]
    for line in _tables.table(["name", "stored as"], rows, _tables.terminal_width()):
        print(line)
    print(
        "{}: {}, {}{}".format(
            written.path,
            _tables.counted(written.tensors, "tensor"),
            _tables.size(written.bytes),
            f", {len(rows)} of them explained by the manifest" if rows else "",
        )
    )
    return 0


def _preview(arguments):
    """Shows every tensor of the archive to be."""
    from tfgraphtools.checkpoints.archives.archive_exports import preview

    with checkpoint_sources.opened(arguments.source) as ckpt:
        entries = preview(planned(ckpt, arguments), arguments.to)
    if arguments.json:
        print_json([row._asdict() for row in entries])
        return 0
    rows = [[row.name, row.dtype, str(list(row.shape)), row.words] for row in entries]
    for line in _tables.table(
        ["name", "dtype", "shape", "stored as"], rows, _tables.terminal_width()
    ):
        print(line)
    return 0


def to_saved_model(arguments: argparse.Namespace) -> int:
    """Writes a SavedModel of a graph and its checkpoint."""
    return _graph(arguments, checkpoints.to_saved_model, {"signature": arguments.signature})


def to_frozen(arguments: argparse.Namespace) -> int:
    """Writes a graph whose variables are constants."""
    return _graph(arguments, checkpoints.to_frozen, {})


def _graph(arguments, write, options):
    place = f"ckpt convert --to {arguments.to}"
    if not arguments.outputs:
        raise UsageError(
            place,
            "--outputs, the ops or tensors to compute",
            "none",
            "Add --outputs and the name of the result's op.",
        )
    if arguments.dry_run:
        raise UsageError(place, "no --dry-run", "one", "Omit it: nothing is replaced.")
    with checkpoint_sources.opened(arguments.source) as ckpt:
        written = write(
            checkpoint_sources.averaged(ckpt, arguments),
            arguments.meta,
            arguments.destination,
            arguments.outputs,
            arguments.inputs,
            overwrite=arguments.force,
            keep_training=arguments.keep_training,
            **{key: value for key, value in options.items() if value},
        )
    if arguments.json:
        print_json(written._asdict())
        return 0
    rows = [["input", name, tensor] for name, tensor in written.inputs.items()]
    rows += [["output", name, tensor] for name, tensor in written.outputs.items()]
    rows += [["run once", name, ""] for name in written.initializers if arguments.to == "frozen"]
    for line in _tables.table(["", "name", "tensor"], rows, _tables.terminal_width()):
        print(line)
    nodes, variables = (
        _tables.counted(written.nodes, "node"),
        _tables.counted(written.variables, "variable"),
    )
    for change in written.changes:
        print(f"note: {change}")
    print(f"{written.path}: {nodes}, {variables}")
    return 0
