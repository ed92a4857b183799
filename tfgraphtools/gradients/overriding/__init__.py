"""Another gradient for ops, while they are built or afterwards."""
