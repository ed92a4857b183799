"""Children that a script starts with an environment of its own, or an empty one.

What `inherit` wrote into the environment is added to each that a script makes up:
``subprocess.run(words, env={})``, ``os.execve``, or ``os.environ.clear()`` before either.
"""

import os
import subprocess
from typing import Dict

from tfgraphtools.compat.engine import notices, state
from tfgraphtools.compat.engine.loading import user_code

#: Options of Python by which it reads no environment, or no ``sitecustomize.py``.
_ISOLATING = frozenset("EIS")


def follow(added: Dict[str, str]) -> None:
    """Watches whatever starts processes until `state.restore`.

    Args:
      added: name of a variable -> its value in the environment of a child that lacks it;
        ``PYTHONPATH`` goes in front of the child's own.
    """

    def completed(environment):
        variables = os.environ if environment is None else environment
        as_bytes = bool(variables) and isinstance(next(iter(variables)), bytes)
        encode = os.fsencode if as_bytes else str
        missing = {encode(name): encode(value) for name, value in added.items()}
        path = encode("PYTHONPATH")
        if all(name in variables for name in missing):
            return environment
        own = variables.get(path)
        if own:
            missing[path] = encode(os.pathsep).join([missing[path], own])
        return dict(variables, **missing) if not as_bytes else {**variables, **missing}

    plain_start = subprocess.Popen._execute_child

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *more):
        _warn(args)
        env = completed(env)
        plain_start(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *more)

    state.set_attribute(subprocess.Popen, "_execute_child", _execute_child)
    for name in ("execve", "posix_spawn", "posix_spawnp"):
        if hasattr(os, name):
            state.set_attribute(os, name, _completing(getattr(os, name), completed))
    plain_execve = os.execve

    def execv(path, args):
        plain_execve(path, args, os.environ)

    state.set_attribute(os, "execv", execv)


def _completing(start_original, completed):
    def start(path, args, env, **options):
        _warn(args)
        return start_original(path, args, completed(env), **options)

    return start


def _warn(words):
    """Says that a Python will not run under compat, where its options keep that out."""
    if isinstance(words, (str, bytes, os.PathLike)) or len(words) < 3:
        return
    words = [os.fsdecode(word) for word in words]
    if not os.path.basename(words[0]).startswith("python"):
        return
    options = []
    for word in words[1:]:
        if not word.startswith("-") or word.startswith("--"):
            break
        options.append(word)
    script = words[1 + len(options)] if len(words) > 1 + len(options) else ""
    isolating = [word for word in options if _ISOLATING & set(word[1:])]
    if isolating and script.endswith(".py") and user_code.is_user_file(script):
        notices.later(
            f"option {isolating[0]} {script}",
            f"the option {isolating[0]} of python disables tfgraphtools, so {script} gets today's "
            f"TensorFlow. Start it without {isolating[0]}",
        )()
