"""Flags that a script defines: by assigning them, or in place of a library's."""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.flags.absl_flags import flags_class, is_of_a_library


def _define_undefined():
    """``FLAGS.x = 3`` defines x, where absl refuses."""
    from absl import flags

    kind = flags_class()
    plain = kind.__setattr__

    def __setattr__(self, name, value):
        if name.startswith("_") or name in self._flags():
            return plain(self, name, value)
        rows.used(_UNDEFINED)
        flag = flags.Flag(flags.ArgumentParser(), None, name, None, "")
        flag.value = value
        self._flags()[name] = flag

    state.set_attribute(kind, "__setattr__", __setattr__)


def _override_absl():
    """A script's own ``log_dir`` takes the place of absl's, and ``delta_threshold`` of TF's."""
    kind = flags_class()
    plain = kind.__setitem__

    def __setitem__(self, name, flag):
        held = self._flags().get(name)
        if held is not None and is_of_a_library(self, name) and held is not flag:
            rows.used(_ABSL)
            flag.allow_override = True
        plain(self, name, flag)

    state.set_attribute(kind, "__setitem__", __setitem__)


_UNDEFINED = Row("flags.undefined", "TF 1.5", "FLAGS.x = 3 defines x", _define_undefined)
_ABSL = Row(
    "flags.absl", "absl", "a script may define absl's or TF's own flags itself", _override_absl
)

ROWS = (_UNDEFINED, _ABSL)
