"""librosa: old calls, the results of 0.7, and names that were removed.

calls       positional arguments and old defaults; `arguments`, `defaults`
results     functions whose results changed; `resampling`
names       names and modules that were removed (`writing`)
modules     other modules through which user code finds the functions
"""

from tfgraphtools.compat.fixes.librosa import calls, modules, names

TABLES = (*names.TABLES, calls.TABLE)


def install(options):
    """Makes the inner modules of librosa return the functions that ``librosa`` itself returns."""
    modules.install()
