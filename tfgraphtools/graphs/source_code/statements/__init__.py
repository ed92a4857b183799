"""Expressions and statements of Python, and their layout."""
