"""The passes over one module, in order: imports are planned, uses renamed, imports edited."""
