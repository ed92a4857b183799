"""`ckpt convert --to object|tf1`: checkpoints that TensorFlow reads."""

import argparse

from tfgraphtools import checkpoints
from tfgraphtools.cli.ckpt import checkpoint_sources, maps, plans, training_options
from tfgraphtools.cli.ckpt.maps import rules_of
from tfgraphtools.errors import UsageError


def to_object(arguments: argparse.Namespace) -> int:
    """Writes an object-based checkpoint of TF 2."""
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
            rules=rules_of(arguments),
            like=arguments.like,
            drop=arguments.drop or (),
            keep=arguments.keep or (),
            hyper=training_options.hyper(arguments),
            kind=arguments.kind,
            names=training_options.optimizer_names(arguments),
            steps=arguments.steps,
            drop_optimizer=arguments.drop_optimizer,
            graph=arguments.meta,
            sparse_gradients=training_options.sparse_gradients(arguments),
            use_ema=checkpoint_sources.averages_asked_for(arguments),
        )

    return _write_plan(arguments, make)


def to_tf1(arguments: argparse.Namespace) -> int:
    """Writes a name-based checkpoint, as TF 1's Saver does."""
    if arguments.like:
        return _backto_tf1(arguments)
    for name in ("resize", "cast"):
        if getattr(arguments, name):
            raise UsageError(
                f"ckpt convert --to tf1 --{name}",
                "--like, the checkpoint of the TF 1 model",
                "none",
                "Add --like; a checkpoint of TF 1 is cast by ckpt cast.",
            )

    def make(ckpt):
        if ckpt.object_graph is None and (ckpt.format not in ("V1", "V2") or _is_other(arguments)):
            return checkpoints.plan(
                checkpoint_sources.averaged(ckpt, arguments),
                rename=rules_of(arguments) or (),
                drop=arguments.drop or (),
            )
        plan = checkpoints.plan_name_based(
            ckpt,
            rules=rules_of(arguments),
            drop=arguments.drop or (),
            hyper=training_options.hyper(arguments),
            drop_optimizer=arguments.drop_optimizer,
            names=training_options.optimizer_names(arguments),
        )
        if checkpoint_sources.averages_asked_for(arguments):
            return checkpoints.plan(checkpoint_sources.averaged(plan.view(), arguments))
        return plan

    return _write_plan(arguments, make)


def _is_other(arguments):
    """Tells whether a name-based checkpoint would be written with other names or values."""
    return bool(arguments.rule or arguments.map or checkpoint_sources.averages_asked_for(arguments))


def _backto_tf1(arguments):
    """Converts back from `--to torch`, `keras`, `hf` and `timm`, with a TF 1 --like."""
    options = {
        "rules": rules_of(arguments),
        "keep": arguments.keep,
        "forget_bias": training_options.forget_bias(arguments),
        "facts": training_options.facts(arguments),
        "flatten": training_options.flatten(arguments.flatten),
        "unflatten": training_options.flatten(arguments.unflatten, "--unflatten"),
        "graph": arguments.meta,
        "resize": maps.rows(arguments.resize),
        "cast": maps.by_pattern(arguments.cast or (), "--cast"),
    }
    options = {name: value for name, value in options.items() if value or value == 0.0}
    use_ema = checkpoint_sources.averages_asked_for(arguments)
    if use_ema:
        options["use_ema"] = use_ema

    def make(ckpt):
        return checkpoints.plan_tf1(arguments.source, ckpt, drop=arguments.drop or (), **options)

    return _write_plan(arguments, make, arguments.like)


def _write_plan(arguments, make, source=None):
    """Shows every tensor and where it goes, and then writes it."""
    written_map = maps.claim_map("--write-map", arguments)
    with checkpoint_sources.opened(source or arguments.source) as ckpt:
        plan = make(ckpt)
        if not arguments.json and not arguments.dry_run:
            plans.show_plan(arguments, plan)
        code = plans.finish(arguments, plan, arguments.destination)
        has_model = arguments.like or arguments.to == "object"
        if has_model and not arguments.json and not arguments.dry_run:
            print(
                "check: no model was run, as a checkpoint has no code: graphs.check_model compares "
                "the graph of a .meta with a model that has restored it"
            )
        if written_map:
            maps.write_map(checkpoints.map_of(plan), written_map)
        return code
