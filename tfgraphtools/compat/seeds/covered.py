COVERED = frozenset()
