"""User code: who it is, and how it is loaded, by whichever loader.

own_code               which files are ours
user_code, packages    whether a module is user code; installed packages written for TF1
user_builtins          the builtins of user code
evaluated_texts        its own ``exec``, ``eval`` and ``compile``
import_cache           repeated imports in functions
dispatch               code that was running before compat was activated
loaders                every loader of source files compiles user code translated
launchers              modules of Python and others that run a user's file themselves
autograph, ipython     AutoGraph reads the translated source; cells of notebooks
assertions             test files, whose assertions pytest rewrites
pickling               functions that are pickled by value
made_modules           modules that a function makes, or that have another name
children               processes that a script starts with an environment of its own
shadows                a user's ``queue.py``
"""
