"""`ckpt convert --to keras`: the weights of a Keras model from a checkpoint."""

import argparse

from tfgraphtools import checkpoints
from tfgraphtools.cli import _tables
from tfgraphtools.cli.ckpt import checkpoint_sources, maps, model_checks, plans, training_options
from tfgraphtools.cli.ckpt.maps import rules_of
from tfgraphtools.errors import UsageError

#: The options of this format, besides those that others have too.
OPTIONS = {
    "model": {
        "metavar": "MODEL",
        "help": "the model: model.keras, config.json, or model.py:function",
    },
    "forget-bias": {
        "action": "append",
        "metavar": "[PATTERN=]NUMBER",
        "help": "forget bias of the LSTM cells, or of matching scopes, if no graph says it",
    },
    "fact": {
        "nargs": 2,
        "action": "append",
        "metavar": ("PATTERN", "QUESTION=VALUE"),
        "help": "what no graph says of matching scopes: activation, recurrent_activation, epsilon, "
        "reset_after",
    },
}


def run(arguments: argparse.Namespace) -> int:
    """Shows every weight and where it comes from, and writes the model unless it is a dry run."""
    if arguments.model is None:
        raise UsageError(
            "ckpt convert --to keras",
            "the model whose weights to write",
            "no --model",
            "Pass --model model.keras, config.json or model.py:function.",
        )
    draft_output = maps.claim_map("--write-draft", arguments)
    model_checks.require(arguments)
    if not arguments.dry_run and arguments.destination is not None:
        from tfgraphtools.checkpoints.keras import keras_models

        keras_models.require_destination(arguments.destination, arguments.force)
    with checkpoint_sources.opened(arguments.source) as ckpt:
        if draft_output:
            return _draft(arguments, ckpt, draft_output)
        plan = checkpoints.plan_keras(
            ckpt,
            arguments.model,
            **_matching(arguments),
            drop_optimizer=arguments.drop_optimizer,
            steps=arguments.steps,
            names=training_options.optimizer_names(arguments),
            facts=training_options.facts(arguments),
            sparse_gradients=training_options.sparse_gradients(arguments),
            flatten=training_options.flatten(arguments.flatten),
            unflatten=training_options.flatten(arguments.unflatten, "--unflatten"),
        )
        plans.show_rows(plan, "weight", "weights", arguments.json)
        if arguments.dry_run:
            return 0
        if model_checks.is_due(arguments):
            plan.apply()
            if model_checks.run(arguments, ckpt, plan, plan.model):
                return 1
        plan.apply(
            arguments.destination,
            overwrite=arguments.force,
            progress=_tables.progress("write", unit="tensors"),
        )
    if not arguments.json:
        print(f"{arguments.destination}: {_summary(plan)}")
    return 0


def _matching(arguments):
    """Returns what says which tensors belong to which layers, for a plan and for a draft."""
    return {
        "rules": rules_of(arguments),
        "drop": arguments.drop or (),
        "keep": arguments.keep or (),
        "forget_bias": training_options.forget_bias(arguments),
        "graph": arguments.meta,
        "use_ema": checkpoint_sources.averages_asked_for(arguments),
    }


def _draft(arguments, ckpt, output):
    draft = checkpoints.draft_keras(ckpt, arguments.model, **_matching(arguments))
    maps.write_draft(draft, output, arguments.json)
    return 0


def _summary(plan):
    summary = _tables.counted(len(plan.rows()) - len(plan.kept), "weight")
    if plan.kept:
        summary += f", {len(plan.kept)} kept"
    if plan.state is None:
        return summary
    steps = "" if plan.state.steps is None else f" after {plan.state.steps} steps"
    return f"{summary}, {plan.state.kind}{steps}"
