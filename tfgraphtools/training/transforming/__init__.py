"""Gradient transforms of units and of norms, and what all transforms share."""
