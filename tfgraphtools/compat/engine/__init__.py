"""The engine that applies fixes to user code, whichever library they are about.

rows, parts, options                  what a fix is, which there are, what is chosen
views, facade, importer               what ``import`` gives user code
loading                               who is user code, and how it is loaded
source, nodes, attributes             how its source is rewritten
replacing                             functions of libraries that are replaced for user code alone
state, after_import                   the one undo log; changes to what is loaded later
activation, environment               turns all of it on
notices, quiet, skipped               messages: printed, hidden, of fixes that cannot be applied
"""
