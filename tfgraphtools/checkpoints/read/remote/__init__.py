"""Checkpoints behind URLs: their files are read by ranges, and none is downloaded whole."""
