"""How the source of user code is translated, and where the result is kept."""
