"""Runs TF1 scripts, modules and notebooks as ``__main__``, under compat.

Program            a script or module, ready to run
program, notebook  what runs, and IPython's commands in it; inherit: processes that it starts
tracebacks, advice what is shown of an error
startup            what Python executes first in such processes
"""

from tfgraphtools.runner.program import Program

__all__ = ["Program"]
