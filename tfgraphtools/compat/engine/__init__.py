"""How fixes are applied to user code, whichever library they are about.

rows, parts, options                  what a fix is, which there are, what is chosen
views, facade                         what ``import`` gives user code
importer, shadows                     who is user code, and how it is loaded
source, nodes, attributes             how its source is rewritten
state                                 the one undo log
activation                            turns all of it on
children, tracebacks, advice          what happens while it runs
"""
