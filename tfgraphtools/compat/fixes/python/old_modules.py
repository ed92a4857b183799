"""Modules of Python 2 that nothing has any more, and names that others had besides.

Source: the library reference of Python 2.7.
"""


def _new():
    import types

    def function(code, globals, name=None, argdefs=None, closure=None):
        return types.FunctionType(code, globals, name, argdefs, closure)

    def instancemethod(function, instance, cls=None):
        return function if instance is None else types.MethodType(function, instance)

    def classobj(name, bases, namespace):
        return type(name, bases, dict(namespace))

    def instance(cls, namespace=None):
        made = object.__new__(cls)
        vars(made).update(namespace or {})
        return made

    return {
        "classobj": classobj,
        "code": types.CodeType,
        "function": function,
        "instance": instance,
        "instancemethod": instancemethod,
        "module": types.ModuleType,
    }


def _mutex():
    class mutex:  # noqa: N801 (its name in Python 2)
        """A flag that is set and tested at once, and what waits for it."""

        def __init__(self):
            self.locked = False
            self._waiting = []

        def test(self):
            """Whether it is locked."""
            return self.locked

        def testandset(self):
            """Locks it; False where it is locked already."""
            if self.locked:
                return False
            self.locked = True
            return True

        def lock(self, function, argument):
            """Calls ``function(argument)`` as soon as it is locked for it."""
            if self.testandset():
                function(argument)
            else:
                self._waiting.append((function, argument))

        def unlock(self):
            """Unlocks it, or calls what waits next."""
            if self._waiting:
                function, argument = self._waiting.pop(0)
                function(argument)
            else:
                self.locked = False

    return {"mutex": mutex}


def _dircache():
    import os

    cache = {}

    def listdir(path):
        changed = os.stat(path).st_mtime
        known = cache.get(path)
        if known is None or known[0] != changed:
            known = cache[path] = changed, sorted(os.listdir(path))
        return known[1]

    def annotate(head, names):
        for place, name in enumerate(names):
            if os.path.isdir(os.path.join(head, name)):
                names[place] = name + "/"

    return {"annotate": annotate, "listdir": listdir, "opendir": listdir, "reset": cache.clear}


def _popen2():
    import subprocess

    class Popen3:
        """A process with pipes of text."""

        def __init__(self, cmd, capturestderr=False, bufsize=-1, _errors=None):
            pipe = subprocess.PIPE
            self.cmd = cmd
            self._process = subprocess.Popen(
                cmd,
                shell=isinstance(cmd, str),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe if capturestderr else _errors,
                universal_newlines=True,
            )
            self.tochild, self.fromchild = self._process.stdin, self._process.stdout
            self.childerr, self.pid = self._process.stderr, self._process.pid

        def poll(self):
            """The status of the process, or -1 while it runs."""
            code = self._process.poll()
            return -1 if code is None else _status(code)

        def wait(self):
            """The status of the process when it has ended."""
            return _status(self._process.wait())

    class Popen4(Popen3):
        """A process whose errors go where its output goes."""

        def __init__(self, cmd, bufsize=-1):
            super().__init__(cmd, _errors=subprocess.STDOUT)
            self.childerr = None

    def popen2(cmd, bufsize=-1, mode="t"):
        made = Popen3(cmd)
        return made.fromchild, made.tochild

    def popen3(cmd, bufsize=-1, mode="t"):
        made = Popen3(cmd, True)
        return made.fromchild, made.tochild, made.childerr

    def popen4(cmd, bufsize=-1, mode="t"):
        made = Popen4(cmd)
        return made.fromchild, made.tochild

    return {
        "Popen3": Popen3,
        "Popen4": Popen4,
        "popen2": popen2,
        "popen3": popen3,
        "popen4": popen4,
    }


def _status(code):
    """The code of an ended process as `os.wait` has it."""
    return code << 8 if code >= 0 else -code


def _commands():
    import subprocess

    def getstatusoutput(cmd):
        code, output = subprocess.getstatusoutput(cmd)
        return _status(code), output

    return {"getstatusoutput": getstatusoutput}


def _config_parser():
    import configparser

    def parser(base, name):
        class Parser(base):
            def __init__(self, defaults=None, dict_type=dict, allow_no_value=False):
                super().__init__(
                    defaults,
                    dict_type,
                    allow_no_value,
                    inline_comment_prefixes=(";",),
                    strict=False,
                )

            def readfp(self, fp, filename=None):
                """Reads an open file."""
                self.read_file(fp, filename)

        Parser.__name__ = Parser.__qualname__ = name
        return Parser

    bases = {"ConfigParser": "ConfigParser", "SafeConfigParser": "ConfigParser"}
    bases["RawConfigParser"] = "RawConfigParser"
    return {name: parser(getattr(configparser, base), name) for name, base in bases.items()}


def _user_dict():
    import collections.abc

    class DictMixin(collections.abc.MutableMapping):
        """The methods of a dict, for a class that has ``keys`` and the four of items."""

        def __iter__(self):
            return iter(self.keys())

        def __len__(self):
            return len(self.keys())

        def __delitem__(self, key):
            raise NotImplementedError

        def __setitem__(self, key, value):
            raise NotImplementedError

        def __contains__(self, key):
            try:
                self[key]
            except KeyError:
                return False
            return True

        def __cmp__(self, other):
            mine, others = sorted(self.items()), sorted(other.items())
            return (mine > others) - (mine < others)

        def __repr__(self):
            return repr(dict(self.items()))

        def values(self):
            """The values, in a list."""
            return [self[key] for key in self.keys()]

        def items(self):
            """The pairs, in a list."""
            return [(key, self[key]) for key in self.keys()]

    return {"DictMixin": DictMixin}


#: module -> a function that gives its names.
WHOLE = {"dircache": _dircache, "mutex": _mutex, "new": _new, "popen2": _popen2}

#: old name of a module that has another name -> a function that gives what differed.
INSTEAD = {"ConfigParser": _config_parser, "UserDict": _user_dict, "commands": _commands}
