"""What works on the variables of a session, between the steps."""
