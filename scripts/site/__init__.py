"""The documentation site: generated pages (hooks, reference, gallery) and pictures."""
