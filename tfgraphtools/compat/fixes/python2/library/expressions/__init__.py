"""Regular expressions of Python 2."""
