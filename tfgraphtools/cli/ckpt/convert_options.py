"""The formats of `ckpt convert`: one row of a table for each, and the options that they take.

A format is a function of the parsed arguments that returns the exit code. An option may belong to
several formats.
"""

import collections

from tfgraphtools import checkpoints
from tfgraphtools.cli.ckpt import (
    archives,
    checkpoint_sources,
    families,
    keras,
    model_checks,
    tf_checkpoints,
    torch,
)

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
        "help": "keep these values: objects of --like, weights of --model",
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
    "optimizer": {
        "action": "append",
        "metavar": "[NAME=]KIND",
        "help": "the TF 1 optimizer where its slots do not say it, for example AdamWeightDecay, or "
        "MyAdam=Adam for one that was called MyAdam",
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
        "and PyTorch treat them in another way",
    },
    "write-draft": {
        "metavar": "FILE",
        "help": "write nothing but a map of what fits by name, order and shape, to read, correct "
        "and pass as --map",
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
OPTIONS.update(model_checks.OPTIONS)


#: The groups of the help: {title: options}.
GROUPS = {
    "names": "map rule drop keep write-map write-draft".split(),
    "the model": "model like config architecture".split(),
    "what no tensor says": "meta forget-bias fact flatten unflatten".split(),
    "values": "use-ema ema-name cast transpose resize".split(),
    "the optimizer": (
        "optimizer kind hyper steps drop-optimizer sparse-gradients write-optimizer"
    ).split(),
    "proof": "check no-check tolerance".split(),
    "graphs": "outputs inputs signature keep-training".split(),
    "files": "max-shard-size compress compact copy".split(),
}


#: The options with which a known family is converted without a model of the user's.
_OF_A_FAMILY = {"map", "rule", "drop", "cast", "use-ema", "ema-name", "max-shard-size"}


def _to_keras(arguments):
    is_known = _models_of_a_family(arguments, "keras") is not None
    return (families.to_application if is_known else keras.run)(arguments)


def _to_torch(arguments):
    is_known = "torch" in (_models_of_a_family(arguments, "torch") or ())
    return (families.to_state_dict if is_known else torch.run)(arguments)


def _models_of_a_family(arguments, to):
    """Returns {library: model} of a known family if no option names a model."""
    of_a_model = set(FORMATS[to].options) - _OF_A_FAMILY
    if any(getattr(arguments, name.replace("-", "_")) for name in of_a_model):
        return None
    with checkpoint_sources.opened(arguments.source) as ckpt:
        known = checkpoints.models_of(archives.planned(ckpt, arguments))
    return known and known[1]


#: What --to takes, in the order of the help.
FORMATS = {
    "object": Format(
        "an object-based checkpoint of TF 2",
        tf_checkpoints.to_object,
        (
            "map rule like drop keep hyper kind optimizer steps drop-optimizer meta "
            "sparse-gradients write-map compact copy use-ema ema-name"
        ).split(),
    ),
    "tf1": Format(
        "a name-based checkpoint, as TF 1's Saver writes it",
        tf_checkpoints.to_tf1,
        (
            "map rule drop hyper optimizer drop-optimizer write-map compact copy like keep cast "
            "resize forget-bias fact flatten unflatten meta use-ema ema-name"
        ).split(),
    ),
    "npz": Format(
        "arrays that np.load reads",
        archives.to_npz,
        "compress map rule drop transpose cast use-ema ema-name".split(),
    ),
    "safetensors": Format(
        "one safetensors file",
        archives.to_safetensors,
        "map rule drop transpose cast use-ema ema-name max-shard-size".split(),
    ),
    "saved_model": Format(
        "a SavedModel of a .meta and a checkpoint",
        archives.to_saved_model,
        "meta outputs inputs signature keep-training use-ema ema-name".split(),
    ),
    "frozen": Format(
        "a GraphDef with constants for variables",
        archives.to_frozen,
        "meta outputs inputs keep-training use-ema ema-name".split(),
    ),
    "keras": Format(
        "the weights of a Keras model, as .keras or .weights.h5; without --model a known family's",
        _to_keras,
        (
            "model map rule drop keep forget-bias fact flatten unflatten optimizer steps "
            "drop-optimizer meta sparse-gradients use-ema ema-name write-draft check no-check "
            "tolerance"
        ).split(),
    ),
    "hf": Format(
        "a folder for Hugging Face Transformers, of a known family: BERT, ALBERT, ELECTRA, "
        "BigBird, GPT-1, GPT-2, PEGASUS, T5, XLNet",
        families.to_hugging_face,
        "config architecture max-shard-size map rule drop cast use-ema ema-name".split(),
    ),
    "timm": Format(
        "a folder for timm, of a known family: VGG, MobileNet, EfficientNet, Inception v4, PNASNet",
        families.to_timm,
        "map rule drop use-ema ema-name".split(),
    ),
    "torch": Format(
        "a PyTorch state dict, as .safetensors or .pt; without --model a known family's: facenet",
        _to_torch,
        (
            "model like map rule drop keep transpose cast forget-bias fact flatten unflatten "
            "use-ema ema-name max-shard-size drop-optimizer write-optimizer hyper optimizer steps "
            "meta sparse-gradients write-draft check no-check tolerance"
        ).split(),
    ),
}
