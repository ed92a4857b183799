"""What is done to the source of user code, and where the result is kept."""
