"""Activations computed again in the backward pass instead of being kept until then."""
