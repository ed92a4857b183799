"""``python -m tfgraphtools`` is the command ``tfgraphtools``."""

import os
import sys


def _leave_current_folder():
    """Takes the current folder, which Python puts first, out of `sys.path`.

    Its modules would be imported in place of those that this library needs: ``html``, ``six``. The
    folder of Python's programs takes its place, as for the installed command. A checkout of this
    library in the current folder stays, as the last.
    """
    if sys.flags.isolated or getattr(sys.flags, "safe_path", False):
        return
    sys.path[0] = os.path.dirname(sys.executable)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if root not in sys.path:
        sys.path.append(root)


if __name__ == "__main__":
    _leave_current_folder()
    from tfgraphtools.cli import console_main

    console_main()
