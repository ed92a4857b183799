"""Read, check, compare and rewrite checkpoints, without TensorFlow.

    open_checkpoint   a lazy mapping from names to arrays: V1, V2, object-based
    verify, salvage   every checksum; what is left of a damaged checkpoint
    diff              two checkpoints, by checksum or by value
    verify_against    the proof of a conversion: tensor by tensor, through a map
    statistics        of one tensor
    plan              rename, drop, cast, alias, transpose, ... without copying what stays
    strip, average, average_last, merge, split    ready-made plans
    doctor            does a checkpoint fit a graph; which renames fix it
    to_object_based   a TF 1 checkpoint for the objects of TF 2, slots included
    to_name_based     and the way back
    to_npz, to_safetensors          a checkpoint as one file of arrays
    from_npz, from_safetensors      and back; open_archive reads such a file where it lies
    to_saved_model, to_frozen       a .meta and a checkpoint, to serve
    to_keras                        for a Keras model: recurrent cells and slots included
    to_torch                        for a PyTorch model: its state dict, or its own tensors
    to_hugging_face, to_timm, to_application, family_of    known families of models as a folder
                                    for Transformers or timm, or as a model of Keras
    to_tf1                          and back: PyTorch, Transformers, timm, Keras -> TF 1
    restore                         what fits, into the variables of a live session
    upload            a finished file, folder or checkpoint to a URL
    recover           clean up after a write that was killed

The names are loaded when first used, so that listing a checkpoint does not wait
for NumPy, and nothing ever waits for TensorFlow.
"""

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:  # what type checkers and the documentation see of the lazy names
    from tfgraphtools.checkpoints.archives.archive_exports import to_npz, to_safetensors
    from tfgraphtools.checkpoints.archives.archive_imports import from_npz, from_safetensors
    from tfgraphtools.checkpoints.check.diagnosis import Diagnosis, doctor, lacking_ops
    from tfgraphtools.checkpoints.check.difference import Change, Difference, diff
    from tfgraphtools.checkpoints.check.listings import listing
    from tfgraphtools.checkpoints.check.map_comparison import (
        Comparison,
        Mismatch,
        map_of,
        verify_against,
    )
    from tfgraphtools.checkpoints.check.statistics import Statistics, statistics
    from tfgraphtools.checkpoints.check.verification import Damage, Verification, salvage, verify
    from tfgraphtools.checkpoints.families.applications import (
        ApplicationPlan,
        plan_application,
        to_application,
    )
    from tfgraphtools.checkpoints.families.family_registry import family_of, models_of
    from tfgraphtools.checkpoints.families.hugging_face import (
        HuggingFacePlan,
        plan_hugging_face,
        to_hugging_face,
    )
    from tfgraphtools.checkpoints.families.state_dicts import (
        StateDictPlan,
        plan_state_dict,
        to_state_dict,
    )
    from tfgraphtools.checkpoints.families.timm import TimmPlan, plan_timm, to_timm
    from tfgraphtools.checkpoints.graphs.graph_exports import to_frozen, to_saved_model
    from tfgraphtools.checkpoints.graphs.unusable import unusable
    from tfgraphtools.checkpoints.inverse.tf1_migration import plan_tf1, to_tf1
    from tfgraphtools.checkpoints.keras.keras_migration import draft_keras, plan_keras, to_keras
    from tfgraphtools.checkpoints.keras.keras_plans import KerasPlan
    from tfgraphtools.checkpoints.objects.name_based import plan_name_based, to_name_based
    from tfgraphtools.checkpoints.objects.object_based import plan_object_based, to_object_based
    from tfgraphtools.checkpoints.plans.combine import average, average_last, merge, split, strip
    from tfgraphtools.checkpoints.plans.moving_averages import averages_of
    from tfgraphtools.checkpoints.plans.plan import Plan, plan
    from tfgraphtools.checkpoints.plans.recovery import recover
    from tfgraphtools.checkpoints.plans.uploads import upload
    from tfgraphtools.checkpoints.read.archive_kinds import open_archive
    from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, SliceInfo, TensorInfo
    from tfgraphtools.checkpoints.read.last import last_in
    from tfgraphtools.checkpoints.read.opening import open_checkpoint
    from tfgraphtools.checkpoints.sessions.restoring import Restoration, restore
    from tfgraphtools.checkpoints.torch.optimizer_kinds import torch_optimizer
    from tfgraphtools.checkpoints.torch.torch_migration import draft_torch, plan_torch, to_torch
    from tfgraphtools.checkpoints.torch.torch_plans import TorchPlan

#: The public names, by the module that has them. No package in here has the name of a function
#: (hence `plans`): the import system would put the package in the function's place.
_HOMES = {
    "read.checkpoint": ["Checkpoint", "SliceInfo", "TensorInfo"],
    "read.last": ["last_in"],
    "read.opening": ["open_checkpoint"],
    "read.archive_kinds": ["open_archive"],
    "check.verification": ["Damage", "Verification", "salvage", "verify"],
    "check.difference": ["Change", "Difference", "diff"],
    "check.map_comparison": ["Comparison", "Mismatch", "map_of", "verify_against"],
    "check.statistics": ["Statistics", "statistics"],
    "check.listings": ["listing"],
    "check.diagnosis": ["Diagnosis", "doctor", "lacking_ops"],
    "plans.plan": ["Plan", "plan"],
    "plans.combine": ["average", "average_last", "merge", "split", "strip"],
    "plans.recovery": ["recover"],
    "plans.uploads": ["upload"],
    "archives.archive_exports": ["to_npz", "to_safetensors"],
    "archives.archive_imports": ["from_npz", "from_safetensors"],
    "graphs.graph_exports": ["to_frozen", "to_saved_model"],
    "graphs.unusable": ["unusable"],
    "objects.name_based": ["plan_name_based", "to_name_based"],
    "objects.object_based": ["plan_object_based", "to_object_based"],
    "keras.keras_migration": ["draft_keras", "plan_keras", "to_keras"],
    "keras.keras_plans": ["KerasPlan"],
    "families.hugging_face": ["HuggingFacePlan", "plan_hugging_face", "to_hugging_face"],
    "families.applications": ["ApplicationPlan", "plan_application", "to_application"],
    "families.timm": ["TimmPlan", "plan_timm", "to_timm"],
    "families.state_dicts": ["StateDictPlan", "plan_state_dict", "to_state_dict"],
    "families.family_registry": ["family_of", "models_of"],
    "inverse.tf1_migration": ["plan_tf1", "to_tf1"],
    "sessions.restoring": ["Restoration", "restore"],
    "plans.moving_averages": ["averages_of"],
    "torch.torch_migration": ["draft_torch", "plan_torch", "to_torch"],
    "torch.optimizer_kinds": ["torch_optimizer"],
    "torch.torch_plans": ["TorchPlan"],
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ApplicationPlan",
    "Change",
    "Checkpoint",
    "Comparison",
    "Damage",
    "Diagnosis",
    "Difference",
    "HuggingFacePlan",
    "KerasPlan",
    "Mismatch",
    "Plan",
    "Restoration",
    "SliceInfo",
    "StateDictPlan",
    "Statistics",
    "TensorInfo",
    "TimmPlan",
    "TorchPlan",
    "Verification",
    "average",
    "average_last",
    "averages_of",
    "diff",
    "doctor",
    "draft_keras",
    "draft_torch",
    "family_of",
    "from_npz",
    "from_safetensors",
    "lacking_ops",
    "last_in",
    "listing",
    "map_of",
    "merge",
    "models_of",
    "open_archive",
    "open_checkpoint",
    "plan",
    "plan_application",
    "plan_hugging_face",
    "plan_keras",
    "plan_name_based",
    "plan_object_based",
    "plan_state_dict",
    "plan_tf1",
    "plan_timm",
    "plan_torch",
    "recover",
    "restore",
    "salvage",
    "split",
    "statistics",
    "strip",
    "to_application",
    "to_frozen",
    "to_hugging_face",
    "to_keras",
    "to_name_based",
    "to_npz",
    "to_object_based",
    "to_safetensors",
    "to_saved_model",
    "to_state_dict",
    "to_tf1",
    "to_timm",
    "to_torch",
    "torch_optimizer",
    "unusable",
    "upload",
    "verify",
    "verify_against",
]


if not TYPE_CHECKING:  # to type checkers it would mean that every name is there

    def __getattr__(name):
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(__name__ + "." + _MODULE_OF[name]), name)
        globals()[name] = value
        return value


def __dir__():
    return __all__
