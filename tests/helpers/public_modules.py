"""The modules whose ``__all__`` is public."""

PARTS = [
    "gradients",
    "training",
    "training.transforms",
    "checkpoints",
    "compat",
    "upgrade",
    "errors",
]
