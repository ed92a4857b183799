"""Lists images of integers that ``tf.image.per_image_standardization`` gets, as files hold them.

TF 1 scaled them to [0, 1], and gave integers again; TF 2.1 gives floats.
"""

import ast

from tfgraphtools.upgrade.clues import assigned_above

WHY = "TF 2.1 gives floats of an image of integers, TF 1 gave integers"

REMEDY = "convert the image: tf.image.convert_image_dtype(image, tf.float32)"

_FUNCTION = "tensorflow.compat.v1.image.per_image_standardization"

_DECODING = ("image.decode_jpeg", "image.decode_png", "image.decode_image", "image.decode_bmp")

#: Functions whose result has the dtype of their first argument.
_KEEPING = frozenset(
    "central_crop crop_to_bounding_box flip_left_right flip_up_down pad_to_bounding_box "
    "random_brightness random_contrast random_crop random_flip_left_right random_flip_up_down "
    "random_hue random_saturation reshape resize_image_with_crop_or_pad "
    "resize_with_crop_or_pad rot90 transpose".split()
)


def uses(tree, names):
    """Yields (line, name) of calls whose image is what a file was decoded to, perhaps cropped.

    Args:
      tree: the `ast.Module`, upgraded.
      names: its `resolving.Names`.
    """
    for own, assignments in assigned_above.functions(tree):
        for call in own:
            is_call = isinstance(call, ast.Call) and call.args
            if is_call and names.here(call.func) == _FUNCTION:
                if _decodes(call.args[0], names, assignments, call.lineno):
                    yield call.lineno, "tensorflow.image.per_image_standardization"


def _decodes(node, names, assignments, line):
    if isinstance(node, ast.Name):
        start, value = assigned_above.last(assignments, node.id, line)
        return value is not None and _decodes(value, names, assignments, start)
    name = names.here(node.func) or "" if isinstance(node, ast.Call) else ""
    if not name.startswith("tensorflow."):
        return False
    if name.rpartition(".")[2] in _KEEPING:
        return bool(node.args) and _decodes(node.args[0], names, assignments, line)
    return name.endswith(_DECODING)
