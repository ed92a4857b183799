"""The writer for PyTorch."""
