"""Clues in expressions of old code: which versions a condition knows, what a list holds."""
