"""Differences between systems: locks on files, and the names that a file may have."""
