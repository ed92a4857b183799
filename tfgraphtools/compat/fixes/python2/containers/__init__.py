"""Sets and dictionaries of Python 2, and the hashes by which they are ordered."""
