"""Commands as whole processes: seconds, seconds of processor time and peak memory, as a table."""

import os
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def checked(command, **options):
    """Runs a command like `subprocess.run`; its last line says why it failed, and ends the script.

    Args:
      command: the program and its arguments.
      **options: of `subprocess.run`, without ``check`` and ``stderr``.
    """
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(command, stderr=errors, check=False, **options)
        if done.returncode:
            raise SystemExit(failure(command, done.returncode, errors))
    return done


def failure(command, status, errors):
    """Returns the text about a command that failed: its last line, if it wrote one.

    Args:
      command: the program and its arguments.
      status: its exit code.
      errors: the file that was its stderr.
    """
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    last = lines[-1] if lines else "it wrote nothing to stderr"
    return "failed with exit code {}: {}\n  {}".format(status, " ".join(map(str, command)), last)


def run(command, remove=()):
    """(seconds, processor seconds, peak MB) of a process; what it writes is removed first."""
    for path in remove:
        for name in os.listdir(os.path.dirname(path)):
            if name.startswith(os.path.basename(path)):
                os.remove(os.path.join(os.path.dirname(path), name))
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    begun = time.time()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status:
            raise SystemExit(failure(command, status, errors))
    seconds = time.time() - begun
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024.0


class Group:
    """Lines that are compared with their first one; the repeats of all lines take turns."""

    def __init__(self, title, repeat):
        self._title, self._repeat, self._lines = title, repeat, []

    def add(self, label, command, remove=()):
        self._lines.append((label, command, remove))

    def show(self):
        print("\n{:<40} {:>9} {:>10} {:>9}".format(self._title, "seconds", "processor", "memory"))
        best = [None] * len(self._lines)
        for _ in range(self._repeat):
            for i, (_, command, remove) in enumerate(self._lines):
                found = run(command, remove)
                best[i] = found if best[i] is None else tuple(map(min, best[i], found))
        for (label, _, _), (seconds, processor, memory) in zip(self._lines, best):
            line = "  {:<38} {:9.3f} {:10.3f} {:6.0f} MB  x{:.2f}"
            print(line.format(label, seconds, processor, memory, seconds / best[0][0]), flush=True)
