"""How graphs run.

steps           how small steps are run
empty_products  products by matrices without elements, which end the process
constants       constants that are put together
fusions         ops that are made one op, with another result
new_ops         who looks at the ops that a graph gets
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.running import (
    constants,
    empty_products,
    fusions,
    steps,
)

TABLES = (steps.TABLE, empty_products.TABLE, fusions.TABLE, constants.TABLE)
