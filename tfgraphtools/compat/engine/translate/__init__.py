"""Translation of the source of user code, and the place where the result is kept."""
