"""Frozen elements: masks, the ways to freeze, and the optimizer that chooses among them."""
