"""PyTorch, as what runs written models, and the lines of their tests that need it."""

import os

from tfgraphtools.graphs.source_code.model_runs import Library
from tfgraphtools.graphs.source_code.regression_tests import Lines

_FOLDER = os.path.dirname(os.path.abspath(__file__))
TORCH = Library("PyTorch", os.path.join(_FOLDER, "torch_child.py"), ("torch", "safetensors"))

TEST = Lines(
    "import numpy as np\nimport torch",
    """\
        with torch.no_grad():
            result = model(**{name: torch.from_numpy(x) for name, x in inputs.items()})""",
    "result[name].numpy()",
)
