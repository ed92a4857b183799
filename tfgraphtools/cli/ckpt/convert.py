"""`ckpt convert --to FORMAT`: a checkpoint in another format; one row of a table for each.

A format is a function of the parsed arguments that returns the exit code, and the options that
it takes. An option may belong to several formats; one that does not belong to the format asked
for is an error, not ignored.
"""

import argparse
import collections
import sys
from typing import Any, Callable, Optional

from tfgraphtools import checkpoints
from tfgraphtools.cli.ckpt import archives, families, keras, plans, sources, torch
from tfgraphtools.errors import UsageError

#: ``help``: one line; ``run``: function of the arguments; ``options``: keys of `OPTIONS`.
Format = collections.namedtuple("Format", "help run options")

#: The options that belong to some formats only: {name: what argparse's add_argument takes}.
OPTIONS = {
    "map": {"metavar": "FILE", "help": "JSON: {name: new name}, or [[pattern, new name], ...]"},
    "rule": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "NEW"),
        "help": r"for example 'net/(.*)' 'model/\1'; rules apply in order",
    },
    "like": {
        "metavar": "CKPT",
        "help": "an object-based checkpoint of the new model, or a .safetensors or .pt file; "
        "--to tf1: the TF 1 checkpoint of the model that SOURCE was converted from",
    },
    "drop": {"action": "append", "metavar": "PATTERN", "help": "drop these tensors"},
    "keep": {
        "action": "append",
        "metavar": "PATTERN",
        "help": "what keeps its value: objects of --like, weights of --model",
    },
    "hyper": {
        "action": "append",
        "metavar": "NAME=VALUE",
        "help": "a hyperparameter of the TF 1 optimizer, for example learning_rate=0.1",
    },
    "kind": {
        "metavar": "KIND",
        "help": "the optimizer of a checkpoint without slots, for example GradientDescent",
    },
    "steps": {
        "type": int,
        "metavar": "N",
        "help": "the number of training steps, if the checkpoint does not contain it",
    },
    "drop-optimizer": {"action": "store_true", "help": "do not convert the optimizer's state"},
    "sparse-gradients": {
        "action": "append",
        "metavar": "PATTERN",
        "help": "variables with sparse gradients, if no .meta says it; none: accept that Keras 3 "
        "treats them in another way",
    },
    "write-map": {
        "metavar": "FILE",
        "help": "write the new name of every tensor, for ckpt verify --against",
    },
    "compact": {
        "action": "store_true",
        "help": "rewrite the data files without unused bytes",
    },
    "copy": {
        "action": "store_true",
        "help": "copy unchanged shards instead of hard-linking them",
    },
}
OPTIONS.update(archives.OPTIONS)
OPTIONS.update(keras.OPTIONS)
OPTIONS.update(torch.OPTIONS)
OPTIONS.update(families.OPTIONS)


def _to_object(arguments):
    if not (arguments.rule or arguments.map or arguments.like):
        raise UsageError(
            "ckpt convert --to object",
            "--rule, --map or --like",
            "none of them",
            r"To keep every name: --rule '(.*)' '\1'.",
        )

    def make(ckpt):
        return checkpoints.plan_object_based(
            ckpt,
            rules=_rules(arguments),
            like=arguments.like,
            drop=arguments.drop or (),
            keep=arguments.keep or (),
            hyper=_hyper(arguments),
            kind=arguments.kind,
            steps=arguments.steps,
            drop_optimizer=arguments.drop_optimizer,
            graph=arguments.meta,
            sparse_gradients=keras.sparse_gradients(arguments),
        )

    return write_plan(arguments, make)


def _to_tf1(arguments):
    if arguments.like:
        return _back_to_tf1(arguments)

    def make(ckpt):
        if ckpt.format not in ("V1", "V2"):
            return checkpoints.plan(ckpt, rename=_rules(arguments) or (), drop=arguments.drop or ())
        return checkpoints.plan_name_based(
            ckpt,
            rules=_rules(arguments),
            drop=arguments.drop or (),
            hyper=_hyper(arguments),
            drop_optimizer=arguments.drop_optimizer,
        )

    return write_plan(arguments, make)


def _back_to_tf1(arguments):
    """The way back of `--to torch`, `keras`, `hf` and `timm`; --like is the TF 1 checkpoint."""
    if arguments.source.endswith((".keras", ".h5")):
        keras.load_quietly()
    given = {
        "rules": _rules(arguments),
        "keep": arguments.keep,
        "forget_bias": arguments.forget_bias,
        "flatten": torch.flatten(arguments.flatten),
    }
    given = {name: value for name, value in given.items() if value}

    def make(ckpt):
        return checkpoints.plan_tf1(arguments.source, ckpt, drop=arguments.drop or (), **given)

    return write_plan(arguments, make, arguments.like)


def _to_keras(arguments):
    given = [
        name for name in FORMATS["keras"].options if getattr(arguments, name.replace("-", "_"))
    ]
    if given:
        return keras.run(arguments, _rules(arguments))
    with sources.opened(arguments.source) as ckpt:
        known = checkpoints.models_of(ckpt)
    if known is None or "keras" not in known[1]:
        return keras.run(arguments, None)  # which asks for --model
    keras.load_quietly()
    return families.to_application(arguments)


FORMATS = {
    "object": Format(
        "an object-based checkpoint of TF 2",
        _to_object,
        [
            "map",
            "rule",
            "like",
            "drop",
            "keep",
            "hyper",
            "kind",
            "steps",
            "drop-optimizer",
            "meta",
            "sparse-gradients",
            "write-map",
            "compact",
            "copy",
        ],
    ),
    "tf1": Format(
        "a name-based checkpoint, as TF 1's Saver writes it",
        _to_tf1,
        [
            "map",
            "rule",
            "drop",
            "hyper",
            "drop-optimizer",
            "write-map",
            "compact",
            "copy",
            "like",
            "keep",
            "forget-bias",
            "flatten",
        ],
    ),
    "npz": Format(
        "arrays that np.load reads",
        archives.to_npz,
        ["compress", "map", "rule", "drop", "transpose", "cast", "use-ema"],
    ),
    "safetensors": Format(
        "one safetensors file",
        archives.to_safetensors,
        ["map", "rule", "drop", "transpose", "cast", "use-ema"],
    ),
    "saved_model": Format(
        "a SavedModel of a .meta and a checkpoint",
        archives.to_saved_model,
        ["meta", "outputs", "inputs", "signature", "keep-training"],
    ),
    "frozen": Format(
        "a GraphDef with constants for variables",
        archives.to_frozen,
        ["meta", "outputs", "inputs", "keep-training"],
    ),
    "keras": Format(
        "the weights of a Keras model, as .keras or .weights.h5; without --model a known family's",
        lambda arguments: _to_keras(arguments),
        [
            "model",
            "map",
            "rule",
            "drop",
            "keep",
            "forget-bias",
            "steps",
            "drop-optimizer",
            "meta",
            "sparse-gradients",
        ],
    ),
    "hf": Format(
        "a folder for Hugging Face Transformers, of a known family: BERT, ALBERT, ELECTRA, GPT-2, "
        "T5, XLNet",
        families.to_hugging_face,
        ["config", "max-shard-size"],
    ),
    "timm": Format(
        "a folder for timm, of a known family: VGG, MobileNet, Inception v4, Inception-ResNet v2",
        families.to_timm,
        [],
    ),
    "torch": Format(
        "a PyTorch state dict, as .safetensors or .pt",
        lambda arguments: torch.run(arguments, _rules(arguments)),
        [
            "model",
            "like",
            "map",
            "rule",
            "drop",
            "keep",
            "forget-bias",
            "flatten",
            "use-ema",
            "drop-optimizer",
        ],
    ),
}


def write_plan(
    arguments: argparse.Namespace, make: Callable[..., Any], source: Optional[str] = None
) -> int:
    """Shows every tensor and where it goes, and then writes it."""
    with sources.opened(source or arguments.source) as ckpt:
        plan = make(ckpt)
        if not arguments.json and not arguments.dry_run:
            plans.show_plan(arguments, plan)
        code = plans.finish(arguments, plan, arguments.destination)
        if arguments.write_map:
            import json

            with open(arguments.write_map, "w", encoding="utf-8") as file:
                json.dump(checkpoints.map_of(plan), file, indent=2, sort_keys=True)
                file.write("\n")
        return code


def _rules(arguments):
    """What --map or --rule says, or None."""
    if arguments.map and arguments.rule:
        raise UsageError("ckpt convert", "--rule or --map", "both", "Put the rules into the map.")
    if arguments.rule:
        return [tuple(rule) for rule in arguments.rule]
    if not arguments.map:
        return None
    from tfgraphtools.cli.ckpt.maps import read_map

    given = read_map(arguments.map)
    if list(given) != ["rename"]:
        raise UsageError(
            arguments.map, "names or rules alone", ", ".join(given), "Do the rest by ckpt rename."
        )
    return given["rename"]


def _hyper(arguments):
    """{name: value} of --hyper name=value; a value is a number, True or False."""
    found = {}
    for text in arguments.hyper or ():
        name, _, value = text.partition("=")
        try:
            found[name] = value == "True" if value in ("True", "False") else float(value)
        except ValueError:
            raise UsageError(
                "--hyper", "NAME=NUMBER", repr(text), "Write --hyper learning_rate=0.1."
            )
    return found


def add_words(words: Any) -> None:
    """Adds the word to the parser."""
    convert = words.add_parser(
        "convert",
        help="write it in another format: {}".format(", ".join(FORMATS)),
        description="Write a checkpoint in another format.",
        epilog="formats: " + "; ".join(f"{name}: {row.help}" for name, row in FORMATS.items()),
    )
    convert.add_argument("source", help="a checkpoint")
    convert.add_argument("destination", nargs="?", help="what to write")
    convert.add_argument(
        "--to", required=True, choices=list(FORMATS), metavar="FORMAT", help=", ".join(FORMATS)
    )
    convert.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would happen to every tensor; write nothing",
    )
    convert.add_argument("--force", action="store_true", help="overwrite the destination")
    convert.add_argument("--json", action="store_true", help="print JSON")
    for name, given in OPTIONS.items():
        takers = [format for format, row in FORMATS.items() if name in row.options]
        text = "{} (--to {})".format(given["help"], ", ".join(takers))
        convert.add_argument("--" + name, **dict(given, help=text))
    convert.set_defaults(word=lambda arguments: _convert(arguments, convert), in_place=False)


def _convert(arguments, parser):
    row = FORMATS[arguments.to]
    for name in OPTIONS:
        attribute = name.replace("-", "_")
        is_given = getattr(arguments, attribute) != parser.get_default(attribute)
        if is_given and name not in row.options:
            raise UsageError(
                f"ckpt convert --to {arguments.to}",
                "one of its options: {}".format(" ".join("--" + one for one in row.options)),
                "--" + name,
                "Leave it out.",
            )
    if arguments.destination is None and not arguments.dry_run:
        raise UsageError(
            "ckpt convert", "a destination", "none", "Say what to write, or add --dry-run."
        )
    from tfgraphtools.checkpoints.read import remote

    if (
        arguments.destination is None
        or arguments.dry_run
        or not remote.is_url(arguments.destination)
    ):
        return row.run(arguments)
    return _uploaded(row, arguments)


def _uploaded(row, arguments):
    """Writes to a folder of this machine, and then uploads what was written."""
    import os
    import tempfile

    url = arguments.destination.rstrip("/")
    with tempfile.TemporaryDirectory() as folder:
        arguments.destination = os.path.join(folder, url.rpartition("/")[2])
        code = row.run(arguments)
        for there in checkpoints.upload(arguments.destination, url, arguments.force):
            print(f"uploaded {there}", file=sys.stderr)
    return code
