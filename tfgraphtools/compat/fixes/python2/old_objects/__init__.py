"""Classes, types and questions about them, as in Python 2."""
