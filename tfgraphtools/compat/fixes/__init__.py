"""What changed since TF 1.15 and its time: one package or module per library.

Every fix is for user code alone: names are rows that its view of a module shows
first, attributes of objects are asked for where they are missing, operators
are rewritten in its own trees. No library meets any of it.
"""
