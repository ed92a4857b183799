"""Python 2's ``popen2``, and what ``ConfigParser`` and ``commands`` did otherwise.

Source: the library reference of Python 2.7.
"""


def _popen2():
    import subprocess

    def with_errors_to(stream):
        def popen(cmd, bufsize=-1, mode="t"):
            child = subprocess.Popen(
                cmd,
                shell=isinstance(cmd, str),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                universal_newlines=True,
            )
            pipes = (child.stdout, child.stdin, child.stderr)
            return tuple(pipe for pipe in pipes if pipe is not None)

        return popen

    return {
        "popen2": with_errors_to(None),
        "popen3": with_errors_to(subprocess.PIPE),
        "popen4": with_errors_to(subprocess.STDOUT),
    }


def _commands():
    import subprocess

    def getstatusoutput(cmd):
        code, output = subprocess.getstatusoutput(cmd)
        return (code << 8 if code >= 0 else -code), output  # as `os.wait` has it

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


#: module -> a function that gives its names.
WHOLE = {"popen2": _popen2}

#: old name of a module that has another name -> a function that gives what differed.
INSTEAD = {"ConfigParser": _config_parser, "UserDict": dict, "commands": _commands}
