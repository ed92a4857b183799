"""Names that ask about the system or set how it runs: ``locale``, ``os``, ``sys``, ``platform``."""

from tfgraphtools.compat.fixes.build import standing


@standing("locale.format", "Python 3.12", "locale.format is locale.format_string of one number")
def _locale_format(percent, value, grouping=False, monetary=False, *additional):
    import locale

    value = (value, *additional) if additional else value
    return locale.format_string(percent, value, grouping, monetary)


@standing("locale.resetlocale", "Python 3.13", "sets the locale of the environment")
def _resetlocale(category=None):
    import locale

    locale.setlocale(locale.LC_ALL if category is None else category, "")


@standing("os.stat_float_times", "Python 3.7", "returns True: times of files are floats")
def _stat_float_times(newvalue=None):
    return True


@standing("sys.setcheckinterval", "Python 3.9", "does nothing: threads switch by time")
def _setcheckinterval(interval):
    return None


@standing("sys.getcheckinterval", "Python 3.9", "returns 100, the default of Python 2")
def _getcheckinterval():
    return 100


@standing("platform.dist", "Python 3.8", "name, version and code name of the system")
def _dist(*ignored, **also_ignored):
    from tfgraphtools.compat.fixes.python import names

    return names.linux_distribution()


ROWS = [
    _locale_format,
    _resetlocale,
    _stat_float_times,
    _setcheckinterval,
    _getcheckinterval,
    _dist,
]
