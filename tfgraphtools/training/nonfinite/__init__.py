"""Steps whose gradients are not finite: skipped, and made rare by a loss scale."""
