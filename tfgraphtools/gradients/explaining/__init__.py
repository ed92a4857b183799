"""Explanations why a gradient is None, zero or there."""
