"""The tree that an upgrade may write: what git can restore, and where links lead."""
