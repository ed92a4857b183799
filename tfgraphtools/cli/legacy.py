"""``tfgraphtools legacy``: the Python of TF 1.15's contrib in the user's cache."""

import argparse

from tfgraphtools.cli import _subcommands

SUMMARY = "install, check or remove TF 1.15's contrib and estimator, for 'run'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands and their options."""
    words = parser.add_subparsers(metavar="COMMAND", title="subcommands")
    parser.set_defaults(subcommand=None, show_help=parser.print_help)
    install = words.add_parser(
        "install",
        help="download the official TF 1.15.5 package with pip (155 MB) and keep its contrib",
        description="Download the official packages of TensorFlow 1.15.5, of its estimator and "
        "of others (155 MB) with pip, check their hashes, and keep the Python of contrib, the "
        "examples and the estimator (12 MB) in the user's cache.",
    )
    install.add_argument(
        "--wheel",
        metavar="FILE",
        action="append",
        default=[],
        help="use this wheel instead of a download; can be repeated",
    )
    status = words.add_parser(
        "status", help="show what is installed; exit code 1 if it is missing or damaged"
    )
    status.add_argument("--json", action="store_true", help="print JSON")
    remove = words.add_parser("remove", help="remove the installation")
    for word, function in ((install, _install), (status, _status), (remove, _remove)):
        word.add_argument(
            "--folder",
            metavar="DIR",
            help="the cache; default: $TFGRAPHTOOLS_CACHE, $XDG_CACHE_HOME/tfgraphtools, "
            "or ~/.cache/tfgraphtools ('run' looks there too)",
        )
        word.set_defaults(subcommand=function)


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help if there is none."""
    return _subcommands.run(arguments)


def _install(arguments):
    from tfgraphtools.compat import legacy

    print(_described(legacy.install(arguments.wheel, arguments.folder)))
    return 0


def _status(arguments):
    from tfgraphtools.cli import _tables
    from tfgraphtools.compat import legacy

    installation = legacy.status(arguments.folder)
    if arguments.json:
        _tables.print_json(dict(installation._asdict(), folder=str(installation.folder)))
        return 0 if installation.packages and not installation.damaged else 1
    if not installation.packages:
        print(
            "not installed: 'tfgraphtools legacy install' installs it into "
            + str(installation.folder)
        )
        return 1
    print(_described(installation))
    if installation.damaged:
        print(
            "damaged: {}{}; 'tfgraphtools legacy install' repairs it".format(
                installation.damaged[0],
                f" and {len(installation.damaged) - 1} more" if installation.damaged[1:] else "",
            )
        )
    return 1 if installation.damaged else 0


def _remove(arguments):
    from tfgraphtools.compat import legacy

    place = legacy.remove(arguments.folder)
    print("nothing is installed" if place is None else "removed " + str(place))
    return 0


def _described(installation):
    return "{} in {} ({} files, {:.1f} MB)".format(
        ", ".join(installation.packages),
        installation.folder,
        installation.files,
        installation.bytes / 1e6,
    )
