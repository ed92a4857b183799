"""Layers by what they compute: one file a layer. They know no target."""
