"""Numbers to train with: settings of a session, rows of groups, rates of elements."""
