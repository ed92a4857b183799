"""``tfgraphtools legacy``: the Python of TF 1.15's contrib in the user's cache."""

SUMMARY = "fetch TF 1.15's contrib and estimator, for 'run': install, status, remove"


def add_arguments(parser):
    """The words of the command."""
    words = parser.add_subparsers(dest="word", metavar="WORD", title="words")
    words.required = True
    install = words.add_parser(
        "install",
        help="fetch the official TF 1.15.5 package with pip (110 MB), keep its contrib",
        description="Fetch the official packages of TensorFlow 1.15.5 (110 MB) and of its "
        "estimator with pip, check their hashes, and keep the Python of contrib, the examples "
        "and the estimator (11 MB) in the user's cache.",
    )
    install.add_argument(
        "--wheel",
        metavar="FILE",
        action="append",
        default=[],
        help="take this wheel instead of fetching it; may be given several times",
    )
    status = words.add_parser(
        "status", help="what is installed, and whether it is whole (exit code 1 when not)"
    )
    remove = words.add_parser("remove", help="remove it")
    for word, function in ((install, _install), (status, _status), (remove, _remove)):
        word.add_argument(
            "--folder",
            metavar="DIR",
            help="the cache; default: $TFGRAPHTOOLS_CACHE, $XDG_CACHE_HOME/tfgraphtools, "
            "or ~/.cache/tfgraphtools ('run' looks there too)",
        )
        word.set_defaults(act=function)


def run(arguments):
    """Does what the word says."""
    return arguments.act(arguments)


def _install(arguments):
    from tfgraphtools.compat import legacy

    print(_described(legacy.install(arguments.wheel, arguments.folder)))
    return 0


def _status(arguments):
    from tfgraphtools.compat import legacy

    found = legacy.status(arguments.folder)
    if not found.packages:
        print("not installed: 'tfgraphtools legacy install' puts it into " + str(found.folder))
        return 1
    print(_described(found))
    if found.damaged:
        print(
            "damaged: {}{}; 'tfgraphtools legacy install' makes it anew".format(
                found.damaged[0],
                f" and {len(found.damaged) - 1} more" if found.damaged[1:] else "",
            )
        )
    return 1 if found.damaged else 0


def _remove(arguments):
    from tfgraphtools.compat import legacy

    place = legacy.remove(arguments.folder)
    print("nothing is installed" if place is None else "removed " + str(place))
    return 0


def _described(found):
    return "{} in {} ({} files, {:.1f} MB)".format(
        ", ".join(found.packages), found.folder, found.files, found.bytes / 1e6
    )
