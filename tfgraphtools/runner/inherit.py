"""Processes that a script starts run under compat too, however it starts them.

``subprocess.run([sys.executable, "other.py"])``, a shell script that calls ``python``,
multiprocessing, joblib's workers: each is a Python that reads its environment. There
it finds a folder with a ``sitecustomize.py`` of ours, and the options of the run.
Only a Python of the same environment (``sys.prefix``) is concerned.
"""

import atexit
import importlib.machinery
import json
import os
import sys
import threading
from typing import Any, Dict

from tfgraphtools import compat, environment_variables
from tfgraphtools.compat.engine import notices, state
from tfgraphtools.compat.engine.loading import children, own_code, user_builtins
from tfgraphtools.compat.engine.options import of_json
from tfgraphtools.runner.program import Program, is_archive

#: The environment variable that holds the options of the run.
VARIABLE = environment_variables.RUN

#: The folder of our ``sitecustomize.py``.
STARTUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "startup")


def follow(options: compat.Options) -> None:
    """Makes every Python that this process starts activate compat first.

    Args:
      options: those of the run.
    """
    if not os.path.isfile(os.path.join(STARTUP, "sitecustomize.py")):
        notices.once(
            "inherit",
            "processes that the script starts do not see the TF1 API: expected the file "
            f"sitecustomize.py in {STARTUP}, got none. Install tfgraphtools again",
        )
        return
    run = {
        "options": options._replace(tells_versions=False)._asdict(),  # this process says it
        "folder": os.path.dirname(os.path.dirname(own_code.FOLDERS[0])),
        "prefix": sys.prefix,
    }
    state.set_item(os.environ, VARIABLE, json.dumps(run))
    children.follow({VARIABLE: os.environ[VARIABLE], "PYTHONPATH": STARTUP})
    path = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    if STARTUP not in path:
        state.set_item(os.environ, "PYTHONPATH", os.pathsep.join([STARTUP, *path]))


def begin(run: Dict[str, Any]) -> None:
    """Activates compat in a process that Python is starting; called by ``sitecustomize``.

    Args:
      run: what `follow` wrote into the environment.
    """
    options = of_json(run["options"])
    compat.activate(options, running_code=False)
    follow(options)
    vars(sys.modules["__main__"])["__builtins__"] = user_builtins.users()  # of python -c
    script = sys.argv[0] if getattr(sys, "argv", None) else ""
    if script in ("", "-") and _reads_its_script():
        _run_from_stdin(options)
    elif script == "-c":
        _run_command(_command(), options)
    elif script != "-m" and os.path.isfile(script) and not is_archive(script):
        _run_through(script, options)


def _reads_its_script():
    """Tells whether ``python`` reads a script from a file, pipe or here document."""
    name = os.path.basename((getattr(sys, "orig_argv", None) or [""])[0])  # another program's
    is_python = name.startswith("python")
    try:
        return is_python and not sys.flags.interactive and not os.isatty(0)
    except OSError:  # closed
        return False


def _run_from_stdin(options):
    """Reads the script, and leaves in its place for Python to read what runs it."""
    with open(0, "rb", closefd=False) as file:
        text = file.read()
    reading, writing = os.pipe()
    os.write(writing, _RUN.encode())
    os.close(writing)
    os.dup2(reading, 0)
    os.close(reading)
    _waiting.append((Program("-", sys.argv[1:], source=text), options))


def _command():
    """Returns the text after ``-c``; None where Python does not say its arguments."""
    words = iter(getattr(sys, "orig_argv", ())[1:])
    for word in words:
        for place, letter in enumerate(word[1:] if word[:2] != "--" else "", 1):
            if letter == "c":
                return word[place + 1 :] or next(words, None)
            if letter in "WX":
                if place == len(word) - 1:
                    next(words, None)
                break
    return None


def _run_command(text, options):
    """Makes Python run the text by `Program`, instead of the code that Python compiled."""
    if text is None or text.startswith("from multiprocessing") or sys.flags.interactive:
        return  # multiprocessing's own text, or Python's
    program = Program("-c", sys.argv[1:], source=text.encode("utf-8", "surrogateescape"))
    try:
        compile(text, "<string>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):  # Python 2, which Python would not even begin
        _run_and_leave(program, options)

    def in_its_place(frame, event, argument):
        if frame.f_globals is not vars(sys.modules["__main__"]):
            return
        sys.settrace(before)
        raise SystemExit(program.run(options))

    before = sys.gettrace()
    sys.settrace(in_its_place)


def _run_and_leave(program, options):
    """Runs it now and ends the process as Python does."""
    status = 0
    try:
        program.run(options)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if not isinstance(end.code, (int, type(None))):
            print(end.code, file=sys.stderr)
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _run_through(script, options):
    """Makes Python run the script by `Program`.

    Python asks the hooks of ``sys.path`` first whether a script is a folder or an archive,
    whose ``__main__`` it then loads by its finder. Ours claims this one file.
    """

    class Loader:
        @staticmethod
        def get_code(name):
            sys.path_hooks.remove(hook)
            _forget()
            _waiting.append((Program(script, sys.argv[1:]), options))
            return compile(_RUN, __file__, "exec")

    class Finder:
        @staticmethod
        def find_spec(name, target=None):
            return importlib.machinery.ModuleSpec(name, Loader) if name == "__main__" else None

    def hook(path):
        if path not in (script, os.path.join(os.getcwd(), script)):
            raise ImportError(path)
        return Finder

    def _forget():
        for path in (script, os.path.join(os.getcwd(), script)):
            sys.path_importer_cache.pop(path, None)

    sys.path_hooks.insert(0, hook)
    _forget()


#: What Python runs instead of the script.
_RUN = "from tfgraphtools.runner import inherit\ninherit.run_script()\n"

#: The `Program` that this process was started for, and the options of the run.
_waiting = []


def run_script() -> None:
    """Runs the script that this process was started for, as ``__main__``."""
    program, options = _waiting.pop()
    program.run(options)
