"""IPython's commands when a notebook runs as a script: the object ``_ipython`` in it."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from typing import Any, Dict, List

#: ``{expression}``, ``$name`` or ``$name.attribute``, and ``$$`` for one dollar.
_VALUE = re.compile(r"\{(?P<braces>[^{}]+)\}|\$(?P<name>[A-Za-z_][\w.]*)|\$\$")


class Commands:
    """The commands, with the values of a notebook's variables in their words.

    Args:
      variables: those of the notebook.
    """

    #: What a notebook calls without an import.
    display = staticmethod(print)

    def __init__(self, variables: Dict[str, Any]) -> None:
        self._variables = variables

    def system(self, command: str) -> None:
        """Runs ``!command``; what it prints comes where the notebook prints."""
        subprocess.run(self._with_values(command), shell=True)

    def getoutput(self, command: str) -> List[str]:
        """Returns the lines of ``lines = !command``."""
        return subprocess.getoutput(self._with_values(command)).splitlines()

    def script(self, shell: str, text: str) -> None:
        """Runs a cell of ``%%bash``; its text is the shell's, without our values."""
        subprocess.run([shell, "-c", text])

    def cd(self, folder: str) -> None:
        os.chdir(os.path.expanduser(self._with_values(folder).strip("'\"") or "~"))

    def env(self, setting: str) -> None:
        """Sets ``%env NAME=value`` or ``%env NAME value``."""
        name, _, value = setting.replace("=", " ", 1).partition(" ")
        if value:
            os.environ[name] = self._with_values(value.strip())

    def run(self, line: str) -> None:
        """Runs ``%run script.py words``; its variables come into the notebook."""
        words = shlex.split(self._with_values(line))
        before, sys.argv = sys.argv, words
        try:
            self._variables.update(runpy.run_path(words[0], run_name="__main__"))
        finally:
            sys.argv = before

    def writefile(self, line: str, text: str) -> None:
        """Writes the file of a cell of ``%%writefile [-a] path``."""
        words = shlex.split(self._with_values(line))
        with open(words[-1], "a" if "-a" in words else "w", encoding="utf-8") as file:
            file.write(text)

    def _with_values(self, command):
        return _VALUE.sub(self._value, command)

    def _value(self, match):
        if match.group() == "$$":
            return "$"
        try:
            return str(eval(match.group("braces") or match.group("name"), self._variables))
        except Exception:  # it is the shell's own, as $HOME and awk's {print $1} are
            return match.group()
