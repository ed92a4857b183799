"""Every setting of a Keras optimizer: known to TF 1's, without effect, noted, or refused.

A row for each argument of the optimizers of Keras 3, tf_keras and tf_keras.optimizers.legacy that
TF 1's do not have. The arguments that both have are compared in `hyperparameters`.
"""

import collections

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.optimizers import setting_differences
from tfgraphtools.errors import PlanError

_DROP = "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)."

#: Keras's names of hyper-parameters -> TF1's, of those that both have.
_TF1_NAMES = {"beta_1": "beta1", "beta_2": "beta2", "nesterov": "use_nesterov"}

#: An argument that TF 1's optimizers do not have. ``neutral``: the values under which training goes
#: on the same; ``words``: what another value does; ``is_refused``: whether it cannot go on from
#: TF 1's state at all.
Setting = collections.namedtuple("Setting", "neutral words is_refused")

_AVERAGES = (
    "keeps averages of the weights, which begin as zeros where TF 1's state is not new: they would "
    "overwrite the weights"
)
_ACCUMULATION = "counts calls, and not steps as TF 1 does"
_CLIPS = "clips the gradients; TF 1's optimizer does not, unless its code did"

SETTINGS = {
    "use_ema": Setting((False, None), _AVERAGES, True),
    "gradient_accumulation_steps": Setting((None, 1), _ACCUMULATION, True),
    "amsgrad": Setting((False, None), "is another algorithm than TF 1's Adam", True),
    "beta": Setting((0, None), "is another algorithm than TF 1's Ftrl", True),
    "weight_decay": Setting(
        (None, False, 0),
        "takes learning_rate * weight_decay of each weight off at each step; TF 1's optimizer does "
        "not",
        False,
    ),
    "decay": Setting(
        (0, None),
        "divides the learning rate by 1 + decay * iterations, counted from TF 1's steps; TF 1's "
        "optimizer does not",
        False,
    ),
    "clipnorm": Setting((None,), _CLIPS, False),
    "clipvalue": Setting((None,), _CLIPS, False),
    "global_clipnorm": Setting((None,), _CLIPS, False),
}
#: Arguments that change no step by themselves.
_WITHOUT_EFFECT = {
    "name",
    "learning_rate",
    "ema_momentum",
    "ema_overwrite_frequency",
    "loss_scale_factor",
    "jit_compile",
    "is_legacy_optimizer",
    "initial_accumulator_value",
    "centered",
}


def notes(optimizer, kind, known, flavour):
    """Compares all settings of an optimizer with those of TF 1's.

    Args:
      optimizer: the model's.
      kind: a key of `optimizers.KINDS`.
      known: the `of_optimizer.Hyper` that the checkpoint and its graph hold.
      flavour: `optimizers.KERAS` or `optimizers.LEGACY`.

    Returns:
      Sentences on what differs.

    Raises:
      PlanError: a setting under which training cannot go on from TF 1's state.
    """
    name, sentences = type(optimizer).__name__, []
    wanted = optimizers.keras_arguments(dict.fromkeys(optimizers.settings(kind)))
    wanted.update(optimizers.keras_config(kind, known.values, flavour)[1])
    of_file = known._replace(
        values=optimizers.keras_arguments(known.values),
        several=optimizers.keras_arguments(known.several),
    )
    config = optimizer.get_config()
    own = {key: value for key, value in config.items() if isinstance(value, (int, float))}
    for difference in setting_differences.differences(own, wanted, of_file):
        if difference.name not in _WITHOUT_EFFECT:
            sentences.append(setting_differences.words(difference, name, kind))
    for key, value in config.items():
        if key in SETTINGS and key not in wanted:
            sentences += _judged(name, kind, key, value)
        elif key not in _WITHOUT_EFFECT and key not in wanted and not _is_shared(kind, key):
            sentences.append(f"{name}: {key} is {value!r}; TF1's {kind} has no such setting")
    return sentences


def _is_shared(kind, key):
    defaults = optimizers.KINDS[kind].defaults
    is_decay = key == "rho" and "decay" in defaults
    return is_decay or key in defaults or _TF1_NAMES.get(key, key) in defaults or key == "momentum"


def _judged(name, kind, key, value):
    setting = SETTINGS[key]
    if any(value is neutral or value == neutral for neutral in setting.neutral):
        return []
    if setting.is_refused:
        raise PlanError(
            "the optimizer's state of the checkpoint",
            f"an optimizer that goes on from TF 1's {kind}: {key}={setting.neutral[0]}",
            f"{name}({key}={value!r}), which {setting.words}",
            f"Compile the model without {key}. " + _DROP,
        )
    return [f"{name}: {key}={value!r} {setting.words}"]


def model_values(optimizer, kind):
    """Returns the model's hyper-parameters by TF 1's names, without the learning rate."""
    defaults, hyper = optimizers.settings(kind), {}
    for name, value in optimizer.get_config().items():
        if name in ("decay", "learning_rate"):  # Keras's decay is that of the learning rate
            continue
        tf1 = "decay" if name == "rho" and "decay" in defaults else _TF1_NAMES.get(name, name)
        tf1 = name if name in defaults else tf1
        if tf1 in defaults and isinstance(value, (int, float)):
            hyper[tf1] = value
    return hyper
