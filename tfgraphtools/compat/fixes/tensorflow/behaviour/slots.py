"""An optimizer makes its slots in a variable scope that reuses, as before 1.0.

Since 1.0 slots come from `get_variable`, and a scope in which the script has asked
for `reuse_variables` refuses every new one, those of the optimizer too.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tensorflow.python.training.slot_creator:_create_slot_var",
    name="slots.reused_scope",
    since="TF 1.0",
    why="an optimizer creates its slots even if the variable scope reuses variables",
    cannot="call minimize() outside of the scope that reuses variables",
)
def _create_slot_var(original, *arguments, **options):
    from tensorflow.python.ops import variable_scope

    scope = variable_scope.get_variable_scope()
    partitioner = scope.partitioner
    try:
        return original(*arguments, **options)
    except ValueError as error:
        scope.set_partitioner(partitioner)
        if scope.reuse is not True or "does not exist" not in str(error):
            raise
    _create_slot_var.used()
    scope._reuse = False
    try:
        return original(*arguments, **options)
    finally:
        scope._reuse = True


TABLE = replacing.table("slots of optimizers", _create_slot_var, kind="patches")
