"""Reads source code for `doctor` and `upgrade`, and imports nothing of what it reads.

scopes       which binding a name means
resolving    the dotted names that expressions mean
tf1_versions conditions that tell one TF 1 from another
guards       where a missing name does no harm
"""
