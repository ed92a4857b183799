"""librosa: old calls, and names that were removed.

argument_orders    positional arguments, and defaults of 0.7
removed_functions  names and modules that were removed (`wav_files`)

The results are those of the installed librosa; `doctor` reports which differ from 0.7.
"""

from tfgraphtools.compat.fixes.librosa import argument_orders, removed_functions

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*removed_functions.TABLES, argument_orders.TABLE)
