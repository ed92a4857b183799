"""What a checkpoint holds, whether it is intact, and how it differs from another.

verification   `verify`, `salvage`
difference     `diff`
comparisons    `verify_against`, `map_of`
diagnosis      `doctor`: does it fit a graph
listings, statistics   what `ckpt ls` and `ckpt show` print
"""
