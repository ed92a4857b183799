"""State of optimizers, as TF 1's keep it and as Keras's keep it: names and maths.

Pure functions over names and NumPy arrays; no TensorFlow, no Keras, no file is written. The
names are loaded when first used: `optimizer_slots`, which listings need, does without NumPy.

    detect(ckpt)                          which optimizer trained each variable: a `Detection`
    settings(kind, hyper)                 the hyper-parameters, TF 1's defaults filled in
    steps_taken(ckpt, detection, hyper)   how many steps, from beta powers and global_step
    to_keras(kind, slots, hyper, flavour) Keras's slots of a variable from TF 1's
    to_tf1(kind, slots, hyper, flavour)   and back
    keras_config(kind, hyper, flavour)    class name and arguments of the optimizer that goes on
    kind_of(slot names, flavour)          which kind Keras's slots are of
    beta_powers(hyper, steps)             what TF 1's Adam keeps besides its slots

A *kind* is a row of `KINDS`: "GradientDescent", "Momentum", "Adam", "RMSProp",
"CenteredRMSProp", "Adagrad", "Adadelta", "Ftrl". Nesterov is a Momentum with
``use_nesterov``. Those of tf.keras under TF 1 are kinds of their own: "tf.keras Adam". A *flavour*
is `KERAS` (Keras 3) or `LEGACY` (tf_keras.optimizers.legacy).
Hyper-parameters are given under the names of TF 1's constructors (``learning_rate``, ``beta1``,
``use_nesterov``): they are not in a checkpoint.

Example:
  >>> found = detect(ckpt)                                         # doctest: +SKIP
  >>> kind, names = found.by_variable["dense/kernel"]
  >>> kind, names
  ('Momentum', {'momentum': 'dense/kernel/Momentum'})
  >>> hyper = {"learning_rate": 0.1}
  >>> to_keras(kind, {slot: ckpt[name] for slot, name in names.items()}, hyper)
  {'momentum': array(...)}
  >>> keras_config(kind, hyper)
  ('SGD', {'learning_rate': 0.1, 'momentum': 0.9, 'nesterov': False})
"""

import importlib

#: The names, by the module that has them.
_HOMES = {
    "continuation": ["own_numbers", "require_dense", "require_exact"],
    "detection": ["Detection", "detect"],
    "hyperparameters": ["keras_arguments", "keras_config", "settings"],
    "tf1_optimizers": ["FLAVOURS", "KERAS", "KINDS", "LEGACY", "Kind", "Slot", "kind_of"],
    "maths": [
        "accumulator_factor",
        "is_same",
        "kept",
        "scaled",
        "to_keras",
        "to_tf1",
        "velocity_factor",
    ],
    "slot_sets": ["Found"],
    "step_counts": ["beta_powers", "steps_taken"],
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(__name__ + "." + _MODULE_OF[name]), name)
    globals()[name] = value
    return value
