"""The one way to call a function again whose first answer was a refusal.

A rewritten call is ``helper(function, ...)``: the helper takes whatever the function takes, so
it has no names of its own that an argument could have.
"""


def calls_again(refusals, changed):
    """Returns a helper that calls a function, and once more where it refuses its arguments.

    Args:
      refusals: the classes of errors by which it refuses.
      changed: function of the error, the function, the list of its arguments and the dictionary
        of its named ones; it gives both for the second call, or None where the refusal holds.
    """

    def helper(*arguments, **options):
        function, *arguments = arguments
        try:
            return function(*arguments, **options)
        except refusals as error:
            again = changed(error, function, arguments, options)
            if again is None:
                raise
        arguments, options = again
        return function(*arguments, **options)

    return helper


def calls_again_with_one(refusals, changed):
    """Returns such a helper for calls with one argument, without a name; it is faster."""

    def helper(function, value):
        try:
            return function(value)
        except refusals as error:
            again = changed(error, function, [value], {})
            if again is None:
                raise
        arguments, options = again
        return function(*arguments, **options)

    return helper


def each_changed(change, arguments, options):
    """Returns both with ``change(value)`` for each value; None where that changes nothing."""
    values = [change(value) for value in arguments]
    named = {name: change(value) for name, value in options.items()}
    is_same = all(new is old for new, old in zip(values, arguments))
    if is_same and all(named[name] is options[name] for name in options):
        return None
    return values, named
