"""What only old code writes so: each module knows one form, by what the source shows."""
