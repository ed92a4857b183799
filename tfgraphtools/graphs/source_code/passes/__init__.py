"""Passes that make a `Program` simpler for every target."""
