"""Numbers to train with: schedules, settings of a session, rows of groups."""
