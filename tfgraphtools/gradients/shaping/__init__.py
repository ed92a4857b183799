"""Functions that pass values and shape gradients."""
