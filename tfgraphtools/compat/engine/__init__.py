"""The engine that applies fixes to user code, whichever library they are about.

rows, parts, options, switches        what a fix is, which there are, what is chosen
loading                               who is user code, and how it is loaded
translate                             how its source is translated, in one walk, and kept
views                                 what ``import`` gives user code
rewrite_kinds                         what a fix can mean as a change of source
replacing                             functions of libraries that are replaced for user code alone
state, after_import                   the one undo log; changes to what is loaded later
activation, environment               turns all of it on
notices, quiet, skipped               messages: printed, hidden, of fixes that cannot be applied
"""
