"""What changed since TF 1.15 and its time: one package or module per library.

Every fix is for user code, and packages written for TF1, alone: names are rows that its view of a
module shows first, attributes of objects are asked for where they are missing, operators are
rewritten in its own trees. A function that is replaced inside a library (`engine.replacing`) runs
the original for every other caller.
"""
