"""Gradients against numeric derivatives."""
