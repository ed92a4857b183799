"""The replacement of absl's flags, and the flags that are those of libraries."""

import functools

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rewrite_kinds import Runtime
from tfgraphtools.compat.fixes.tensorflow import ownership

_FAMILY = (*ownership.FAMILY, "absl")

#: `replacing.replaces` and `adds` for what absl and TensorFlow call for their caller.
replaces = functools.partial(replacing.replaces, through=_FAMILY)
adds = functools.partial(replacing.adds, through=_FAMILY)

#: absl's class of ``FLAGS``.
FLAGS = "absl.flags:FlagValues."


def is_of_a_library(flag_values, name):
    """Tells whether a library, and no script, defined the flag of this name."""
    owner = flag_values.find_module_defining_flag(name) or ""
    libraries = ("absl", "tensorflow", "tf_keras", "keras")
    return owner.partition(".")[0] in libraries


#: The module of lenient flags, which `upgrade` writes for all of them.
IN_RUNTIME = Runtime("tfgraphtools.tf1.flags")
