"""Names of scikit-image that were removed, or have another meaning."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made, moved
from tfgraphtools.compat.fixes.pictures.scikit_image_calls import range_of

# ruff: noqa: N802 (the names of scikit-image)


@made("skimage.measure.compare_psnr", "scikit-image 0.18", "metrics.peak_signal_noise_ratio")
def _compare_psnr(real):
    def compare_psnr(im_true, im_test, data_range=None):
        from skimage import metrics

        return metrics.peak_signal_noise_ratio(im_true, im_test, data_range=data_range)

    return compare_psnr


@made("skimage.measure.compare_ssim", "scikit-image 0.18", "metrics.structural_similarity")
def _compare_ssim(real):
    def compare_ssim(
        X, Y, win_size=None, gradient=False, data_range=None, multichannel=False, **options
    ):
        from skimage import metrics

        return metrics.structural_similarity(
            X,
            Y,
            win_size=win_size,
            gradient=gradient,
            data_range=range_of(X) if data_range is None else data_range,
            channel_axis=-1 if multichannel else None,
            **options,
        )

    return compare_ssim


@made("skimage.measure.compare_nrmse", "scikit-image 0.18", "metrics.normalized_root_mse")
def _compare_nrmse(real):
    def compare_nrmse(im_true, im_test, norm_type="euclidean"):
        from skimage import metrics

        return metrics.normalized_root_mse(im_true, im_test, normalization=norm_type.lower())

    return compare_nrmse


@made("skimage.draw.circle", "scikit-image 0.19", "skimage.draw.disk of a center and a radius")
def _circle(real):
    return lambda r, c, radius, shape=None: real.disk((r, c), radius, shape=shape)


@made(
    "skimage.filters.threshold_adaptive", "scikit-image 0.19", "image > threshold_local(image, ...)"
)
def _threshold_adaptive(real):
    def threshold_adaptive(image, block_size, method="gaussian", offset=0, mode="reflect", **more):
        return image > real.threshold_local(image, block_size, method, offset, mode, **more)

    return threshold_adaptive


@made("skimage.measure.marching_cubes_classic", "scikit-image 0.19", "method='lorensen'")
def _marching_cubes_classic(real):
    def marching_cubes_classic(
        volume, level=None, spacing=(1.0, 1.0, 1.0), gradient_direction="descent"
    ):
        return real.marching_cubes(
            volume,
            level,
            spacing=spacing,
            gradient_direction=gradient_direction,
            method="lorensen",
        )[:2]

    return marching_cubes_classic


@made("skimage.measure.marching_cubes_lewiner", "scikit-image 0.19", "measure.marching_cubes")
def _marching_cubes_lewiner(real):
    names = "spacing gradient_direction step_size allow_degenerate".split()

    def marching_cubes_lewiner(volume, level=None, *arguments, use_classic=False, **options):
        options.update(zip(names, arguments))
        method = "lorensen" if use_classic else "lewiner"
        return real.marching_cubes(volume, level, method=method, **options)

    return marching_cubes_lewiner


@made("skimage.morphology.skeletonize_3d", "scikit-image 0.25", "skeletonize with method='lee'")
def _skeletonize_3d(real):
    return lambda image: real.skeletonize(image, method="lee").astype("uint8") * 255


@made("skimage.morphology.watershed", "scikit-image 0.19", "segmentation.watershed")
def _watershed(real):
    def watershed(image, *arguments, **options):
        from skimage import segmentation

        return segmentation.watershed(image, *arguments, **options).astype("int32")

    return watershed


_GRAY = {"grey2rgb": "gray2rgb", "rgb2grey": "rgb2gray"}

TABLE = Table(
    "names that left scikit-image",
    "names",
    [
        _compare_psnr,
        _compare_ssim,
        _compare_nrmse,
        *moved(
            "skimage.measure",
            "scikit-image 0.18",
            {"compare_mse": "skimage.metrics:mean_squared_error"},
        ),
        *moved(
            "skimage.color",
            "scikit-image 0.19",
            {old: f"skimage.color:{new}" for old, new in _GRAY.items()},
        ),
        *moved(
            "skimage.feature",
            "scikit-image 1.0",
            {
                "greycomatrix": "skimage.feature:graycomatrix",
                "greycoprops": "skimage.feature:graycoprops",
            },
        ),
        _watershed,
        *moved("skimage.util", "scikit-image 0.19", {"montage2d": "skimage.util:montage"}),
        *moved("skimage.util", "scikit-image 0.19", {"pad": "numpy:pad"}),
        _circle,
        _threshold_adaptive,
        _marching_cubes_classic,
        _marching_cubes_lewiner,
        _skeletonize_3d,
    ],
)
