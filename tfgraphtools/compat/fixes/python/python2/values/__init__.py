"""What the translated trees call for values: their order, `oct`, `unicode`, errors as sequences."""
