"""Hyper-parameters: TF 1's names and defaults, and the arguments of Keras's optimizers."""

from tfgraphtools.checkpoints.optimizers.tf1_optimizers import KERAS, KINDS, LEGACY
from tfgraphtools.errors import ArgumentError, did_you_mean, nearest

#: TF 1's name of a hyper-parameter -> Keras's, where they differ.
_KERAS_NAMES = {"beta1": "beta_1", "beta2": "beta_2", "decay": "rho", "use_nesterov": "nesterov"}

#: A number that changes no sum or product it takes part in. tf_keras's legacy optimizers replace an
#: epsilon of 0 by 1e-7, and their RMSprop without momentum adds epsilon after the square root where
#: TF 1 adds it before; with a momentum, however small, it calls the op that TF 1 calls.
TINY = 1e-37


def settings(kind, hyper=None, needed=(), defaults=None):
    """Returns an optimizer's hyper-parameters: those given, else TF 1's defaults.

    Args:
      kind: a key of `KINDS`.
      hyper: {name in TF 1's constructor: number}.
      needed: names that must not stay None.
      defaults: those of a kind that is not in `KINDS`.

    Returns:
      A dict of all hyper-parameters of the kind; None for one that has no default.

    Example:
      >>> settings("Adam", {"beta1": 0.5})["beta2"]
      0.999

    Raises:
      ArgumentError: a name that the optimizer does not have, a value that is no finite number, or
        a needed one that was not given.
    """
    defaults = defaults or KINDS[kind].defaults
    place = f"the hyper-parameters of {kind}"
    for name, value in (hyper or {}).items():
        if name not in defaults:
            near = nearest(name, defaults, 1)
            raise ArgumentError(
                place,
                "TF 1's names: {}".format(", ".join(sorted(defaults))),
                repr(name),
                did_you_mean(near[:1]) or "Leave it out.",
            )
        if value is not None and not _is_number(value):
            raise ArgumentError(
                place, f"a number for {name}", repr(value), "A schedule goes to the new optimizer."
            )
    merged = dict(defaults, **(hyper or {}))
    for name in needed:
        if merged[name] is None:
            raise ArgumentError(
                place,
                f"the {name} of the training, which a checkpoint does not hold",
                "none",
                f"Pass hyper={{{name!r}: ...}} (--hyper {name}=...) as it was in TF 1.",
            )
    return merged


def _is_number(value):
    try:
        return abs(float(value)) < float("inf")
    except (TypeError, ValueError):
        return False


def keras_config(kind, hyper=None, flavour=KERAS):
    """Returns the optimizer that goes on exactly where TF 1's stopped: (class name, its arguments).

    Args:
      kind: a key of `KINDS`.
      hyper: {name in TF 1's constructor: number}; TF 1's defaults for the others, which are not
        Keras's: Adam's epsilon is 1e-8, not 1e-7.
      flavour: `KERAS` or `LEGACY`.

    Returns:
      A class name of ``keras.optimizers`` (or ``tf_keras.optimizers.legacy``) and a dict of
      arguments, without those that TF 1 has no default for and that were not given.

    Example:
      >>> keras_config("Adam", {"learning_rate": 0.01})
      ('Adam', {'learning_rate': 0.01, 'beta_1': 0.9, 'beta_2': 0.999, 'epsilon': 1e-08})
    """
    merged = settings(kind, hyper)
    config = keras_arguments(merged)
    is_of_tf_train = KINDS[kind].saved_as is not None
    if kind == "Adagrad" or kind == "tf.keras Adagrad" and flavour == KERAS:
        config["epsilon"] = 0.0  # Keras 3 adds it below the root, where 1e-7 changes nothing either
    if KINDS[kind].keras == "RMSprop":
        config["centered"] = "mg" in [slot.name for slot in KINDS[kind].slots]
    if flavour == LEGACY and is_of_tf_train:
        if config.get("epsilon") == 0:
            config["epsilon"] = TINY
        if KINDS[kind].keras == "RMSprop" and not config["momentum"]:
            config["momentum"] = TINY
    return KINDS[kind].keras, {name: value for name, value in config.items() if value is not None}


def keras_arguments(hyper):
    """Returns the same hyper-parameters under the names of Keras's arguments.

    Example:
      >>> keras_arguments({"beta1": 0.9, "decay": 0.5})
      {'beta_1': 0.9, 'rho': 0.5}
    """
    return {_KERAS_NAMES.get(name, name): value for name, value in hyper.items()}
