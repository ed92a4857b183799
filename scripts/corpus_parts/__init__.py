"""What `scripts/corpus` is made of: the list of scripts, their data, the ways, the rule."""
