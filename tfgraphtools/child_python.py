"""Command lines of Python that run a module, and never import one of the current folder instead.

``python -m pip`` and ``python -c`` put the current folder first: an ``html.py`` or ``six.py`` in it
is then imported wherever a library needs its own. ``-P`` prevents it since Python 3.11 only, and
``-I`` also turns PYTHONPATH off.
"""

#: Python puts "" first for ``-c``, unless it is told not to. Nothing but what it has imported
#: itself at its start is imported before that is replaced.
_SAFE_START = (
    "import os, sys; sys.path[: 0 if getattr(sys.flags, 'safe_path', 0) else 1] = "
    "[os.path.dirname(sys.executable)]; here = os.path.realpath(os.getcwd()); "
    "sys.path[:] = [p for p in sys.path if os.path.realpath(p) != here]; "
)
_MODULE = "import runpy; runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"


def module_command(python, module, *words):
    """Returns the command line that runs a module: ``python -m MODULE WORDS``.

    Args:
      python: the path of a Python, 3.7 or newer.
      module: its name.
      words: its arguments.
    """
    return [python, "-c", _SAFE_START + _MODULE, module, *words]


def code_command(python, text, *words):
    """Returns the command line that runs code: ``python -c TEXT WORDS``.

    Args:
      python: the path of a Python, 3.7 or newer.
      text: the code.
      words: its arguments.
    """
    return [python, "-c", f"{_SAFE_START}exec({text!r})", *words]


def readable(command):
    """Returns a command line as a person would type it: with ``-m`` for `module_command`."""
    if command[1:3] == ["-c", _SAFE_START + _MODULE]:
        return [command[0], "-m", *command[3:]]
    return command
