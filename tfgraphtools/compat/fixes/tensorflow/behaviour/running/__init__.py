"""How graphs run.

steps           which thread runs small steps
empty_products  products with empty matrices, which crash the process
constants       constants that Grappler combines
fusions         fusions of ops that change the result
new_ops         callbacks for new ops of a graph
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.running import (
    constants,
    empty_products,
    fusions,
    steps,
)

TABLES = (steps.TABLE, empty_products.TABLE, fusions.TABLE, constants.TABLE)
