"""The optimizers of TF1 in ``torch.optim``: a table, and the optimizer that goes on.

    Momentum   the same update: buf = momentum * buf + g, w -= lr * buf; Nesterov alike
    Adam       m and v are exp_avg and exp_avg_sq; TF1 adds epsilon to sqrt(v), PyTorch to
               sqrt(v / (1 - beta2^t)): elements whose v is tiny differ, which is noted
    AdamW      of tf.contrib.opt: w -= weight_decay * w, then Adam; PyTorch's takes off
               lr * weight_decay * w, so its weight_decay is TF1's divided by lr; TF1 decays
               only the rows of an embedding that were looked up
    AdamWeightDecay   of BERT: no bias correction; PyTorch's is 1 after 2^24 steps, where its
               counter stays; w -= lr * (m / (sqrt(v) + epsilon) + weight_decay * w) in both
    RMSProp    TF1's momentum has the learning rate in it: buf = momentum / lr; epsilon is
               inside TF1's square root and outside PyTorch's, which is noted
    Adagrad    sum = accumulator, with eps=0
    Adadelta   the same

Sources: `tensorflow/core/kernels/training_ops.cc`, `tensorflow/contrib/opt/python/training/
weight_decay_optimizers.py` of TF 1.15, `optimization.py` of google-research/bert,
`torch/optim/*.py` of PyTorch 2.
"""

import collections
from typing import Any, Mapping, Optional, Union

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.facts import known as facts
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.optimizers import setting_differences, tf1_optimizers
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.torch import torch_models
from tfgraphtools.errors import ArgumentError, PlanError

#: Of a TF1 kind: the class in ``torch.optim``, {TF1's slot: PyTorch's}, {TF1's hyper-parameter:
#: PyTorch's}, PyTorch's own settings with which it computes the same, and whether rows without a
#: gradient move in PyTorch alone, as those of an embedding.
Kind = collections.namedtuple("Kind", "name slots hyper settings moves_all_rows")
Kind.__new__.__defaults__ = (False,)

#: A number of steps after which every bias correction is 1, and a float32 counts no further.
WITHOUT_CORRECTION = 2.0**24

_RATE = {"learning_rate": "lr"}
_MOMENTS = {"m": "exp_avg", "v": "exp_avg_sq"}
_ADAM = dict(_RATE, beta1="beta1", beta2="beta2", epsilon="eps")
_RMS = {"rms": "square_avg", "momentum": "momentum_buffer"}
_RMS_HYPER = dict(_RATE, decay="alpha", momentum="momentum", epsilon="eps")

KINDS = {
    "GradientDescent": Kind("SGD", {}, _RATE, {"momentum": 0}),
    "Momentum": Kind(
        "SGD",
        {"momentum": "momentum_buffer"},
        dict(_RATE, momentum="momentum", use_nesterov="nesterov"),
        {"dampening": 0},
        True,
    ),
    "Adam": Kind("Adam", _MOMENTS, _ADAM, {"amsgrad": False, "weight_decay": 0}),
    "AdamW": Kind(
        "AdamW", _MOMENTS, dict(_ADAM, weight_decay="weight_decay"), {"amsgrad": False}, True
    ),
    "AdamWeightDecay": Kind(
        "AdamW", _MOMENTS, dict(_ADAM, weight_decay_rate="weight_decay"), {"amsgrad": False}
    ),
    "RMSProp": Kind("RMSprop", _RMS, _RMS_HYPER, {"centered": False, "weight_decay": 0}, True),
    "CenteredRMSProp": Kind(
        "RMSprop",
        dict(_RMS, mg="grad_avg"),
        _RMS_HYPER,
        {"centered": True, "weight_decay": 0},
        True,
    ),
    "Adagrad": Kind("Adagrad", {"accumulator": "sum"}, _RATE, {"eps": 0, "lr_decay": 0}),
    "Adadelta": Kind(
        "Adadelta",
        {"accum": "square_avg", "accum_update": "acc_delta"},
        dict(_RATE, rho="rho", epsilon="eps"),
        {"weight_decay": 0},
        True,
    ),
}

_NONE = "torch.optim has no such optimizer"
_REFUSED = {
    name: _NONE for name in tf1_optimizers.REFUSED if name not in ("AdamW", "adam_m", "adam_v")
}
_REFUSED.update(
    Ftrl=_NONE,
    AdaMax="torch.optim.Adamax is not compared with it",
    Nadam="torch.optim.NAdam has a schedule of momentum that TF 1's has not",
    AMSGrad="torch.optim.Adam with amsgrad corrects the bias in another place",
    Adafactor="torch.optim.Adafactor is another algorithm than tensor2tensor's",
    LazyAdam="it leaves rows without a gradient alone; torch.optim.Adam moves them",
    LAMB=_NONE,
)

#: What PyTorch goes on from. Two optimizers of TF1 call their slots ``adam_m`` and ``adam_v``.
OF_TORCH = tf1_optimizers.Library(
    "PyTorch",
    {name: tf1_optimizers.KINDS[name] for name in KINDS if name in tf1_optimizers.KINDS},
    _REFUSED,
    {frozenset(("adam_m", "adam_v")): ("AdamWeightDecay", "LAMB")},
)
OF_TORCH.kinds["AdamW"] = tf1_optimizers.KINDS["Adam"]._replace(
    name="AdamW",
    saved_as="AdamW",
    defaults=dict(tf1_optimizers.KINDS["Adam"].defaults, weight_decay=None),
)
OF_TORCH.kinds["AdamWeightDecay"] = tf1_optimizers.Kind(
    "AdamWeightDecay",
    None,
    "AdamW",
    (
        tf1_optimizers.Slot("m", None, None, "adam_m"),
        tf1_optimizers.Slot("v", None, None, "adam_v"),
    ),
    {
        "learning_rate": None,
        "weight_decay_rate": 0.0,
        "beta1": 0.9,
        "beta2": 0.999,
        "epsilon": 1e-6,
    },
)


def torch_optimizer(
    ckpt: Checkpoint,
    module: Any,
    hyper: Optional[Mapping[str, float]] = None,
    names: Union[None, str, Mapping[str, str]] = None,
    graph: Optional[Path] = None,
) -> Any:
    """Builds the ``torch.optim`` optimizer that goes on from a checkpoint's, over a whole module.

    It is what `plan_torch` takes as its optimizer. Where groups of parameters have settings of
    their own, build it yourself.

    Args:
      ckpt: an open checkpoint.
      module: a live ``torch.nn.Module``.
      hyper: {hyper-parameter under TF1's name: number}; for the others stand what the graph says,
        then TF1's defaults.
      names: as in `plan_torch`.
      graph: the ``.meta`` of the training, by default the one beside the checkpoint.

    Example:
      >>> torch_optimizer(ckpt, net, {"learning_rate": 0.1, "momentum": 0.9})  # doctest: +SKIP

    Raises:
      PlanError: an optimizer from which PyTorch cannot go on, or several.
      ArgumentError: a hyper-parameter that is missing, or that the optimizer does not have.
    """
    torch = torch_models.require_torch("torch_optimizer")
    detection = optimizers.detect(ckpt, names, OF_TORCH)
    kind = only_kind(detection)
    known = facts.beside(ckpt, graph).hyperparameters(kind, list(detection.by_variable) or None)
    known = setting_differences.of_kind(known, OF_TORCH.kinds[kind].defaults)
    _require_one(known.several, hyper or {}, known.source)
    hyper = dict(known.values, **(hyper or {}))
    return getattr(torch.optim, KINDS[kind].name)(module.parameters(), **arguments(kind, hyper))


def _require_one(several, hyper, source):
    """Raises `PlanError` for a number of which a graph says several, and the caller none."""
    for name, numbers in several.items():
        if name not in hyper:
            raise PlanError(
                f"the {name} of the optimizer",
                "one for all variables",
                "{} in {source}".format(" and ".join(f"{n:g}" for n in numbers), source=source),
                f"Pass hyper={{{name!r}: ...}} (--hyper {name}=...), or build the optimizer with "
                "groups of parameters and pass optimizer=....",
            )


def only_kind(detection):
    """Returns the one kind of optimizer in a `Detection`; "GradientDescent" without slots.

    Raises:
      PlanError: there are several, or PyTorch does not have it.
    """
    kinds_ = sorted({slot_set.kind for slot_set in detection.by_variable.values()}) or [
        "GradientDescent"
    ]
    if len(kinds_) > 1 or kinds_[0] not in KINDS:
        raise PlanError(
            "the optimizer's state of the checkpoint",
            "one that torch.optim can go on from: {}".format(", ".join(sorted(KINDS))),
            ", ".join(kinds_),
            "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer).",
        )
    return kinds_[0]


def arguments(kind, hyper):
    """Returns the arguments of the optimizer of ``torch.optim`` that goes on as one of TF1 did.

    Args:
      kind: a key of `KINDS`.
      hyper: {hyper-parameter under TF1's name: number}; TF1's defaults stand for the others.

    Example:
      >>> arguments("Momentum", {"learning_rate": 0.1, "momentum": 0.9})["lr"]
      0.1

    Raises:
      ArgumentError: one that the optimizer does not have, or that has no default and is missing.
    """
    row, defaults = KINDS[kind], OF_TORCH.kinds[kind].defaults
    values = optimizers.settings(kind, hyper, needed=sorted(row.hyper), defaults=defaults)
    done = dict(row.settings)
    done.update((theirs, values[ours]) for ours, theirs in row.hyper.items())
    if "beta1" in done:
        done["betas"] = (done.pop("beta1"), done.pop("beta2"))
    if kind == "AdamW":
        if not done["lr"]:
            raise ArgumentError("AdamW", "a learning_rate that is not 0", "0", "Pass the rate.")
        done["weight_decay"] /= done["lr"]
    return done
