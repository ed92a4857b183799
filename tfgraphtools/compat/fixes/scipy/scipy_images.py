"""The image functions that ``scipy.misc`` had up to SciPy 1.1, on Pillow.

They scale: an array that is not uint8 is stretched from its least value to 0
and from its greatest to 255.
"""

#: Pillow's filters by SciPy's names for them.
_FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "cubic": 3}


def _pillow():
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            "scipy.misc: expected Pillow, which reads images, got no such package. "
            "Run: pip install pillow"
        )
    return Image


def imread(name, flatten=False, mode=None):
    """Returns the image of a file as an array [height, width] or [height, width, channels].

    Args:
      name: a path, or an open file.
      flatten: whether to make it grey, as float32.
      mode: Pillow's mode to convert it to, such as "RGB".
    """
    return fromimage(_pillow().open(name), flatten=flatten, mode=mode)


def fromimage(im, flatten=False, mode=None):
    """Returns a Pillow image as an array; one with a palette as its colours."""
    import numpy

    if mode is not None:
        im = im.convert(mode) if mode != im.mode else im
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return numpy.array(im)


def bytescale(data, cmin=None, cmax=None, high=255, low=0):
    """Returns `data` as uint8, `cmin` (its least value) becoming `low` and `cmax` `high`.

    It does nothing to an array of uint8.
    """
    import numpy

    data = numpy.asarray(data)
    if data.dtype == numpy.uint8:
        return data
    if not 0 <= low <= high <= 255:
        raise ValueError(f"bytescale: 0 <= low <= high <= 255 does not hold: {low}, {high}")
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    span = float(cmax) - float(cmin)
    if span < 0:
        raise ValueError("bytescale: cmax is smaller than cmin")
    scaled = (data - float(cmin)) * ((high - low) / (span or 1.0)) + low
    return (scaled.clip(low, high) + 0.5).astype(numpy.uint8)


def toimage(arr, high=255, low=0, cmin=None, cmax=None, pal=None, mode=None, channel_axis=None):
    """Returns an array as a Pillow image, scaled by `bytescale`.

    Args:
      arr: [height, width], or with 3 or 4 channels on any axis.
      high, low, cmin, cmax: as for `bytescale`.
      pal: a palette, [256, 3].
      mode: Pillow's mode; by the shape when None.
      channel_axis: the axis of the channels; the first one of 3, else of 4, when None.
    """
    import numpy

    data = numpy.asarray(arr)
    if numpy.iscomplexobj(data):
        raise ValueError("toimage: an array of complex numbers is no image")
    scale = {"cmin": cmin, "cmax": cmax, "high": high, "low": low}
    if data.ndim == 2:
        return _flat_image(data, scale, pal, mode)
    if data.ndim == 3 and (3 in data.shape or 4 in data.shape):
        return _colour_image(data, scale, mode, channel_axis)
    raise ValueError(f"toimage: an array of shape {data.shape} is no image")


def _flat_image(data, scale, pal, mode):
    import numpy

    image, size = _pillow(), (data.shape[1], data.shape[0])
    if mode == "F":
        return image.frombytes("F", size, data.astype(numpy.float32).tobytes())
    if mode in (None, "L", "P"):
        picture = image.frombytes("L", size, bytescale(data, **scale).tobytes())
        if pal is None and mode == "P":
            pal = numpy.arange(256, dtype=numpy.uint8)[:, numpy.newaxis].repeat(3, axis=1)
        if pal is not None:
            picture.putpalette(numpy.asarray(pal, dtype=numpy.uint8).tobytes())
        return picture
    if mode == "1":
        return image.fromarray(data > scale["high"])
    if mode == "I":
        cmin = data.min() if scale["cmin"] is None else scale["cmin"]
        cmax = data.max() if scale["cmax"] is None else scale["cmax"]
        spread = (scale["high"] - scale["low"]) / (float(cmax) - float(cmin))
        scaled = (data * 1.0 - cmin) * spread + scale["low"]
        return image.frombytes("I", size, scaled.astype(numpy.uint32).tobytes())
    raise ValueError(f"toimage: no flat image has the mode {mode!r}")


def _colour_image(data, scale, mode, axis):
    import numpy

    if axis is None:
        channels = 3 if 3 in data.shape else 4
        axis = data.shape.index(channels)
    count = data.shape[axis]
    if count not in (3, 4):
        raise ValueError(f"toimage: {count} channels, not 3 or 4")
    pixels = numpy.moveaxis(bytescale(data, **scale), axis, 2)
    mode = mode or {3: "RGB", 4: "RGBA"}[count]
    size = (pixels.shape[1], pixels.shape[0])
    return _pillow().frombytes(mode, size, pixels.tobytes())


def imsave(name, arr, format=None):
    """Writes an array to an image file; its format is told by the name when None."""
    axis = 2 if getattr(arr, "ndim", 2) == 3 else None
    image = toimage(arr, channel_axis=axis)
    if format is None:
        image.save(name)
    else:
        image.save(name, format)


def imresize(arr, size, interp="bilinear", mode=None):
    """Returns an array as an image of another size, as uint8.

    Args:
      arr: as for `toimage`.
      size: percent when an integer, a factor when a float, else (height, width).
      interp: "nearest", "lanczos", "bilinear", "bicubic" or "cubic".
      mode: as for `toimage`.
    """
    import numpy

    image = toimage(arr, mode=mode)
    if isinstance(size, (int, numpy.integer)):
        size = tuple((numpy.array(image.size) * (size / 100.0)).astype(int).tolist())
    elif isinstance(size, (float, numpy.floating)):
        size = tuple((numpy.array(image.size) * size).astype(int).tolist())
    else:
        size = (int(size[1]), int(size[0]))
    return fromimage(image.resize(size, resample=_FILTERS[interp]))


def imrotate(arr, angle, interp="bilinear"):
    """Returns an array as an image turned counter-clockwise by `angle` degrees, as uint8."""
    return fromimage(toimage(arr).rotate(angle, resample=_FILTERS[interp]))


def imshow(arr):
    """Opens the image in the system's viewer."""
    toimage(arr).show()
