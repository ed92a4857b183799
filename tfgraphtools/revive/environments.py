"""A virtual environment for the code, and programs run with its Python."""

import os
import re
import shutil
import subprocess
import sys

from tfgraphtools import child_python
from tfgraphtools.compat import tf_version
from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import timed_runs

#: With pkg_resources, and one that finds packages of today: that of Python 3.11's venv does not
#: find zope.interface, without which gevent does not start.
SETUPTOOLS = "setuptools>=80,<81"

#: What an environment from nothing gets before the packages of the code.
BASE = ("tensorflow", "tf_keras", "fissix", "pyyaml", "scipy", "tf_slim", SETUPTOOLS)

#: Packages that take long to build, or need compilers: only their wheels are installed.
_WHEELS_ONLY = (
    "numpy,scipy,pandas,scikit-learn,scikit-image,matplotlib,pillow,h5py,opencv-python,lxml,tables,"
    "numba,llvmlite,torch,grpcio,protobuf,tensorflow,spacy,cython,pyyaml,psutil,wxpython"
)
#: What a hook of git sets for the repository of which it is one.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")

_TIMEOUT = 900  # seconds, of one installation


class Environment:
    """A virtual environment in a folder.

    Args:
      folder: where it is, or is to be.
    """

    def __init__(self, folder):
        self.folder = folder
        self._around = os.path.dirname(folder)  # where its programs run: not in the repository,
        # whose modules they would import
        names = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
        self.python = os.path.join(folder, *names)

    def create(self, python, log):
        """Makes the environment, in place of one that was not finished.

        Without a Python, it is that of this process and a layer above what is installed there:
        TensorFlow is not installed again, and nothing that is installed changes.

        Args:
          python: "3.11", the path of a Python, or None.
          log: a file to which commands and their outputs are written.
        """
        if os.path.isdir(self.folder):
            shutil.rmtree(self.folder)
        base = _python(python)
        if shutil.which("uv") and python is not None:
            command = ["uv", "venv", "--seed", "--python", base, self.folder]
        else:
            command = [base, "-m", "venv", self.folder]
        if call(command, log, self._around)[0]:
            raise ArgumentError(
                f"revive --python {python or base}",
                "a Python that makes virtual environments",
                f"a failure of {' '.join(command)}",
                f"Read {log.name}; on Debian and Ubuntu: apt install python3-venv.",
            )
        if python is None:
            self._write_path(_folders_of_this_process())
            self.install([SETUPTOOLS], log)  # if not, most packages do without
            return
        code, text = self.install(BASE, log)
        if code:
            raise ArgumentError(
                f"revive --python {python}",
                "a Python for which TensorFlow can be installed",
                last_line(text),
                "Use Python 3.10 to 3.13, or run 'tfgraphtools revive' in an environment that has "
                "TensorFlow, without --python.",
            )
        self._copy_this_package()

    def _write_path(self, folders):
        lines = [f"import site; site.addsitedir({folder!r})" for folder in folders]
        with open(os.path.join(self._site(), "revive.pth"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def _copy_this_package(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        shutil.copytree(
            package,
            os.path.join(self._site(), os.path.basename(package)),
            ignore=shutil.ignore_patterns("__pycache__"),
        )

    def _site(self):
        question = "import sysconfig; print(sysconfig.get_path('purelib'))"
        command = child_python.code_command(self.python, question)
        return subprocess.check_output(command, text=True, cwd=self._around).strip()

    def install(self, packages, log):
        """Installs packages; returns (exit code, what pip printed)."""
        options = ["--prefer-binary", "--only-binary", _WHEELS_ONLY, "--no-input", "--quiet"]
        command = [self.python, "-m", "pip", "install", "--disable-pip-version-check", *options]
        return call([*command, *packages], log, self._around)

    def run_text(self, text, log, translated=()):
        """Runs Python code under ``tfgraphtools run``; returns (exit code, output).

        Args:
          text: the code.
          log: a file.
          translated: packages that `run` treats as user code.
        """
        options = [word for package in translated for word in ("--v1-package", package)]
        command = [self.python, "-m", "tfgraphtools", "run", "-q", *options, "-c", text]
        return call(command, log, self._around)

    def tfgraphtools(self, words, log, folder=None):
        """Runs a command of this library in the environment; returns (exit code, stdout)."""
        command = child_python.module_command(self.python, "tfgraphtools", *words)
        return call(command, log, folder or self._around, joined=False)

    def versions(self, packages):
        """Returns {package: installed version} of those that are installed."""
        text = (
            "import sys\nfrom importlib import metadata\nfor name in sys.argv[1:]:\n"
            "    try:\n        print(name, metadata.version(name))\n"
            "    except metadata.PackageNotFoundError:\n        pass\n"
        )
        command = child_python.code_command(self.python, text, *packages)
        output = subprocess.check_output(command, text=True, cwd=self._around)
        return dict(line.split() for line in output.splitlines())


def _python(python):
    """Returns the path of a Python, from "3.11", a path, or None for this one."""
    if python is None:
        version = tf_version.tensorflow_version()
        if version is None or version < tf_version.OLDEST:
            raise ArgumentError(
                "tfgraphtools revive",
                "TensorFlow 2.16 or newer beside tfgraphtools, or --python for a new environment",
                "no TensorFlow" if version is None else "TensorFlow " + ".".join(map(str, version)),
                "Write: tfgraphtools revive REPO --python 3.11",
            )
        return sys.executable
    name = "python" + python if re.fullmatch(r"3\.\d+", python) else python
    path = shutil.which(name)
    if path is None:
        raise ArgumentError(
            f"revive --python {python}",
            "the version or the path of a Python that is installed",
            f"no program {name}",
            "Install it, or leave out --python: the environment is then a layer above this one.",
        )
    return os.path.abspath(path)


def _folders_of_this_process():
    """Returns the folders of installed packages, and that of this library if it is another."""
    folders = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return folders if root in folders else [root, *folders]


def call(command, log, folder, joined=True, variables=None):
    """Runs a command, which goes to the log with what it prints.

    Args:
      command: its words.
      log: a file.
      folder: where it runs.
      joined: whether its stderr counts as what it prints, or goes to the log alone.
      variables: its environment; by default that of this process, without what a hook of git set.

    Returns:
      (exit code, stdout, with stderr if they are joined).
    """
    log.write("$ " + " ".join(child_python.readable(command)) + "\n")
    log.flush()
    stderr = subprocess.STDOUT if joined else log
    if variables is None:
        variables = {name: os.environ[name] for name in os.environ if name not in _OF_HOOKS}
    environment = dict(variables, PYTHONDONTWRITEBYTECODE="1")
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=_TIMEOUT,
            stdout=subprocess.PIPE, stderr=stderr, encoding="utf-8", errors="replace",
            preexec_fn=timed_runs.end_with_parent,
        )  # fmt: skip
        code, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, text = 124, f"it did not end in {_TIMEOUT} seconds"
    except OSError as error:
        code, text = 127, str(error)
    log.write(text + ("" if text.endswith("\n") else "\n"))
    log.flush()
    return code, text


def last_line(text):
    """Returns the last line of a text that says something: of errors, if there are any."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    # A package that cannot be built: what its own code raised is above pip's summary.
    errors = errors or [line for line in lines if re.match(r"\w*Error: ", line)]
    return (errors or lines or ["nothing was printed"])[-1]
