"""Text where Python 2 had bytes.

A string of Python 2 was bytes. The translation has text in its place. It stands for its bytes in
UTF-8, or for those that its characters name (``"\\xc3\\xa9"``) where they are such bytes already.
"""


def to_bytes(value):
    """Returns the bytes for which a text stands; anything else is itself."""
    if not isinstance(value, str):
        return value
    try:
        latin = value.encode("latin1")
        latin.decode("utf-8")
        return latin
    except UnicodeError:
        return value.encode("utf-8")


def to_text(value):
    """Returns the text that bytes are in UTF-8, or else one character for each of them."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin1")
