"""The version of each package: what `doctor` says, the repository's pin, else the newest."""

import json
import keyword
import re
from typing import NamedTuple

from tfgraphtools.compat.constraints import pins
from tfgraphtools.revive import environments, version_ladder
from tfgraphtools.revive.declared_packages import PROVIDED

_MARK = "imports that fail: "

_BEGIN = "import that begins: "

#: Imports a module under `run`; what fails, with the advice of `run`, goes to ``failures``.
_IMPORT = """\
os.write(1, ("\\n" + {1!r} + {0!r} + "\\n").encode())
try:
    import {0}
except BaseException as error:
    advice = removed_names.remedy_for(error) or ""
    failures[{0!r}] = type(error).__name__ + ": " + str(error), advice"""

#: The package that it names, and why.
_TRANSLATING = re.compile(r"--v1-package (\S+) .*\((.+)\)")

#: The package whose own requirement the index lacks, in what pip prints.
_ASKED_BY = re.compile(r"satisfies the requirement \S+ \(from (?!versions)([\w.-]+)")

#: The packages that exclude each other, in what pip prints.
_CONFLICT = re.compile(r"ERROR: Cannot install (.+) because these package versions")


class Choice(NamedTuple):
    """A package and the version that was installed.

    Fields:
      package: its name.
      version: the installed one; None if it is not installed.
      reason: why this version, or why none.
      place: what asks for it, "FILE:LINE".
      tried: what failed before, each with its reason.
    """

    package: str
    version: str
    reason: str
    place: str
    tried: tuple = ()


def constraints_of(lines):
    """Returns {package: (requirement, reason)} of the lines that `doctor` writes."""
    result, reasons = {}, []
    for line in lines[2:]:  # after the head of the file
        if line.startswith("#"):
            reasons.append(line.lstrip("# "))
        else:
            name = re.match(r"[\w.-]+", line).group()
            result[pins.normalized(name)] = line, "; ".join(reasons)
            reasons = []
    return result


def install(environment, packages, constraints, installs_unknown, python, log):
    """Installs the packages, and tries each version by importing what the code imports.

    Args:
      environment: an `environments.Environment`.
      packages: `declared_packages.Requirement`s.
      constraints: those of `constraints_of`.
      installs_unknown: whether packages are installed that no table knows.
      python: as for `Environment.create`: it is made again without the versions that failed.
      log: a file.

    Returns:
      (a `Choice` of each package, {module: why `run` is to translate its package, too}).
    """
    accepted, refused = [], []
    for package in packages:
        is_accepted = (package.is_known or installs_unknown) and not package.why_not
        (accepted if is_accepted else refused).append(package)
    candidates = {package.package: _candidates(package, constraints) for package in accepted}
    tried = {name: [] for name in candidates}
    base = [f"{name}=={v}" for name, v in environment.versions(["tensorflow"]).items()]
    others = set(constraints) - {package.package for package in packages} - PROVIDED
    base += _limits(environment, [constraints[name][0] for name in sorted(others)])
    absent = _all_at_once(environment, candidates, tried, base, log)
    failures, translated = _failing_imports(environment, accepted, log)
    while True:  # an older version that installs, but does not import
        refuted = [
            package
            for package in accepted
            if _error_of(package, failures) and len(candidates[package.package]) > 1
        ]
        if not refuted:
            break
        for package in refuted:
            spec = candidates[package.package].pop(0)[0]
            tried[package.package].append(f"{spec}: {_error_of(package, failures)}")
        environment.create(python, log)  # without what these needed
        present = {name: specs for name, specs in candidates.items() if name not in absent}
        absent = absent + _all_at_once(environment, present, tried, base, log)
        failures, translated = _failing_imports(environment, accepted, log)
    versions = environment.versions([*(package.package for package in packages), *sorted(others)])
    choices = [
        _choice(package, candidates, tried, versions, failures) for package in accepted
    ]  # fmt: skip
    choices += [
        Choice(name, versions[name], constraints[name][1], "tfgraphtools doctor")
        for name in others
        if name in versions
    ]
    why = "in no table of known packages: --yes installs it"
    for package in refused:
        version = versions.get(package.package)
        reason = (package.why_not or why) if version is None else "the version that was there"
        choices.append(Choice(package.package, version, reason, package.place))
    return sorted(choices), translated


def _limits(environment, lines):
    """Returns the options of pip for packages that the code does not name, and others need."""
    if not lines:
        return []
    path = environment.folder + "-constraints.txt"
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return ["-c", path]


def _candidates(package, constraints):
    """Returns [(requirement, reason)], the preferred first."""
    name = package.package
    specs = []
    if name in constraints:
        specs.append(constraints[name])
    elif package.limit and package.modules:  # a pin of what is not imported is another's
        file = package.place.partition(":")[0]
        is_import = file.endswith(".py") and file != "setup.py"
        why = "uses the API of the TF 1 years" if is_import else "asks for it"
        specs.append((name + package.limit, f"{package.place} {why}"))
    near = version_ladder.nearest(name, specs[0][0][len(name) :]) if specs else []
    specs += [(spec, f"{specs[0][0]} cannot be installed or imported") for spec in near]
    newest = "no version is asked for"
    if specs:
        newest = f"{specs[0][0]} cannot be installed or imported beside this TensorFlow"
    elif package.limit:
        newest = f"no source imports it, so {package.limit} does not count"
    return [*specs, (name, newest)]


def _all_at_once(environment, candidates, tried, base, log):
    """Installs what can be; a pin that is refused costs one more try, of all others.

    Args and returns as `_in_halves`, which follows on any other error.
    """
    absent = []
    while True:
        present = {name: specs[0][0] for name, specs in candidates.items() if name not in absent}
        code, text = environment.install([*present.values(), *base], log) if present else (0, "")
        if code == 0:
            return absent
        name = _refused(present, candidates, text)
        if name is None:
            others = {name: candidates[name] for name in present}
            return absent + _in_halves(environment, others, tried, base, log)
        tried[name].append(f"{present[name]}: {_reason(text)}")
        if len(candidates[name]) > 1:
            candidates[name].pop(0)
        else:
            absent.append(name)


def _refused(present, candidates, text):
    """Returns the package that pip's message names as the one that cannot be, or None.

    Of several that exclude each other it is the last whose version the code only prefers.
    """
    error = environments.last_line(text)
    asked_by = [pins.normalized(name) for name in _ASKED_BY.findall(text)]
    lacking = [n for n in present if n in asked_by or error.endswith(f" for {present[n]}")]
    if lacking:
        return lacking[0]
    in_conflict = _in_conflict(text)
    names = [name for name in present if name in in_conflict]
    preferred = [name for name in names if len(candidates[name]) > 1]
    return (preferred or names or [None])[-1]


def _in_conflict(text):
    """Returns the packages that exclude each other, as pip names them with all their versions."""
    specs = re.split(r",? and |, ", "".join(_CONFLICT.findall(text)))
    names = (pins.normalized(re.split(r"[\s\[<>=!~]", spec)[0]) for spec in specs)
    return list(dict.fromkeys(filter(None, names)))


def _reason(text):
    """Returns why pip installed nothing, in one line."""
    names = _in_conflict(text)
    if names:
        return f"pip finds no versions of {', '.join(names)} that go together"
    return environments.last_line(text)


def _in_halves(environment, candidates, tried, base, log):
    """Installs what can be, and leaves in `candidates` what was installed or the last try.

    Returns:
      the names of packages that cannot be installed.
    """
    chosen, absent, groups = [], [], _halves(list(candidates))
    while groups:
        names = groups.pop()
        specs = [candidates[name][0][0] for name in names]
        code, text = environment.install([*chosen, *specs, *base], log)
        if code == 0:
            chosen += specs
        elif len(names) > 1:
            groups += _halves(names)
        else:
            tried[names[0]].append(f"{specs[0]}: {_reason(text)}")
            if len(candidates[names[0]]) > 1:
                candidates[names[0]].pop(0)
                groups.append(names)
            else:
                absent += names
    return absent


def _halves(names):
    """Returns the second half and the first, which is taken first; one name is one half."""
    middle = len(names) // 2
    return [half for half in (names[middle:], names[:middle]) if half]


def _failing_imports(environment, packages, log):
    """Tries what the code imports under `run`, which translates packages where that helps.

    Returns:
      ({module: its error} of those that fail, {package: why it is translated}).
    """
    modules = sorted({module for package in packages for module in package.modules})
    failures, translated = {}, {}
    while modules:
        failures = _failures(environment, modules, list(translated), log)
        advised = filter(None, (_TRANSLATING.search(advice) for _, advice in failures.values()))
        new = {match.group(1): match.group(2) for match in advised}
        if new.keys() <= translated.keys():
            break
        translated.update(new)
    return {module: error for module, (error, _) in failures.items()}, translated


def _failures(environment, modules, translated, log):
    """Returns {module: (its error, the advice of `run`)} of the modules that cannot be imported.

    One that ends the process is named, and the others are tried without it.
    """
    failures = {module: (_NO_NAME.format(module), "") for module in modules if not _is_name(module)}
    waiting = [module for module in modules if module not in failures]
    while waiting:
        code, output = environment.run_text(_text_of(waiting), log, translated)
        lines = output.splitlines()
        results = [line[len(_MARK) :] for line in lines if line.startswith(_MARK)]
        if results:
            return {**failures, **json.loads(results[-1])}
        begun = [line[len(_BEGIN) :] for line in lines if line.startswith(_BEGIN)]
        if not begun or begun[-1] not in waiting:
            why = f"not tried: {environments.last_line(output)}"
            return {**failures, **{module: (why, "") for module in waiting}}
        failures[begun[-1]] = f"its import ends the process, with exit code {code}", ""
        waiting.remove(begun[-1])
    return failures


def _text_of(modules):
    """Returns a program that imports modules and prints what fails."""
    head = ["import json, os", "from tfgraphtools.runner import removed_names", "failures = {}"]
    tail = f'os.write(1, ("\\n" + {_MARK!r} + json.dumps(failures) + "\\n").encode())'
    return "\n".join([*head, *(_IMPORT.format(module, _BEGIN) for module in modules), tail])


_NO_NAME = "SyntaxError: {} is no name of a module in today's Python"


def _is_name(module):
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


def _error_of(package, failures):
    """Returns the error of a package's own import; a name below it may be a function's."""
    root_errors = [failures[m] for m in package.modules if m in failures]
    return root_errors[0] if len(root_errors) == len(package.modules) and root_errors else None


def _choice(package, candidates, tried, versions, failures):
    name, attempts = package.package, tuple(tried[package.package])
    version, reason = versions.get(name), candidates[name][0][1]
    error = _error_of(package, failures)
    if version is None:
        used = f"; {package.place} uses it" if package.modules else "; no source imports it"
        last = attempts[-1] if attempts else "it was not installed"
        return Choice(name, None, last + used, package.place, attempts)
    if error:
        reason = f"installed, but its import fails: {error}"
    return Choice(name, version, reason, package.place, attempts)


def requirements(choices, tensorflow, python):
    """Returns the lines of ``requirements-revived.txt``, a reason above each."""
    lines = [f"# For Python {python}; written by 'tfgraphtools revive'."]
    lines += ["# what 'tfgraphtools run' is tested with", f"tensorflow=={tensorflow}"]
    for choice in choices:
        reasons = [f"{choice.place}: {choice.reason}"]
        reasons += [f"  tried before: {text}" for text in choice.tried]
        lines += ["# " + text.replace("\n", " ") for text in reasons]  # errors have many lines
        lines.append(
            f"{choice.package}=={choice.version}"
            if choice.version
            else f"# {choice.package}: not installed"
        )
    return lines
