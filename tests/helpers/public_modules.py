"""The modules whose ``__all__`` is public."""

PARTS = [
    "gradients",
    "training",
    "training.transforms",
    "checkpoints",
    "graphs",
    "compat",
    "upgrade",
    "revive",
    "errors",
]
