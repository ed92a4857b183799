"""The families: one module each, with a ``FAMILY`` and no functions. `family_registry` finds them."""
