"""Building one step: the wrappers, their chain, and what they know of other optimizers."""
