"""Flags that a script defines: by assigning them, or in place of a library's."""

from tfgraphtools.compat.fixes.tensorflow.flags.absl_flags import (
    FLAGS,
    IN_RUNTIME,
    is_of_a_library,
    replaces,
)


@replaces(
    FLAGS + "__setattr__",
    name="flags.undefined",
    since="TF 1.5",
    why="FLAGS.x = 3 defines x",
    rewrite=IN_RUNTIME,
)
def _define_undefined(original, self, name, value):
    """Defines x by ``FLAGS.x = 3``, which absl refuses."""
    from absl import flags

    if name.startswith("_") or name in self._flags():
        return original(self, name, value)
    _define_undefined.used()
    flag = flags.Flag(flags.ArgumentParser(), None, name, None, "")
    flag.value = value
    self._flags()[name] = flag


@replaces(
    FLAGS + "__setitem__",
    name="flags.absl",
    since="absl",
    why="a script may define absl's or TF's own flags itself",
    rewrite=IN_RUNTIME,
)
def _override_absl(original, self, name, flag):
    """Lets a script's own ``log_dir`` replace absl's, and ``delta_threshold`` TF's."""
    held = self._flags().get(name)
    if held is not None and is_of_a_library(self, name) and held is not flag:
        _override_absl.used()
        flag.allow_override = True
    original(self, name, flag)


REPLACEMENTS = (_define_undefined, _override_absl)
