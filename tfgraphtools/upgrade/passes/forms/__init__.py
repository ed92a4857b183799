"""Rewrites of forms that only code of the TF 1 years uses, one a module."""
