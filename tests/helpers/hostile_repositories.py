"""Repositories in which everything that somebody could execute writes a witness.

A case is a function of a `Repository`; what it returns is the command line that executes what it
planted, the proof that the case is one: words for a shell, run in the repository.
"""

import os
import pickle
import stat
import subprocess
import sys
import zipfile

CODE = "import tensorflow as tf\nx = tf.Session()\ny = tf.mul(1, 2)\n"
PYTHON = f"'{sys.executable}'"

#: The cases, in the order of this file.
CASES = []


def case(function):
    """Adds a function to the cases."""
    CASES.append(function)
    return function


class Repository:
    """A folder "repo" with old code in it, and a folder that no reader may write to.

    Args:
      folder: a new folder.
    """

    def __init__(self, folder):
        self.folder = os.path.join(str(folder), "repo")
        self.witness = os.path.join(str(folder), "outside", "witness")
        self.program = self.path(".tools/program.sh")
        self.put("main.py", CODE + "if __name__ == '__main__':\n    tf.app.run()\n")
        self.put("README.md", "Train with TensorFlow 1.4:\n\n    python main.py\n")
        os.mkdir(os.path.dirname(self.witness))
        self.put(".tools/program.sh", f"#!/bin/sh\n{self.shell_text()}exit 1\n")
        os.chmod(self.program, stat.S_IRWXU)

    def path(self, name):
        return os.path.join(self.folder, *name.split("/"))

    def put(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)

    def shell_text(self):
        return f"echo >> '{self.witness}'\n"

    def python_text(self):
        return f"open({self.witness!r}, 'a').write('x')\n"

    def git(self, *words, inside="", data=None):
        options = ["user.name=a", "user.email=a@b", "protocol.file.allow=always"]
        options = [word for option in options for word in ("-c", option)]
        done = subprocess.run(
            ["git", "-C", self.path(inside), *options, *words],
            check=True,
            capture_output=True,
            input=data,
        )
        return done.stdout.decode().strip()

    def commit(self, inside=""):
        self.git("init", "-q", inside=inside)
        self.git("add", "-A", inside=inside)
        self.git("commit", "-qm", "x", inside=inside)

    def configured(self, *pairs, inside=""):
        """Commits all, then sets (name, value) in the configuration of the repository."""
        self.commit(inside)
        for name, value in pairs:
            self.git("config", name, value, inside=inside)

    def with_filter(self, kind, attributes="*.py filter=own\n"):
        self.commit()
        self.put(".git/info/attributes", attributes)
        self.git("config", f"filter.own.{kind}", self.program)
        os.utime(self.path("main.py"), (1, 1))

    def with_signature(self, name):
        """Commits, with a signature that says how to check it."""
        self.commit()
        commit = self.git("cat-file", "commit", "HEAD")
        head, _, message = commit.partition("\n\n")
        text = f"{head}\ngpgsig -----BEGIN {name}-----\n abc\n -----END {name}-----\n\n{message}\n"
        signed = self.git("hash-object", "-t", "commit", "-w", "--stdin", data=text.encode())
        self.git("update-ref", "HEAD", signed)
        self.git("config", "log.showSignature", "true")


# Git ------------------------------------------------------------------------------


@case
def monitor_of_files(repo):
    repo.configured(("core.fsmonitor", repo.program))
    return "git status"


@case
def signatures_shown_by_gpg(repo):
    repo.with_signature("PGP SIGNATURE")
    repo.git("config", "gpg.program", repo.program)
    return "git log -1"


@case
def signatures_shown_by_gpgsm(repo):
    repo.with_signature("SIGNED MESSAGE")
    repo.git("config", "gpg.x509.program", repo.program)
    return "git log -1"


@case
def signatures_shown_by_ssh(repo):
    repo.with_signature("SSH SIGNATURE")
    repo.git("config", "gpg.ssh.program", repo.program)
    repo.git("config", "gpg.ssh.allowedSignersFile", repo.path("README.md"))
    return "git log -1"


@case
def filter_that_cleans(repo):
    repo.with_filter("clean")
    return "git status"


@case
def filter_that_smudges(repo):
    repo.with_filter("smudge")
    return "git cat-file --filters :main.py"


@case
def filter_that_is_a_process(repo):
    repo.with_filter("process")
    return "git status"


@case
def filter_in_committed_attributes(repo):
    repo.put(".gitattributes", "*.py filter=own\n")
    repo.with_filter("clean", "")
    return "git status"


@case
def text_for_differences(repo):
    repo.put(".gitattributes", "*.py diff=own\n")
    repo.configured(("diff.own.textconv", repo.program))
    repo.put("main.py", CODE + "z = 1\n")
    return "git diff"


@case
def external_differences(repo):
    repo.configured(("diff.external", repo.program))
    repo.put("main.py", CODE + "z = 1\n")
    return "git diff"


@case
def pager(repo):
    repo.configured(("core.pager", repo.program), ("pager.log", "true"), ("pager.status", "true"))
    return f"{PYTHON} -c \"import pty; pty.spawn(['git', 'log'])\""


@case
def alias(repo):
    repo.configured(("alias.state", "!" + repo.program), ("alias.log", "!" + repo.program))
    return "git state"


@case
def included_configuration(repo):
    repo.put("more", f"[core]\nfsmonitor = {repo.program}\n")
    repo.configured(("include.path", repo.path("more")))
    return "git status"


@case
def included_on_a_condition(repo):
    repo.put("more", f"[core]\nfsmonitor = {repo.program}\n")
    repo.configured((f"includeIf.gitdir:{repo.folder}/.path", repo.path("more")))
    return "git status"


@case
def configuration_of_a_worktree(repo):
    repo.configured(("extensions.worktreeConfig", "true"))
    repo.put(".git/config.worktree", f"[core]\nfsmonitor = {repo.program}\n")
    return "git status"


@case
def configuration_of_a_submodule(repo):
    repo.commit()
    repo.put("sub/inner.py", CODE)
    repo.configured(("core.fsmonitor", repo.program), inside="sub")
    repo.git("submodule", "add", "./sub", "sub")
    repo.git("commit", "-qm", "y")
    os.remove(repo.witness) if os.path.exists(repo.witness) else None
    return "git status"


@case
def git_directory_elsewhere(repo):
    repo.configured(("core.fsmonitor", repo.program))
    os.rename(repo.path(".git"), repo.path("data"))
    repo.put(".git", f"gitdir: {repo.path('data')}\n")
    return "git status"


@case
def link_to_a_git_directory(repo):
    repo.configured(("core.fsmonitor", repo.program))
    os.rename(repo.path(".git"), repo.path("data"))
    os.symlink("data", repo.path(".git"))
    return "git status"


@case
def checkout_in_a_folder(repo):
    repo.commit()
    repo.put("nested/inner.py", CODE)
    repo.configured(("core.fsmonitor", repo.program), inside="nested")
    return "git -C nested status"


@case
def bare_repository_in_a_folder(repo):
    repo.commit()
    repo.git("clone", "-q", "--bare", repo.folder, "bare")
    repo.put("bare/inner.py", CODE)
    settings = f"[core]\nfsmonitor = {repo.program}\npager = {repo.program}\n"
    repo.put("bare/config", f"{settings}[alias]\nstate = !{repo.program}\n")
    return "git -C bare state"


@case
def files_in_another_folder(repo):
    repo.configured(("core.fsmonitor", repo.program), ("core.worktree", "../.."))
    return "git status"


@case
def hook(repo):
    repo.commit()
    for name in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman"):
        repo.put(f".git/hooks/{name}", f"#!/bin/sh\n{repo.shell_text()}")
        os.chmod(repo.path(f".git/hooks/{name}"), stat.S_IRWXU)
    os.utime(repo.path("main.py"), (1, 1))
    return "git status"


@case
def folder_of_hooks(repo):
    for name in ("post-index-change", "pre-commit", "post-checkout"):
        repo.put(f"hooks/{name}", f"#!/bin/sh\n{repo.shell_text()}")
        os.chmod(repo.path(f"hooks/{name}"), stat.S_IRWXU)
    repo.configured(("core.hooksPath", repo.path("hooks")))
    os.utime(repo.path("main.py"), (1, 1))
    return "git status"


@case
def objects_that_are_fetched(repo):
    """A partial clone gets the objects that it lacks from where its configuration says."""
    repo.configured(
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", repo.folder),
        ("remote.origin.uploadpack", repo.program),
    )
    commit = repo.git("rev-parse", "HEAD")
    os.remove(repo.path(f".git/objects/{commit[:2]}/{commit[2:]}"))
    return "git log -1"


@case
def editor(repo):
    repo.configured(("core.editor", repo.program), ("user.name", "a"), ("user.email", "a@b"))
    return "git commit --allow-empty"


@case
def secure_shell(repo):
    repo.configured(("core.sshCommand", repo.program), ("remote.origin.url", "ssh://a@localhost/b"))
    return "git fetch"


@case
def git_in_the_current_folder(repo):
    repo.commit()
    repo.put("git", f"#!/bin/sh\n{repo.shell_text()}")
    os.chmod(repo.path("git"), stat.S_IRWXU)
    return "PATH=.:$PATH git log"


# Python ---------------------------------------------------------------------------


def _module(name, trigger=None):
    """Makes the case of a module with a side effect."""

    def planted(repo):
        repo.put(name, repo.python_text())
        return trigger or f"{PYTHON} '{name}'"

    planted.__name__ = name.replace("/", "_").replace(".", "_")
    return case(planted)


_module("setup.py")
_module("conftest.py")
_module("sitecustomize.py", f"PYTHONPATH=. {PYTHON} -c 0")
_module("usercustomize.py", f"PYTHONPATH=. {PYTHON} -c 'import usercustomize'")
_module("__main__.py", f"{PYTHON} .")
_module("tests/test_all.py")
for _shadow in ("six", "html", "difflib", "shlex", "tempfile", "multiprocessing", "argparse"):
    _module(f"{_shadow}.py", f"{PYTHON} -c 'import {_shadow}'")
for _shadow in ("numpy", "tensorflow", "keras", "fissix", "json", "pip"):
    _module(f"{_shadow}/__init__.py", f"{PYTHON} -c 'import {_shadow}'")


@case
def package_that_acts(repo):
    repo.put("package/__init__.py", repo.python_text() + "names = dir()\n__path__ = [str(names)]\n")
    repo.put("package/module.py", repo.python_text())
    repo.put("main.py", CODE + "from package import *\nimport package.module as m\nm.f(tf.app)\n")
    return f"{PYTHON} -c 'import package'"


@case
def folders_of_packages(repo):
    act = f"__import__('os').system({repo.shell_text()!r})"
    repo.put("main.py", f"import sys\nsys.path.insert(0, str({act}))\n{CODE}import near\n")
    return f"sed 2q main.py | {PYTHON}"


@case
def conditions_that_act(repo):
    act = f"__import__('os').system({repo.shell_text()!r})"
    repo.put("main.py", f"import sys\nif {act} or sys.version_info < (3,):\n    import q\n{CODE}")
    return f"sed 3q main.py | {PYTHON}"


@case
def programs_of_python(repo):
    """Modules of Python that run a program when they are imported."""
    repo.put("test_a.py", repo.python_text())
    repo.put("main.py", f"import unittest.__main__\nfrom unittest.__main__ import main\n{CODE}")
    return f"{PYTHON} -m unittest.__main__ test_a"


@case
def path_file(repo):
    text = f"import os; os.system({repo.shell_text()!r})\n"
    repo.put("site-packages/evil.pth", text)
    return f"{PYTHON} -c \"import site; site.addsitedir('site-packages')\""


class _Acting:
    def __init__(self, text):
        self.text = text

    def __reduce__(self):
        return os.system, (self.text,)


@case
def pickles(repo):
    data = pickle.dumps(_Acting(repo.shell_text()))
    for name in ("data.pkl", "model.pt", "weights.npy", "model.ckpt", "checkpoint.pth"):
        repo.put(name, data)
    repo.put("main.py", CODE + "import pickle\npickle.load(open('data.pkl', 'rb'))\n")
    return f"{PYTHON} -c \"import pickle; pickle.load(open('data.pkl', 'rb'))\""


@case
def pickles_in_archives(repo):
    import numpy as np

    np.savez(repo.path("weights.npz"), a=np.array([_Acting(repo.shell_text())], dtype=object))
    with zipfile.ZipFile(repo.path("model.pt"), "w") as archive:
        archive.writestr("model/data.pkl", pickle.dumps(_Acting(repo.shell_text())))
        archive.writestr("model/version", "3\n")
    return f"{PYTHON} -c \"import numpy; numpy.load('weights.npz', allow_pickle=True)['a']\""


@case
def build_back_end(repo):
    repo.put("back/end.py", repo.python_text())
    text = '[build-system]\nrequires = []\nbuild-backend = "end"\nbackend-path = ["back"]\n'
    repo.put("pyproject.toml", text + "[tool.black]\nline-length = 80\n[tool.setuptools.dynamic]\n")
    return f"{PYTHON} back/end.py"


@case
def requirements_that_build(repo):
    repo.put("setup.py", repo.python_text())
    repo.put("requirements.txt", "-e .\n./\n--index-url file:///nowhere\n-r /dev/stdin\n")
    return f"{PYTHON} setup.py"


@case
def notebook(repo):
    repo.put(
        "a.ipynb",
        '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": '
        f'["!{repo.program}\\n", "%run main.py\\n", "%load_ext act\\n", "import act"]}}], '
        '"metadata": {}, "nbformat": 4, "nbformat_minor": 2}',
    )
    repo.put("act.py", repo.python_text())
    return f"{PYTHON} act.py"


@case
def texts_that_name_commands(repo):
    repo.put("Makefile", f"all:\n\t{repo.program}\n")
    repo.put("Dockerfile", f"FROM a\nRUN {repo.program}\n")
    repo.put(".env", f"A=$({repo.program})\n")
    repo.put(".travis.yml", f"script:\n  - ./{'.tools/program.sh'}\n  - python main.py $(./a.sh)\n")
    repo.put("README.md", "    ./.tools/program.sh\n    python main.py `./.tools/program.sh`\n")
    repo.put("README.rst", 'LAUNCH="horovodrun python main.py"\n\n    python main.py; ./run.sh\n')
    return "make || .tools/program.sh"


@case
def encoding_of_a_source(repo):
    repo.put("encodings/evil.py", repo.python_text())
    repo.put("evil.py", repo.python_text())
    repo.put("b.py", f"# coding: evil\n{CODE}")
    return f"{PYTHON} evil.py"
