"""Parts of Keras that ``tensorflow.python`` had."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.tensorflow.internals.rebuilt import keras

TABLE = Table("internals that tf_keras has", "names", keras.ROWS)
