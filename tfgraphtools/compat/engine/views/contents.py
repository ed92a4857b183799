"""The dictionary of a view: ``vars(np)``, ``tf.nn.__dict__``."""

from tfgraphtools.compat.engine.views import lookup


class Contents(dict):
    """The names of a module, with the values that user code sees under them.

    What is set or deleted here is set or deleted in the module.

    Args:
      view: the module as user code sees it.
      real: the module behind it.
    """

    __slots__ = ("_real", "_view")

    def __init__(self, view, real):
        super().__init__(dict.fromkeys(dir(view)))
        super().update(vars(real))
        super().pop(lookup.HIDDEN, None)
        self._view, self._real = view, real

    def __getitem__(self, name):
        if name not in self:
            raise KeyError(name)
        if name in _OWN:
            return super().__getitem__(name)
        try:
            return getattr(self._view, name)
        except (AttributeError, ImportError):  # of a row that cannot be provided here
            return vars(self._real).get(name)

    def __contains__(self, name):
        return super().__contains__(name) or name in vars(self._real)

    def __setitem__(self, name, value):
        setattr(self._view, name, value)
        super().__setitem__(name, value)

    def __delitem__(self, name):
        if name not in self:
            raise KeyError(name)
        delattr(self._view, name)
        super().pop(name, None)

    def get(self, name, default=None):
        """Returns the value of a name, or the default."""
        return self[name] if name in self else default

    def items(self):
        """Returns the names with their values."""
        return [(name, self[name]) for name in self]

    def values(self):
        """Returns the values."""
        return [self[name] for name in self]

    def copy(self):
        """Returns a dictionary of what is here now."""
        return dict(self.items())

    def pop(self, name, *default):
        """Deletes a name and returns its value, or the default."""
        if name not in self and default:
            return default[0]
        value = self[name]
        del self[name]
        return value

    def setdefault(self, name, default=None):
        """Returns the value of a name, which is set to the default where there is none."""
        if name not in self:
            self[name] = default
        return self[name]

    def update(self, *others, **more):
        """Sets names."""
        for name, value in dict(*others, **more).items():
            self[name] = value


#: Names that every module has, of which a view has its own.
_OWN = ("__name__", "__doc__", "__builtins__", "__dict__", "__class__")
