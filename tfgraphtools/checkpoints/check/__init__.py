"""Checks of checkpoints: their contents, their damage, their differences.

verification   `verify`, `salvage`
difference     `diff`
comparisons    `verify_against`, `map_of`
diagnosis      `doctor`: does it fit a graph
listings, statistics   what `ckpt ls` and `ckpt show` print
"""
