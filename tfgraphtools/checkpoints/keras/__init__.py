"""A TF1 checkpoint into a Keras model: which tensor is which weight, shown before it is done.

    keras_layers.py    a model's weights in units, one per layer
    keras_fits.py      whether a unit of the one fits a unit of the other, and how it is converted
    keras_optimizer_state.py  the optimizer's slots, through the same conversions
    keras_models.py    models from files, and the files that are written
    keras_rules.py     what the caller says: rules, what to drop and what to keep
    keras_migration.py plan_keras and to_keras
    keras_plans.py     KerasPlan: shown, then done

Keras is imported by `keras_models` alone, inside its functions: the others see names and shapes.
"""
