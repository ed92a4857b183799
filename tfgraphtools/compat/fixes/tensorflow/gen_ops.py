"""``gen_nn_ops._relu_grad``: ops that early 1.x hid behind an underscore, by today's names."""

from tfgraphtools.compat.engine.rows import Fix, Table

#: The generated modules that user code imports.
MODULES = (
    "array",
    "control_flow",
    "data_flow",
    "image",
    "io",
    "linalg",
    "logging",
    "math",
    "nn",
    "random",
    "resource_variable",
    "sparse",
    "state",
    "string",
)


def _without_underscore(real):
    """Finds a name that begins with an underscore under the name without it."""
    return lambda name: getattr(real, name[1:])


TABLES = (
    Table(
        "generated ops that were hidden",
        "names",
        [
            Fix(
                f"tensorflow.python.ops.gen_{module}_ops._*",
                "TF 1.7",
                "the op's function, which lost its underscore",
                _without_underscore,
            )
            for module in MODULES
        ],
    ),
)
