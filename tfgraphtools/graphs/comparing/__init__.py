"""Comparisons of a graph with its conversion: the inputs, and the differences of outputs."""
