"""An optimizer makes its slots in a variable scope that reuses, as before 1.0.

Since 1.0 slots come from `get_variable`, and a scope in which the script has asked
for `reuse_variables` refuses every new one, those of the optimizer too.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _make_in_reusing_scopes():
    from tensorflow.python.ops import variable_scope
    from tensorflow.python.training import slot_creator

    plain = slot_creator._create_slot_var

    @functools.wraps(plain)
    def create_slot_var(*arguments, **options):
        scope = variable_scope.get_variable_scope()
        partitioner = scope.partitioner
        try:
            return plain(*arguments, **options)
        except ValueError as error:
            scope.set_partitioner(partitioner)
            if scope.reuse is not True or "does not exist" not in str(error):
                raise
        rows.used(ROW)
        scope._reuse = False
        try:
            return plain(*arguments, **options)
        finally:
            scope._reuse = True

    state.set_attribute(slot_creator, "_create_slot_var", create_slot_var)


ROW = Row(
    "slots.reused_scope",
    "TF 1.0",
    "an optimizer creates its slots even if the variable scope reuses variables",
    _make_in_reusing_scopes,
)

TABLE = Table("slots of optimizers", "patches", [ROW])
