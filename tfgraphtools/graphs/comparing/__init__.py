"""Comparisons of a graph with what was made of it: the inputs, and the differences of outputs."""
