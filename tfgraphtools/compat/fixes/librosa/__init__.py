"""librosa: old calls, and names that were removed.

calls   positional arguments, and defaults of 0.7
names   names and modules that were removed (`writing`)

The results are those of the installed librosa; `doctor` reports which differ from 0.7.
"""

from tfgraphtools.compat.fixes.librosa import calls, names

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*names.TABLES, calls.TABLE)
