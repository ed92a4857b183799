"""The images install what the tests have: one TensorFlow of each age."""

import re
import shlex

import pytest
from places import ROOT

pytestmark = pytest.mark.once

ENVIRONMENT = (ROOT / "scripts" / "shell" / "environment.sh").read_text(encoding="utf-8")
(TENSORFLOW1,) = re.findall('^TENSORFLOW1="(.*)"$', ENVIRONMENT, re.MULTILINE)


@pytest.mark.parametrize(
    "name, python, requirements",
    [
        ("Dockerfile", "3.11", ["/src[tensorflow,run]"]),
        ("Dockerfile.tf1", "3.7", [TENSORFLOW1, "protobuf<3.21", "/src"]),
    ],
)
def test_image(name, python, requirements):
    text = (ROOT / "docker" / name).read_text(encoding="utf-8")
    (command,) = re.findall(r"^RUN pip install (.*)$", text, re.MULTILINE)
    assert f"FROM python:{python}-slim\nCOPY . /src\n" in text
    assert [w for w in shlex.split(command) if not w.startswith("--")] == requirements
