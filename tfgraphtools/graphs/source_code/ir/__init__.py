"""The intermediate representation: nodes, values, symbolic sizes."""
