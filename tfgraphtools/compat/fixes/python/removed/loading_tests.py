"""Functions of ``unittest`` that load tests."""

from tfgraphtools.compat.fixes.build import made

_UNITTEST = {
    "makeSuite": "the tests of a class",
    "findTestCases": "the tests of a module",
    "getTestCaseNames": "the names of a class's tests",
}


def _loading_tests(name):
    """A function of unittest that a TestLoader does."""

    def provide(real):
        def call(*arguments, **options):
            loader = real.TestLoader()
            for option, attribute in (("prefix", "testMethodPrefix"), ("sortUsing", None)):
                value = options.pop(option, None)
                if value is not None and attribute:
                    setattr(loader, attribute, value)
            if name == "makeSuite":
                return loader.loadTestsFromTestCase(arguments[0])
            if name == "findTestCases":
                return loader.loadTestsFromModule(arguments[0])
            return loader.getTestCaseNames(arguments[0])

        return call

    return made("unittest." + name, "Python 3.13", _UNITTEST[name])(provide)


ROWS = [_loading_tests(name) for name in _UNITTEST]
