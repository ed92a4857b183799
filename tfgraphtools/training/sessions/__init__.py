"""Functions on the variables of a session, between the steps."""
