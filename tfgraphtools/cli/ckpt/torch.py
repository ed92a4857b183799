"""`ckpt convert --to torch`: the state dict of a PyTorch model from a checkpoint."""

import argparse

from tfgraphtools import checkpoints, files
from tfgraphtools.cli import _tables
from tfgraphtools.cli.ckpt import checkpoint_sources, maps, model_checks, plans, training_options
from tfgraphtools.cli.ckpt.maps import rules_of
from tfgraphtools.errors import UsageError

#: The options of this format, besides those that others have too.
OPTIONS = {
    "flatten": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "H,W,C"),
        "help": "the feature map that TF 1 flattened before these dense layers, or 'no'",
    },
    "unflatten": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "H,W,C"),
        "help": "the feature map that the outputs of these dense layers become, or 'no'",
    },
    "write-optimizer": {
        "metavar": "FILE",
        "help": "also write the state_dict of the torch.optim optimizer that continues, as .pt; "
        "pass values that no checkpoint contains, such as learning_rate, with --hyper",
    },
    "use-ema": {
        "action": "store_true",
        "help": "use the moving averages instead of the weights; --to tf1 --like: write the "
        "weights as the averages of the model, too",
    },
    "resize": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "ROWS"),
        "help": "--to tf1 --like: the number of rows of tensors that grew or shrank, such as the "
        "embedding of a vocabulary",
    },
    "ema-name": {
        "metavar": "NAME",
        "help": "--use-ema of a variable that has several: their name, such as "
        "ExponentialMovingAverage_1, or a pattern of their full names",
    },
}


def run(arguments: argparse.Namespace) -> int:
    """Shows every entry and where it comes from, and writes it unless it is a dry run."""
    model = arguments.model or arguments.like
    if model is None or (arguments.model and arguments.like):
        raise UsageError(
            "ckpt convert --to torch",
            "--model or --like, which say what the state dict has",
            "both" if model else "neither",
            "Pass --model model.py:function, or --like model.safetensors.",
        )
    draft_output = maps.claim_map("--write-draft", arguments)
    if draft_output:
        return _draft(arguments, model, draft_output)
    _require_destinations(arguments)
    model_checks.require(arguments)
    with checkpoint_sources.opened(arguments.source) as ckpt:
        optimizer = None
        if arguments.write_optimizer:
            model, optimizer = _with_optimizer(arguments, ckpt)
        plan = checkpoints.plan_torch(
            ckpt,
            model,
            **_matching(arguments),
            cast=maps.by_pattern(arguments.cast or (), "--cast"),
            transpose=maps.axes(arguments.transpose),
            unflatten=training_options.flatten(arguments.unflatten, "--unflatten"),
            optimizer=optimizer,
            drop_optimizer=arguments.drop_optimizer,
            steps=arguments.steps,
            names=training_options.optimizer_names(arguments),
            facts=training_options.facts(arguments),
            sparse_gradients=training_options.sparse_gradients(arguments),
        )
        plans.show_rows(plan, "entry", "entries", arguments.json)
        if arguments.dry_run:
            return 0
        if model_checks.is_due(arguments) and _checked(arguments, ckpt, plan):
            return 1
        plan.apply(
            arguments.destination,
            arguments.force,
            progress=_tables.progress("write"),
            max_shard_size=maps.shard_size(arguments),
        )
        if optimizer is not None:
            from tfgraphtools.checkpoints.torch import torch_files

            torch_files.save(arguments.write_optimizer, optimizer.state_dict(), arguments.force)
    if not arguments.json:
        print("{}: {}".format(arguments.destination, _tables.counted(len(plan.rows()), "tensor")))
    return 0


def _checked(arguments, ckpt, plan):
    """Gives the module the values that were written, and runs it beside the graph."""
    from tfgraphtools.checkpoints.torch import torch_models

    if plan.model.module is None and arguments.check is None:
        return model_checks.run(arguments, ckpt, plan, None)
    torch = torch_models.require_torch("--check")
    state = {name: torch.from_numpy(array.copy()) for name, array in plan.arrays().items()}
    plan.model.module.load_state_dict(state)
    return model_checks.run(arguments, ckpt, plan, plan.model.module)


def _matching(arguments):
    """Returns what says which tensors belong to which modules, for a plan and for a draft."""
    return {
        "rules": rules_of(arguments),
        "drop": arguments.drop or (),
        "keep": arguments.keep or (),
        "forget_bias": training_options.forget_bias(arguments),
        "flatten": training_options.flatten(arguments.flatten),
        "use_ema": checkpoint_sources.averages_asked_for(arguments),
        "graph": arguments.meta,
    }


def _draft(arguments, model, output):
    with checkpoint_sources.opened(arguments.source) as ckpt:
        draft = checkpoints.draft_torch(ckpt, model, **_matching(arguments))
    maps.write_draft(draft, output, arguments.json)
    return 0


def _require_destinations(arguments):
    """Raises before any work if one of the files could not be written."""
    from tfgraphtools.checkpoints.plans.replacement import require_free
    from tfgraphtools.checkpoints.torch import torch_files

    if arguments.dry_run:
        return
    if arguments.max_shard_size is not None:
        torch_files.require_folder(arguments.destination)
    if arguments.write_optimizer:
        inputs = [arguments.destination, *maps.inputs_of(arguments)]
        files.require_no_input("--write-optimizer", arguments.write_optimizer, inputs)
        require_free(arguments.write_optimizer, arguments.force)


def _with_optimizer(arguments, ckpt):
    """Returns (the live module, the optimizer over its parameters that goes on as TF 1's)."""
    from tfgraphtools.checkpoints.torch import torch_models

    if not arguments.model:
        raise UsageError(
            "--write-optimizer",
            "--model: the order of its parameters is that of the optimizer's state",
            "--like",
            "Pass --model model.py:function.",
        )
    module = torch_models.load(arguments.model).module
    optimizer = checkpoints.torch_optimizer(
        ckpt,
        module,
        training_options.hyper(arguments),
        training_options.optimizer_names(arguments),
        arguments.meta,
    )
    return module, optimizer
