"""`ckpt families`, and `ckpt convert --to hf`, `timm`, `keras`, `torch` for known families."""

import argparse
import sys
from typing import Any

from tfgraphtools import checkpoints
from tfgraphtools.cli import _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.cli.ckpt import archives, checkpoint_sources, maps
from tfgraphtools.errors import PlanError

#: The options of `convert --to hf`.
OPTIONS = {
    "max-shard-size": {
        "metavar": "SIZE",
        "help": "write larger models as several files with an index, for example 5GB",
    },
    "architecture": {
        "metavar": "CLASS",
        "help": "the model where the checkpoint has several, for example ElectraForMaskedLM",
    },
    "config": {
        "metavar": "FILE",
        "help": "the model's own settings (default: bert_config.json, hparams.json, ... beside it)",
    },
}


def to_hugging_face(arguments: argparse.Namespace) -> int:
    """Writes a folder for Transformers."""
    options = {"max_shard_size": maps.shard_size(arguments)}
    return _run(
        arguments,
        lambda ckpt: checkpoints.plan_hugging_face(ckpt, arguments.config, arguments.architecture),
        options,
    )


def to_timm(arguments: argparse.Namespace) -> int:
    """Writes a folder for timm."""
    return _run(arguments, checkpoints.plan_timm)


def to_state_dict(arguments: argparse.Namespace) -> int:
    """Writes the state dict of a model of a PyTorch package."""
    options = {"max_shard_size": maps.shard_size(arguments)}
    return _run(arguments, checkpoints.plan_state_dict, options)


def to_application(arguments: argparse.Namespace) -> int:
    """Writes a model of keras.applications."""
    return _run(arguments, checkpoints.plan_application)


def _run(arguments, make, options=None):
    """Shows every tensor and where it comes from, and writes unless it is a dry run."""
    with checkpoint_sources.opened(arguments.source) as ckpt:
        plan = make(archives.planned(ckpt, arguments))
        if not arguments.dry_run:
            progress = _tables.progress("write")
            plan.apply(arguments.destination, arguments.force, progress=progress, **(options or {}))
        for note in plan.notes:
            print("note: " + note, file=sys.stderr)
        if arguments.json:
            print_json(
                {
                    "family": plan.family,
                    "architecture": plan.architecture,
                    "tensors": [dict(row._asdict(), shape=list(row.shape)) for row in plan.rows()],
                    "dropped": plan.dropped,
                    "config": plan.config,
                    "notes": plan.notes,
                }
            )
            return 0
        show(plan)
        if not arguments.dry_run:
            tensors = _tables.counted(len(plan.rows()), "tensor")
            print(
                f"check: no graph was run: the outputs of {plan.family} and of {plan.architecture} "
                "are compared in docs/known_models.md; graphs.check_model compares yours"
            )
            print(f"{arguments.destination}: {plan.architecture}, {tensors}")
    return 0


def show(plan: Any) -> None:
    """Prints the plan: one row for each tensor, then what is left out."""
    rows = [
        [row.name, row.dtype, str(list(row.shape)), row.source, row.step] for row in plan.rows()
    ]
    rows += [["-", "", "", name, "dropped"] for name in plan.dropped]
    headers = ["tensor", "dtype", "shape", "from", "conversion"]
    for line in _tables.table(headers, rows, _tables.terminal_width()):
        print(line)


def _families(arguments: argparse.Namespace) -> int:
    """Prints the family of a checkpoint and its models, or exits with 1."""
    from tfgraphtools.checkpoints.families import codebases

    with checkpoint_sources.opened(arguments.source) as ckpt:
        family_and_models = checkpoints.models_of(ckpt)
        name, models = family_and_models or (None, {})
        _say_obstacle(ckpt, family_and_models)
        codebase = None if models else codebases.find(list(ckpt))
    if arguments.json:
        other = codebase and {"family": codebase.name, "models": {}, "reach": codebase.reach}
        print_json(other or family_and_models and {"family": name, "models": models})
    elif codebase is not None:
        print(f"{codebase.name}: {codebase.reach}")
    elif family_and_models is None:
        print("no known family")
    else:
        for to, model in models.items():
            print(f"{name}: {model} (--to {to})")
        if not models:
            print(f"{name}: no library has a model that computes the same")
    return 0 if family_and_models or codebase else 1


def _say_obstacle(ckpt, family_and_models):
    """Says on stderr why `convert` would refuse it, or what family it is below another scope."""
    from tfgraphtools.checkpoints.families import family_registry

    obstacle = "" if family_and_models else family_registry.hint(list(ckpt))
    if family_and_models and "hf" in family_and_models[1]:
        try:
            checkpoints.plan_hugging_face(ckpt)
        except PlanError as error:
            obstacle = f"--to hf: {error}"
    if obstacle:
        print("note: " + obstacle, file=sys.stderr)


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    families = subparsers.add_parser(
        "families",
        help="name the model family of a checkpoint: BERT, ResNet...",
        description="Name the family of models that a checkpoint is of, and its models in "
        "Transformers (--to hf), timm, keras.applications and PyTorch packages. Exit code 1: no "
        "known family.",
    )
    families.add_argument("source", help="a checkpoint")
    families.add_argument("--json", action="store_true", help="as JSON")
    families.set_defaults(subcommand=_families)
