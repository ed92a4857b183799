"""``skimage.measure.compare_ssim`` and ``compare_nrmse``, as scikit-image 0.15 computed them."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import standing


@standing(
    "skimage.measure.compare_ssim",
    "scikit-image 0.18",
    "the similarity of two images; floats have the range 2",
)
def _compare_ssim(
    X, Y, win_size=None, gradient=False, data_range=None, multichannel=False,
    gaussian_weights=False, full=False, **options
):  # fmt: skip
    import numpy
    from skimage import metrics

    if data_range is None and numpy.asarray(X).dtype.kind == "f":
        data_range = options.pop("dynamic_range", 2.0)
    return metrics.structural_similarity(
        X,
        Y,
        win_size=win_size,
        gradient=gradient,
        data_range=data_range,
        channel_axis=-1 if multichannel else None,
        gaussian_weights=gaussian_weights,
        full=full,
        **options,
    )


@standing("skimage.measure.compare_nrmse", "scikit-image 0.19", "the normalized error of an image")
def _compare_nrmse(im_true, im_test, norm_type="Euclidean"):
    from skimage import metrics

    return metrics.normalized_root_mse(im_true, im_test, normalization=norm_type.lower())


TABLES = (Table("comparisons of images", "names", [_compare_ssim, _compare_nrmse]),)
