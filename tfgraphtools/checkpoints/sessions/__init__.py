"""Values of a checkpoint in the variables of a live session."""
