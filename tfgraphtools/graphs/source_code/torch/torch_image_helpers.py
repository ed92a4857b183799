"""Functions of images that a model brings along: see `torch_helpers`."""

_RESIZE_BILINEAR = '''
def resize_bilinear(x, size):
    """Resizes as TF1 does: the pixel at i comes from i * old size / new size."""
    for dim, new in enumerate(size, start=2):
        old = x.shape[dim]
        places = torch.arange(new, dtype=x.dtype, device=x.device) * (old / new)
        lower = places.long()
        upper = (lower + 1).clamp(max=old - 1)
        share = (places - lower).view((-1, 1) if dim == 2 else (-1,))
        x = x.index_select(dim, lower).lerp(x.index_select(dim, upper), share)
    return x
'''

_RESIZE_NEAREST = '''
def resize_nearest(x, size):
    """Resizes to the nearest pixels where those at the corners stay there."""
    for dim, new in enumerate(size, start=2):
        scale = (x.shape[dim] - 1) / max(new - 1, 1)
        places = torch.arange(new, dtype=torch.float32, device=x.device) * scale
        x = x.index_select(dim, (places + 0.5).long())
    return x
'''

_MIRROR_PAD = '''
def mirror_pad(x, pairs, offset):
    """Pads by reflection, of all but the edge for an offset of 1."""
    for dim, (before, after) in enumerate(pairs):
        size = x.shape[dim]
        places = torch.arange(-before, size + after, device=x.device)
        places = torch.where(places < 0, offset - 1 - places, places)
        last = 2 * size - 1 - offset
        places = torch.where(places < size, places, last - places)
        x = x.index_select(dim, places)
    return x
'''

_DEPTH_TO_SPACE = '''
def depth_to_space(x, block):
    """Moves channels into blocks of pixels; TensorFlow has channels last."""
    count, height, width, channels = x.shape
    x = x.reshape(count, height, width, block, block, channels // block**2)
    x = x.transpose(2, 3)
    return x.reshape(count, height * block, width * block, -1)
'''

_SPACE_TO_DEPTH = '''
def space_to_depth(x, block):
    """Moves blocks of pixels into channels; TensorFlow has channels last."""
    count, height, width, channels = x.shape
    x = x.reshape(count, height // block, block, width // block, block, channels)
    return x.transpose(2, 3).reshape(count, height // block, width // block, -1)
'''

#: {name: text}.
HELPERS = {
    "resize_bilinear": _RESIZE_BILINEAR,
    "resize_nearest": _RESIZE_NEAREST,
    "mirror_pad": _MIRROR_PAD,
    "depth_to_space": _DEPTH_TO_SPACE,
    "space_to_depth": _SPACE_TO_DEPTH,
}
