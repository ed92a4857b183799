"""Rewrites of the source of user code, and the cache of the result."""
