"""Lists images of integers that ``tf.image.per_image_standardization`` gets, as files hold them.

TF 1 scaled them to [0, 1], and gave integers again; TF 2.1 gives floats.
"""

import ast

from tfgraphtools.analysis.scopes import assigned_values, nodes_of

WHY = "TF 2.1 gives floats of an image of integers, TF 1 gave integers"

REMEDY = "convert the image: tf.image.convert_image_dtype(image, tf.float32)"

_FUNCTION = "tensorflow.compat.v1.image.per_image_standardization"

_DECODING = ("image.decode_jpeg", "image.decode_png", "image.decode_image", "image.decode_bmp")


def uses(tree, names):
    """Yields (line, name) of calls whose image is always what a file was decoded to.

    Args:
      tree: the `ast.Module`, upgraded.
      names: its `resolving.Names`.
    """
    nodes = nodes_of(tree)
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    calls = [call for call in calls if names.here(call.func) == _FUNCTION]
    values, bound = assigned_values(nodes if calls else ())
    for call in calls:
        image = call.args[0]
        known = values.get(getattr(image, "id", None), [image])
        is_all = bound[getattr(image, "id", None)] in (0, len(known))
        if is_all and all(_decodes(value, names) for value in known):
            yield call.lineno, "tensorflow.image.per_image_standardization"


def _decodes(node, names):
    name = names.here(node.func) or "" if isinstance(node, ast.Call) else ""
    return name.startswith("tensorflow.") and name.endswith(_DECODING)
