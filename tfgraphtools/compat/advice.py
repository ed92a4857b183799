"""What is known of the cause of an error: one line below the user's traceback.

A row is (words that the error's class and message hold, the advice). Anybody may
add one; the first that fits is printed.
"""

import re

#: (regular expression over "Class: message", one line of advice).
ADVICE = [
    (
        r"No module named 'tensorflow\.contrib",
        "tf.contrib comes from TF 1.15's own package: run 'tfgraphtools legacy install' once.",
    ),
]


def line_for(error):
    """The line of advice for this error, or None."""
    text = f"{type(error).__name__}: {error}"
    for pattern, line in ADVICE:
        if re.search(pattern, text):
            return line
    return None
