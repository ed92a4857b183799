"""Gradients of each example, or each task, by itself."""
