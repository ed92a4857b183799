"""Graphs as files have them: found in whatever kind of file, and decoded without TensorFlow."""
