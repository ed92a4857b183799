"""The public attributes of the public classes: what the reference shows of each, and no more."""

#: Class: the names of its methods and properties that users call, the most used first. A class
#: that is not here has none: its fields are in its docstring.
MEMBERS = {
    "tfgraphtools.checkpoints.ApplicationPlan": "build rows apply",
    "tfgraphtools.checkpoints.Checkpoint": (
        "read raw info prefix format num_shards big_endian object_graph check release close"
    ),
    "tfgraphtools.checkpoints.Comparison": "ok as_dict",
    "tfgraphtools.checkpoints.Diagnosis": "ok as_dict",
    "tfgraphtools.checkpoints.HuggingFacePlan": "rows apply",
    "tfgraphtools.checkpoints.KerasPlan": "rows apply",
    "tfgraphtools.checkpoints.Plan": "rows check apply view",
    "tfgraphtools.checkpoints.StateDictPlan": "rows apply",
    "tfgraphtools.checkpoints.TimmPlan": "rows apply",
    "tfgraphtools.checkpoints.TorchPlan": "rows arrays apply",
    "tfgraphtools.checkpoints.Verification": "ok damaged",
    "tfgraphtools.compat.Handle": "deactivate",
    "tfgraphtools.gradients.Explanation": "verdict blockers error as_dict to_dot to_html",
    "tfgraphtools.gradients.GradientProbe": "run close",
    "tfgraphtools.gradients.Hits": "total",
    "tfgraphtools.gradients.Nonfinite": "backward",
    "tfgraphtools.gradients.Report": "ok verdict result raise_if_wrong",
    "tfgraphtools.graphs.Summary": "tree node_list as_dict",
    "tfgraphtools.revive.Plan": "lines as_dict",
    "tfgraphtools.revive.Revival": (
        "all_stages passed folder copy environment run compare upgrade checkpoints report"
    ),
    "tfgraphtools.training.DecoupledWeightDecayOptimizer": "describe state_variables",
    "tfgraphtools.training.ExponentialAverageOptimizer": (
        "swapped variables_to_restore average describe state_variables"
    ),
    "tfgraphtools.training.FreezeOptimizer": "describe state_variables",
    "tfgraphtools.training.GradientAccumulationOptimizer": "flush describe state_variables",
    "tfgraphtools.training.GradientTransformOptimizer": "describe state_variables",
    "tfgraphtools.training.LRMultiplierOptimizer": "describe state_variables",
    "tfgraphtools.training.LookaheadOptimizer": "slow describe state_variables",
    "tfgraphtools.training.LossScaleOptimizer": "loss_scale skipped describe state_variables",
    "tfgraphtools.training.MasterWeightsOptimizer": "master describe state_variables",
    "tfgraphtools.training.PartitionOptimizer": "checkpoint_rules describe state_variables",
    "tfgraphtools.training.SkipNonFiniteOptimizer": "skipped describe state_variables",
    "tfgraphtools.training.TraceHook": "steps to_csv to_png",
    "tfgraphtools.training.TrustRatioOptimizer": "describe state_variables",
    "tfgraphtools.training.WeightAverageOptimizer": (
        "swapped variables_to_restore average describe state_variables"
    ),
    "tfgraphtools.training.ZeroGradientEffects": "freezes",
    "tfgraphtools.graphs.GraphDiff": "are_equal",
    "tfgraphtools.graphs.ModelCheck": "is_comparable ok",
    "tfgraphtools.graphs.StepCheck": "ok",
    "tfgraphtools.upgrade.File": "changes diff",
    "tfgraphtools.upgrade.Finding": "reason",
    "tfgraphtools.upgrade.Report": (
        "write diff changed left unseen errors counts unresolved as_dict"
    ),
}

#: Internal protocol: what modules of the package call on each other's objects. No user needs it,
#: and it may change in any release.
INTERNAL = {
    "tfgraphtools.errors": "ADVICE nearest next_step_after",
    "tfgraphtools.checkpoints": (
        "check check_part check_unchanged readers store tensor writable write_weights"
    ),
    "tfgraphtools.training": (
        "averages_now begin counts_every_step is_flushed_through keeps_frozen_elements look_ahead "
        "moves_variables note notes own_places plan_step skips_nonfinite slot steps_in_replicas "
        "swap_in ways wrapped_optimizers"
    ),
}
