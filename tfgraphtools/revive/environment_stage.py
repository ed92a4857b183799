"""The stage that makes the environment: what is installed, what is not, and why."""

import json

from tfgraphtools.compat.doctor import install
from tfgraphtools.revive import environments, package_choices, workspace

_FAILED = {
    "name": "tfgraphtools doctor",
    "why": "it failed: see logs/environment.log",
    "places": [],
    "status": "not supported",
}


def make(folder, environment, plan, installs_unknown, python, log):
    """Makes the environment of a revival and ``requirements-revived.txt``.

    Args:
      folder: the `workspace.Workspace`.
      environment: the `environments.Environment`, which is not there yet.
      plan: the `repository_plan.Plan`.
      installs_unknown: whether packages are installed that no table knows.
      python: as for `Environment.create`.
      log: a file.

    Returns:
      plain data: the versions and the reasons, and what `doctor` says afterwards.
    """
    environment.create(python, log)
    original = folder.path("original")
    report = _doctor(environment, original, log)
    needs_legacy = install.LEGACY in report["next_steps"]
    if needs_legacy:
        environment.tfgraphtools(["legacy", "install"], log)
    constraints = package_choices.constraints_of(report["constraints"])
    choices, translated = package_choices.install(
        environment, plan.packages, constraints, installs_unknown, python, log
    )  # fmt: skip
    tensorflow = environment.versions(["tensorflow"]).get("tensorflow", "")
    version = environment.run_text("import sys; print(sys.version.split()[0])", log)[1]
    version = ".".join(environments.last_line(version).split(".")[:2])
    lines = package_choices.requirements(choices, tensorflow, version)
    workspace.write_whole(folder.path("requirements-revived.txt"), "\n".join(lines) + "\n")
    report = _doctor(environment, original, log)
    return {
        "python": version,
        "tensorflow": tensorflow,
        "legacy": needs_legacy,
        "packages": [choice._asdict() for choice in choices],
        "translated": translated,
        "unsupported": [
            {"name": entry["name"], "why": entry["why"], "places": entry["places"][:3]}
            for entry in report["names"]
            if entry["status"] in ("not supported", "missing", "not installed")
        ],
    }


def _doctor(environment, original, log):
    text = environment.tfgraphtools(["doctor", "--json", original], log)[1]
    try:
        return json.loads(text[text.index("{") :])
    except ValueError:
        return {"next_steps": [], "constraints": [], "names": [_FAILED]}
