"""The families, found by `family_registry`: a module each, with a ``FAMILY`` and no functions."""
