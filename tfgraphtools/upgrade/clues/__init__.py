"""What expressions of old code tell: which versions a condition knows, what a list holds."""
