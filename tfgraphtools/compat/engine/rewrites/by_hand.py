"""All rewrites that are written by hand, by the name of a row or of what is inside it."""

from tfgraphtools.compat.engine.rewrites.calls import CALLS
from tfgraphtools.compat.engine.rewrites.kinds import Entry, Package, Stays, Syntax
from tfgraphtools.compat.engine.rewrites.provided import PROVIDED
from tfgraphtools.compat.engine.rewrites.renamed import RENAMED
from tfgraphtools.compat.engine.rewrites.stays import STAYS

#: Modules that left Python, and the packages that have them.
_PACKAGES = {
    **dict.fromkeys(("cgi", "cgitb"), "legacy-cgi"),
    "audioop": "audioop-lts",
    "distutils": "setuptools",
    "imp": "zombie-imp",
    "pkg_resources": "setuptools<81",
    **{
        name: "standard-" + name
        for name in (
            "aifc asynchat asyncore chunk crypt imghdr mailcap nntplib pipes smtpd sndhdr sunau "
            "telnetlib uu xdrlib"
        ).split()
    },
}

#: What passes of `upgrade` do, most of them to Python 2 source as a whole.
_SYNTAX = (
    "python2.syntax python2.by_names python2.by_company python2.division python2.print "
    "python2.lists python2.classes python2.implicit_relative_imports "
    "python2.dict_iterators python2.has_key python2.next python2.function_attributes "
    "python2.sort_by_cmp python2.print_formatted python2.used_as_list "
    "python2.builtins python2.oct tensorflow.Tensor.OVERLOADABLE_OPERATORS "
    "loops.random pandas.get_dummies"
).split()

BY_HAND = {
    **RENAMED,
    **CALLS,
    **PROVIDED,
    **{name: Package(package) for name, package in _PACKAGES.items()},
    **{name: Syntax(name) for name in _SYNTAX},
    **{name: Stays(reason) for name, reason in STAYS.items()},
    "numpy.scalar_printing": Entry("numpy.set_printoptions", 'legacy="1.25"'),
}

#: How the rows of reproduced random numbers come into force, all at once.
SEEDS = Entry("tfgraphtools.tf1.seeds.reproduce")
