"""The families: one module each, with a ``FAMILY`` and no functions. `registry` finds them."""
