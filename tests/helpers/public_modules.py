"""The modules whose ``__all__`` is public."""

PARTS = [
    "gradients",
    "training",
    "training.transforms",
    "training.schedules",
    "checkpoints",
    "graphs",
    "compat",
    "upgrade",
    "revive",
    "errors",
]
