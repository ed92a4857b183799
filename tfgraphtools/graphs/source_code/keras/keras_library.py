"""Keras, as what runs written models, and the lines of their tests that need it."""

import os

from tfgraphtools.graphs.source_code.model_runs import Library
from tfgraphtools.graphs.source_code.regression_tests import Lines

_FOLDER = os.path.dirname(os.path.abspath(__file__))
KERAS = Library("Keras 3", os.path.join(_FOLDER, "keras_child.py"), ("keras/ops", "safetensors"))

TEST = Lines(
    "import keras\nimport numpy as np",
    "        result = model(**inputs)",
    "keras.ops.convert_to_numpy(result[name])",
)
