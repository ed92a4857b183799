"""librosa: how its functions were called, the values of 0.7, and what left it.

calls       arguments by position, and old defaults; `arguments`, `defaults`
results     functions that give something else; `resampling`
names       names that left it, and modules (`writing`)
modules     where else its functions are found
"""

from tfgraphtools.compat.fixes.librosa import calls, modules, names

TABLES = (*names.TABLES, calls.TABLE)


def install(options):
    """Has the modules of librosa give what librosa itself gives."""
    modules.install()
