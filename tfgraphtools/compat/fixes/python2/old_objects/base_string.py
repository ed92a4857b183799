"""The class ``basestring`` of Python 2."""

import abc


class BaseString(metaclass=abc.ABCMeta):  # noqa: B024 (nobody derives from it)
    """``basestring``: what text and bytes have in common."""


BaseString.register(str)
BaseString.register(bytes)
