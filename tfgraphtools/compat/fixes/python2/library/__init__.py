"""The standard library as modules of Python 2 had it: text for bytes, random numbers."""
