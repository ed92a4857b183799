"""The changes since TF 1.15 and its time: one package or module per library.

Only user code changes: your modules and packages written for TF1 get the names and results that
they were written for; installed libraries keep what they have.

So names are rows that user code's view of a module shows first, attributes of objects are asked
for where they are missing, operators are rewritten in its own trees. A function that is replaced
inside a library (`engine.replacing`) runs the original for every other caller.
"""
