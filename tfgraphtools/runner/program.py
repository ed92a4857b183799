"""Runs a TF1 script or module as ``__main__``, under compat.

What the script sees is what plain Python gives it: ``sys.argv``, ``sys.path[0]``,
``__file__``, ``__name__``, its exit code, its signals and its ``atexit``. An
error shows the script's own traceback.
"""

import importlib.machinery
import importlib.util
import os
import sys
import types
import zipfile
import zipimport
from typing import Optional, Sequence

from tfgraphtools import compat, faq
from tfgraphtools.compat.engine.loading import launchers, shadows, user_builtins, user_code
from tfgraphtools.compat.engine.translate import source
from tfgraphtools.compat.fixes.numpy import scalar_printing
from tfgraphtools.errors import ArgumentError, SwitchError
from tfgraphtools.runner import advice, commands, notebook, tracebacks


class Program:
    """A script or a module, ready to be run as ``__main__``.

    Args:
      target: the path of a script or notebook (or of a folder or archive with a
        ``__main__.py``), or the name of a module, or "-" for a script on standard input, or
        "-c" for a text.
      arguments: the words after it.
      as_module: whether `target` is the name of a module.
      source: what was read from standard input already, or the text of "-c".
    """

    def __init__(
        self,
        target: str,
        arguments: Sequence[str] = (),
        as_module: bool = False,
        source: Optional[bytes] = None,
    ) -> None:
        self.target = target
        self.arguments = list(arguments)
        self.as_module = as_module
        self.source = source
        self.is_archive = not as_module and is_archive(target)
        self.is_notebook = not as_module and target.endswith(".ipynb")
        if as_module:
            self.path = None
        elif target == "-":
            self.path = "<stdin>"
            self.source = sys.stdin.buffer.read() if source is None else source
        elif target == "-c":
            self.path = "<string>"
        else:
            self.path = _script_file(target)
            _require_main(target)
            self.source = notebook.source_of(target) if self.is_notebook else None

    @property
    def folder(self) -> str:
        """What plain Python puts first into ``sys.path``."""
        if self.target in ("-", "-c") and not self.as_module:
            return ""
        if self.is_archive:
            return self.path
        return os.getcwd() if self.as_module else os.path.dirname(os.path.realpath(self.path))

    def run(self, options: compat.Options) -> int:
        """Runs it; returns 0 when it ends, and leaves as plain Python would when it does not.

        Raises:
          SystemExit: the script's own, or 1 after an error whose traceback was printed.
          KeyboardInterrupt: after its traceback was printed.
        """
        compat.activate(options, running_code=False)
        if not compat.is_tf1():
            shadows.keep_pythons_own(os.path.realpath(self.folder))
        sys.path[0] = self.folder
        try:
            main, code = self._load_as_module() if self.as_module else self._load_script()
            exec(code, vars(main))
            return 0
        except SystemExit:
            raise
        except SwitchError as error:  # of a comment, wherever it stands
            print(f"tfgraphtools run: {error}", file=sys.stderr)
            raise SystemExit(2)
        except KeyboardInterrupt:
            _show(*sys.exc_info())
            sys.excepthook = _silent
            raise
        except BaseException:
            _show(*sys.exc_info())
            raise SystemExit(1)

    def _load_script(self):
        main = _main_module()
        if self.is_archive:
            return self._load_from_archive(main)
        path = self.path
        if self.target not in ("-", "-c"):
            # As Python names it: before 3.9 as given, since then absolute, but not made shorter.
            path = path if sys.version_info < (3, 9) else os.path.join(os.getcwd(), path)
            main.__file__ = path
            main.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
        if self.is_notebook:
            main._ipython = commands.Commands(vars(main))
            main.display = main._ipython.display
        sys.argv[:] = [self.target, *self.arguments]
        data = self.source
        if data is None:
            with open(path, "rb") as file:
                data = file.read()
        if compat.is_tf1():
            return main, compile(data, path, "exec", dont_inherit=True)
        code = source.code_of(data, path)
        main.__builtins__ = user_builtins.users_of(path)
        return main, code

    def _load_from_archive(self, main):
        main.__loader__ = zipimport.zipimporter(self.path)
        main.__file__ = os.path.join(self.path, "__main__.py")
        main.__package__ = ""
        sys.argv[:] = [self.target, *self.arguments]
        if compat.is_tf1():
            return main, main.__loader__.get_code("__main__")
        code = source.code_of(main.__loader__.get_source("__main__").encode(), main.__file__)
        main.__builtins__ = user_builtins.users_of(main.__file__)
        return main, code

    def _load_as_module(self):
        sys.argv[:] = ["-m", *self.arguments]
        spec = _spec_of(self.target)
        code = spec.loader.get_code(spec.name)
        main = _main_module()
        main.__file__, main.__spec__, main.__loader__ = spec.origin, spec, spec.loader
        main.__package__, main.__cached__ = spec.parent, spec.cached
        if not compat.is_tf1():
            if user_code.is_user(spec.name, spec.origin):
                main.__builtins__ = user_builtins.users_of(spec.origin)
            elif launchers.is_launcher(spec.name):
                launchers.watch(main)
        sys.argv[0] = spec.origin
        return main, code


def _script_file(target):
    path = os.path.join(target, "__main__.py") if os.path.isdir(target) else target
    if not os.path.isfile(path):
        raise ArgumentError(
            "run " + target,
            "the file of a script",
            "a folder without __main__.py" if os.path.isdir(target) else "no such file",
            "Give the path of the script, or -m and the name of a module.",
        )
    return path


def _require_main(path):
    """Raises `ArgumentError` where a file is an archive that Python could not run."""
    if not is_archive(path):
        return
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    if not any(name.startswith("__main__.py") for name in names):
        raise ArgumentError(
            "run " + path,
            "the file of a script",
            "an archive without __main__.py",
            "Give the path of the script, or -m and the name of a module.",
        )


def _spec_of(module):
    """Returns the spec of a module that can run, or of the ``__main__`` of a package.

    Raises:
      SystemExit: there is none, which a line has said.
    """
    got = "no such module"
    try:
        spec = importlib.util.find_spec(module)
        if spec is not None and spec.submodule_search_locations is not None:
            got = "a package without __main__.py"
            spec = importlib.util.find_spec(module + ".__main__")
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):
            raise  # of an import in a package above it
        spec = None
    if spec is not None and hasattr(spec.loader, "get_code"):
        return spec
    fix = "Check its name and the folder, or give the path of a script."
    error = ArgumentError(f"run -m {module}", "a module that Python finds", got, fix)
    print(f"tfgraphtools: {error}", file=sys.stderr)
    raise SystemExit(2)


def is_archive(path: str) -> bool:
    """Tells whether Python would look for a ``__main__.py`` inside of this file."""
    return os.path.isfile(path) and zipfile.is_zipfile(path)


def _main_module():
    """Returns a new ``__main__``, with Python's own builtins."""
    main = types.ModuleType("__main__")
    main.__builtins__ = sys.modules["builtins"]
    main.__annotations__ = {}
    main.__cached__ = None
    sys.modules["__main__"] = main
    return main


def _show(kind, error, trace):
    """Prints the traceback as Python does, without our frames, and what is known of its cause."""
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace
    own_failure = tracebacks.own_failure(error)
    error = tracebacks.users_own(error)
    sys.stdout.flush()
    scalar_printing.in_mode(tracebacks.show, kind, error, error.__traceback__)
    if own_failure:
        lines = [
            f"the error is in tfgraphtools, not in your code: {own_failure}. Please report it."
        ]
    else:
        link = faq.link_for(f"{kind.__name__}: {tracebacks.message(error)}")
        lines = [link and f"see {link}", advice.line_for(error)]
    for line in filter(None, lines):
        print("tfgraphtools: " + line, file=sys.stderr)


def _silent(*error):
    """Stands for ``sys.excepthook`` when the error has been shown."""
