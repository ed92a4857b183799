"""Calls and imports of other libraries that the source can say in today's words."""
