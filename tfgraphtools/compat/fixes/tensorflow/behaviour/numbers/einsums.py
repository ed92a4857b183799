"""``einsum`` with a repeated subscript in one input.

TF 1.15 accepted only a palindrome, as the trace of the last two dimensions:
``einsum("ijji", x)`` is ``trace(x)``. 2.x takes diagonals and sums, as NumPy does.

Source: ``einsum`` of TF 1.15's ``special_math_ops``.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table


def _einsum(real, used):
    plain = real.einsum

    @functools.wraps(plain)
    def einsum(equation, *inputs, **options):
        given = _subscripts(equation, inputs)
        if not any(len(set(letters)) < len(letters) for letters in given):
            return plain(equation, *inputs, **options)
        from tfgraphtools._tf import v1

        used()
        (letters, *others) = given
        twice = any(letters.count(one) == 2 for one in letters)
        if not others and twice and letters == letters[::-1] and "->" not in equation:
            with v1.name_scope(options.get("name"), "einsum", inputs):
                return v1.trace(inputs[0])
        repeated = next(letters for letters in given if len(set(letters)) < len(letters))
        raise ValueError(
            f"Subscript not supported: an axis appears more than once: {repeated}. TF 1.15 accepts "
            "only a trace (einsum('ii', x)). Use tf.linalg.diag_part for a diagonal"
        )

    return einsum


def _subscripts(equation, inputs):
    """The letters of each input; an ellipsis of one dimension is a letter of its own."""
    if not isinstance(equation, str):
        return []
    found = equation.replace(" ", "").partition("->")[0].split(",")
    for place, (letters, value) in enumerate(zip(found, inputs)):
        dots = (getattr(getattr(value, "shape", None), "ndims", None) or 0) - len(letters) + 3
        if "..." in letters:  # longer ellipses make no palindrome
            found[place] = letters.replace("...", "."[:dots] if dots < 2 else "\0\1")
    return found


TABLE = Table(
    "einsum with repeated subscripts",
    "calls",
    [
        Row(
            f"tensorflow.{place}einsum",
            "TF 2.1",
            "'ijji' is the trace of the last two dimensions, and other repeated subscripts of one "
            "input are refused; 2.x sums as NumPy does",
            _einsum,
        )
        for place in ("", "linalg.")
    ],
)
