"""C5: what does `gradient_override_map({"Floor": "Identity"})` do, and to which ops?

It tags the ops of that exact type which the block creates. If there is none (a
reduce_mean is a Mean, a misspelt key is nothing) TF says nothing. With
`override_gradient` that is an error that names what the block did create, and the
ops that were reached are at hand.
"""

import _show
import tensorflow as tf

from tfgraphtools import gradients
from tfgraphtools.errors import UnusedOverrideError

tf1 = tf.compat.v1

BLOCKS = {
    "floor under 'Floor'": ("Floor", lambda x: tf1.floor(x)),
    "floor under 'floor'": ("floor", lambda x: tf1.floor(x)),
    "reduce_mean under 'Floor'": ("Floor", lambda x: tf1.reduce_mean([x, x])),
    "x // 1 under 'Floor'": ("Floor", lambda x: x // 1.0),
    "x + 2 under 'Add'": ("Add", lambda x: x + 2.0),
}


def main():
    figures = {}
    for title, (key, build) in BLOCKS.items():
        with tf1.Graph().as_default():
            x = tf1.constant(1.6)
            try:
                with gradients.override_gradient({key: "Identity"}) as hits:
                    build(x)
                figures[title] = f"reached {hits}"
            except UnusedOverrideError as error:
                figures[title] = str(error)
    for title, found in figures.items():
        print(f"\n{title}\n    {found}")
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
