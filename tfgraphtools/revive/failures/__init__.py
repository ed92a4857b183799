"""Causes of a failed command of a repository, and what its log says."""
