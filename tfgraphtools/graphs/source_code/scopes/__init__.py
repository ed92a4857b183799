"""Scopes of a graph: modules, their calls, and the bodies of their methods."""
