"""TF1 checkpoints as PyTorch state dicts; PyTorch is imported only where it is the target."""
