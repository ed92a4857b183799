# %% skimage.measure.compare_psnr skimage.measure.compare_mse
# %%+ skimage.color.rgb2grey skimage.color.grey2rgb skimage.util.pad
# %%+ skimage.util.montage2d skimage.feature.greycomatrix
# %%+ skimage.feature.greycoprops skimage.io.imread
# %%+ [needs: skimage] [not-on-1.15: scikit-image 0.14; greycoprops of 0.17]
import numpy as np
from skimage import color, feature, filters, measure, morphology, util
random = np.random.RandomState(0)
gray, other = random.rand(24, 24), random.rand(24, 24)
rgb = random.rand(24, 24, 3)
small = (gray * 255).astype(np.uint8)
def show(*found):
    print(*[one if isinstance(one, tuple) else (str(np.asarray(one).dtype), np.shape(one), round(float(np.sum(one)), 4)) for one in found])

print(round(measure.compare_psnr(gray, other), 4), round(measure.compare_psnr(small, small // 2), 4), round(measure.compare_psnr(gray, other, data_range=1), 4))
print(round(measure.compare_mse(gray, other), 4))
show(color.rgb2grey(rgb), color.grey2rgb(gray), util.pad(gray, 2, mode="constant"), util.montage2d(random.rand(4, 5, 5)))
show(feature.greycomatrix(small // 64, [1], [0], levels=4))
show(feature.greycoprops(feature.greycomatrix(small // 64, [1], [0], levels=4), "contrast"))
from skimage import io
io.imsave("picture.png", np.dstack([small] * 3))
show(io.imread("picture.png", as_grey=True))
#> 7.7958 10.7947 7.7958
#> 0.1661
#> ('float64', (24, 24), 291.3331) ('float64', (24, 24, 3), 860.5134) ('float64', (28, 28), 286.8378) ('float64', (10, 10), 50.8822)
#> ('uint32', (4, 4, 1, 1), 552.0)
#> ('float64', (1, 1), 2.3877)
#> ('float64', (24, 24), 285.6745)

# %% skimage.color.gray2rgb skimage.data.binary_blobs skimage.exposure.match_histograms
# %%+ skimage.feature.draw_haar_like_feature skimage.feature.hog
# %%+ skimage.filters.difference_of_gaussians skimage.filters.gaussian skimage.filters.median
# %%+ skimage.filters.unsharp_mask skimage.measure.find_contours skimage.measure.label
# %%+ skimage.measure.perimeter skimage.measure.ransac skimage.metrics.structural_similarity
# %%+ skimage.morphology.binary_closing skimage.morphology.binary_dilation
# %%+ skimage.morphology.binary_erosion skimage.morphology.binary_opening
# %%+ skimage.morphology.black_tophat skimage.morphology.closing skimage.morphology.dilation
# %%+ skimage.morphology.erosion skimage.morphology.flood skimage.morphology.flood_fill
# %%+ skimage.morphology.h_maxima skimage.morphology.h_minima skimage.morphology.label
# %%+ skimage.morphology.local_maxima skimage.morphology.local_minima skimage.morphology.opening
# %%+ skimage.morphology.reconstruction skimage.morphology.rectangle
# %%+ skimage.morphology.remove_small_holes skimage.morphology.remove_small_objects
# %%+ skimage.morphology.thin skimage.morphology.white_tophat skimage.restoration.cycle_spin
# %%+ skimage.restoration.denoise_bilateral skimage.restoration.denoise_tv_bregman
# %%+ skimage.restoration.denoise_tv_chambolle skimage.restoration.inpaint_biharmonic
# %%+ skimage.restoration.richardson_lucy skimage.restoration.unwrap_phase
# %%+ skimage.segmentation.chan_vese skimage.segmentation.clear_border
# %%+ skimage.segmentation.felzenszwalb skimage.segmentation.flood skimage.segmentation.flood_fill
# %%+ skimage.segmentation.morphological_chan_vese
# %%+ skimage.segmentation.morphological_geodesic_active_contour skimage.segmentation.quickshift
# %%+ skimage.segmentation.random_walker skimage.segmentation.slic skimage.transform.iradon
# %%+ skimage.transform.probabilistic_hough_line skimage.transform.pyramid_expand
# %%+ skimage.transform.pyramid_gaussian skimage.transform.pyramid_laplacian
# %%+ skimage.transform.pyramid_reduce skimage.transform.rescale skimage.util.montage
# %%+ skimage.draw.random_shapes skimage.filters.threshold_minimum skimage.measure.regionprops
# %%+ skimage.morphology.convex_hull_object skimage.restoration.denoise_nl_means
# %%+ skimage.segmentation.active_contour skimage.transform.warp_polar skimage.util.random_noise
# %%+ [needs: skimage] [not-on-1.15: scikit-image 0.17]
import warnings
import numpy as np
from skimage import color, data, draw, exposure, feature, filters, measure, metrics, morphology, restoration, segmentation, transform, util
warnings.simplefilter("ignore")
random = np.random.RandomState(0)
gray, rgb = random.rand(24, 24), random.rand(24, 24, 3)
small, mask, square = (gray * 4).astype(np.uint8), gray > 0.4, np.ones((3, 3), np.uint8)
bimodal, points, snake = np.concatenate([gray * 0.2, 0.8 + gray * 0.2]), random.rand(20, 2), 10 + 5 * random.rand(8, 2)
coord = feature.haar_like_feature_coord(8, 8, "type-2-x")[0]
marks = np.zeros((24, 24), int)
marks[3, 3], marks[20, 20] = 1, 2
def show(call, with_values):
    found = eval(call)
    found = list(found) if type(found).__name__ == "generator" else found
    first = np.asarray(found[0] if isinstance(found, (list, tuple)) and found else found)
    values = [first.dtype.kind, float("%.4g" % np.sum(first.astype(float)))] if with_values else []
    print(call.partition("(")[0], first.shape, *values)
for line in """\
color.gray2rgb(gray, None) | (gray)
data.binary_blobs(16, 0.1, 2, 0.5, 1) | (16)
exposure.match_histograms(rgb, rgb[::-1], multichannel=True) | (gray, gray)
feature.draw_haar_like_feature(gray, 0, 0, width=8, height=8, feature_coord=coord, random_state=1) | (gray, 0, 0, 8, 8, coord)
feature.hog(gray, 9, (8, 8), (3, 3), "L2-Hys", False, False, True, False) | (gray)
filters.difference_of_gaussians(gray, 1, 2, multichannel=False) | (gray, 1, 2)
filters.gaussian(rgb, 2, multichannel=True) | (gray)
filters.median(gray, selem=square) | (gray)
measure.find_contours(gray, 0.5, "low") | (gray, level=0.5)
measure.label(small, 4) | (small)
measure.perimeter(mask, neighbourhood=8) | (mask)
measure.ransac((points, 2 * points), transform.AffineTransform, 3, 2, max_trials=5, random_state=1)[1] | ((points, 2 * points), transform.AffineTransform, 3, 2, max_trials=5)
metrics.structural_similarity(rgb, rgb[::-1], multichannel=True, data_range=2.0) | (gray, gray, data_range=1.0)
morphology.binary_closing(mask, selem=square) | (mask)
morphology.binary_dilation(mask, selem=square) | (mask)
morphology.binary_erosion(mask, selem=square) | (mask)
morphology.binary_opening(mask, selem=square) | (mask)
morphology.black_tophat(gray, selem=square) | (gray)
morphology.closing(gray, selem=square) | (gray)
morphology.dilation(gray, selem=square) | (gray)
morphology.erosion(gray, selem=square) | (gray)
morphology.flood(small, (2, 3), selem=square) | (small, (2, 3))
morphology.flood_fill(small, (2, 3), 9, selem=square) | (small, (2, 3), 9)
morphology.h_maxima(gray, 0.3, selem=square) | (gray, 0.3)
morphology.h_minima(gray, 0.3, selem=square) | (gray, 0.3)
morphology.label(small, 8) | (small)
morphology.local_maxima(gray, selem=square) | (gray)
morphology.local_minima(gray, selem=square) | (gray)
morphology.opening(gray, selem=square) | (gray)
morphology.reconstruction(gray * 0.5, gray, selem=square) | (gray * 0.5, gray)
morphology.rectangle(width=3, height=4) | (nrows=3, ncols=4)
morphology.thin(mask, max_iter=1) | (mask)
morphology.white_tophat(gray, selem=square) | (gray)
restoration.cycle_spin(gray, np.negative, 1, num_workers=1, multichannel=False) | (gray, np.negative, 1)
restoration.denoise_bilateral(gray, sigma_spatial=1, multichannel=False) | (gray, sigma_spatial=1)
restoration.denoise_tv_bregman(gray, 5, max_iter=3) | (gray)
restoration.denoise_tv_chambolle(gray, 0.1, 2e-4, 3, False) | (gray)
restoration.inpaint_biharmonic(gray, mask, multichannel=False) | (gray, mask)
restoration.richardson_lucy(gray, np.ones((3, 3)) / 9, iterations=3) | (gray, np.ones((3, 3)) / 9)
restoration.unwrap_phase(gray, seed=1) | (gray)
segmentation.chan_vese(gray, max_iter=3) | (gray)
segmentation.clear_border(small, 0, 0, False) | (small)
segmentation.felzenszwalb(rgb, multichannel=True) | (rgb)
segmentation.flood(small, (2, 3), selem=square) | (small, (2, 3))
segmentation.flood_fill(small, (2, 3), 9, selem=square) | (small, (2, 3), 9)
segmentation.morphological_chan_vese(gray, iterations=2) | (gray, num_iter=2)
segmentation.morphological_geodesic_active_contour(gray, iterations=2) | (gray, num_iter=2)
segmentation.quickshift(rgb, random_seed=1) | (rgb)
segmentation.random_walker(gray, marks, multichannel=False) | (gray, marks)
transform.iradon(gray, filter="ramp") | (gray)
transform.probabilistic_hough_line(mask, seed=1) | (mask)
transform.pyramid_expand(gray, multichannel=False) | (gray)
transform.pyramid_gaussian(gray, 1, multichannel=False) | (gray)
transform.pyramid_laplacian(gray, 1, multichannel=False) | (gray)
transform.pyramid_reduce(gray, multichannel=False) | (gray)
transform.rescale(rgb, 0.5, multichannel=True) | (gray, 0.5)
util.montage(np.stack([rgb, rgb]), multichannel=True) | (np.stack([gray, gray]))
""".splitlines():
    show(line.partition(" | ")[0], with_values=True)
for line in """\
draw.random_shapes((16, 16), 1, 1, 2, None, False, random_seed=1) | ((16, 16), max_shapes=1)
filters.threshold_minimum(bimodal, max_iter=1000) | (bimodal)
measure.regionprops(small, coordinates="rc")[0].area | (small)
morphology.convex_hull_object(mask, 8) | (mask)
restoration.denoise_nl_means(gray, 3, 2, 0.1, False) | (gray)
segmentation.active_contour(gray, snake, bc="fixed", max_iterations=3) | (gray, snake, max_num_iter=3)
transform.warp_polar(rgb, multichannel=True) | (gray)
util.random_noise(gray, "gaussian", 1) | (gray)
""".splitlines():
    show(line.partition(" | ")[0], with_values=False)
for line in """\
filters.unsharp_mask(rgb, 1.0, 1.0, True) | (gray)
morphology.remove_small_holes(mask, 3, 1, False) | (mask, max_size=3)
morphology.remove_small_objects(mask, 3, 1, False) | (mask, max_size=3)
segmentation.slic(rgb, 4, max_iter=2) | (rgb, 4, start_label=1)
""".splitlines():  # today's numbers
    call = line.partition(" |")[0]
    eval(call)
    print(call.partition("(")[0])
#> color.gray2rgb (24, 24, 3) f 860.5
#> data.binary_blobs (16, 16) b 128.0
#> exposure.match_histograms (24, 24, 3) f 875.6
#> feature.draw_haar_like_feature (24, 24, 3) f 830.9
#> feature.hog (81,) f 8.097
#> filters.difference_of_gaussians (24, 24) f -2.069
#> filters.gaussian (24, 24, 3) f 878.6
#> filters.median (24, 24) f 286.9
#> measure.find_contours (13, 2) f 48.89
#> measure.label (24, 24) i 50850.0
#> measure.perimeter () f 230.2
#> measure.ransac (20,) b 20.0
#> metrics.structural_similarity () f -0.03945
#> morphology.binary_closing (24, 24) b 576.0
#> morphology.binary_dilation (24, 24) b 576.0
#> morphology.binary_erosion (24, 24) b 11.0
#> morphology.binary_opening (24, 24) b 56.0
#> morphology.black_tophat (24, 24) f 172.0
#> morphology.closing (24, 24) f 458.8
#> morphology.dilation (24, 24) f 518.4
#> morphology.erosion (24, 24) f 57.98
#> morphology.flood (24, 24) b 5.0
#> morphology.flood_fill (24, 24) u 896.0
#> morphology.h_maxima (24, 24) u 21.0
#> morphology.h_minima (24, 24) u 14.0
#> morphology.label (24, 24) i 25040.0
#> morphology.local_maxima (24, 24) b 72.0
#> morphology.local_minima (24, 24) b 69.0
#> morphology.opening (24, 24) f 116.6
#> morphology.reconstruction (24, 24) f 213.6
#> morphology.rectangle (3, 4) u 12.0
#> morphology.thin (24, 24) b 256.0
#> morphology.white_tophat (24, 24) f 170.3
#> restoration.cycle_spin (24, 24) f -286.8
#> restoration.denoise_bilateral (24, 24) f 263.7
#> restoration.denoise_tv_bregman (24, 24) f 285.6
#> restoration.denoise_tv_chambolle (24, 24) f 286.8
#> restoration.inpaint_biharmonic (24, 24) f 112.6
#> restoration.richardson_lucy (24, 24) f 283.3
#> restoration.unwrap_phase (24, 24) f 286.8
#> segmentation.chan_vese (24, 24) b 294.0
#> segmentation.clear_border (24, 24) u 505.0
#> segmentation.felzenszwalb (24, 24) i 2233.0
#> segmentation.flood (24, 24) b 5.0
#> segmentation.flood_fill (24, 24) u 896.0
#> segmentation.morphological_chan_vese (24, 24) i 227.0
#> segmentation.morphological_geodesic_active_contour (24, 24) i 237.0
#> segmentation.quickshift (24, 24) i 130000.0
#> segmentation.random_walker (24, 24) i 858.0
#> transform.iradon (24, 24) f 9.444
#> transform.probabilistic_hough_line (0,) f 0.0
#> transform.pyramid_expand (48, 48) f 1145.0
#> transform.pyramid_gaussian (24, 24) f 286.8
#> transform.pyramid_laplacian (24, 24) f -3.364e-14
#> transform.pyramid_reduce (12, 12) f 71.71
#> transform.rescale (12, 12, 3) f 218.7
#> util.montage (48, 48, 3) f 3502.0
#> draw.random_shapes (16, 16)
#> filters.threshold_minimum ()
#> measure.regionprops ()
#> morphology.convex_hull_object (24, 24)
#> restoration.denoise_nl_means (24, 24)
#> segmentation.active_contour (8, 2)
#> transform.warp_polar (360, 17, 3)
#> util.random_noise (24, 24)
#> filters.unsharp_mask
#> morphology.remove_small_holes
#> morphology.remove_small_objects
#> segmentation.slic

# %% skimage.restoration.denoise_wavelet skimage.restoration.estimate_sigma
# %%+ [needs: skimage pywt] [not-on-1.15: scikit-image 0.17]
import numpy as np
from skimage import restoration
gray = np.random.RandomState(0).rand(24, 24)
def show(call):
    found = np.asarray(eval(call))
    print(call.partition("(")[0], found.shape, found.dtype.kind, float("%.4g" % found.sum()))
for line in """\
restoration.denoise_wavelet(gray, multichannel=False) | (gray)
restoration.estimate_sigma(gray, multichannel=False) | (gray)
""".splitlines():
    show(line.partition(" | ")[0])
#> restoration.denoise_wavelet (24, 24) f 286.8
#> restoration.estimate_sigma () f 0.2824

# %% skimage.transform.resize skimage.transform.rotate skimage.transform.warp
# %%+ [needs: skimage] [not-on-1.15: scikit-image 0.17]
import numpy as np
from skimage import transform
mask = np.zeros((5, 5), bool)
mask[1:4, 2:4] = True
half = transform.resize(mask, (3, 3))
print(half.dtype, half.tolist())
print(np.round(transform.resize(mask, (3, 3), order=1), 4).tolist())
turned = transform.rotate(mask, 30)
print(turned.dtype, turned.ravel()[5:10].tolist())
print(np.round(transform.rotate(mask, 30, order=1), 4).ravel()[5:10].tolist())
print(transform.warp(mask, np.eye(3), order=1).dtype)
print(transform.rescale(mask, 0.5, order=1).tolist())
#> float64 [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
#> [[0.0, 0.3333, 0.1111], [0.0, 1.0, 0.3333], [0.0, 0.3333, 0.1111]]
#> float64 [0.0, 1.0, 1.0, 1.0, 0.0]
#> [0.0, 0.4019, 1.0, 0.634, 0.0]
#> float64
#> [[0.0, 0.5625], [0.0, 0.5625]]

# %% skimage.measure.compare_ssim skimage.measure.compare_nrmse [not-on-1.15: scikit-image is not there] [needs: skimage]
import numpy as np
from scipy import ndimage
import skimage
from skimage.measure import compare_nrmse, compare_ssim
rng = np.random.RandomState(0)
def ssim(a, b, size=7, high=1.0):
    n = size ** a.ndim
    mean = lambda z: ndimage.uniform_filter(z, size)
    a, b = a.astype(float), b.astype(float)
    ua, ub = mean(a), mean(b)
    norm = n / (n - 1.0)
    va, vb, vab = norm * (mean(a * a) - ua * ua), norm * (mean(b * b) - ub * ub), norm * (mean(a * b) - ua * ub)
    c1, c2 = (0.01 * high) ** 2, (0.03 * high) ** 2
    s = (2 * ua * ub + c1) * (2 * vab + c2) / ((ua ** 2 + ub ** 2 + c1) * (va + vb + c2))
    pad = (size - 1) // 2
    return s[tuple([slice(pad, -pad)] * a.ndim)].mean()
a, b = rng.rand(16, 18), rng.rand(16, 18)
print(np.isclose(compare_ssim(a, b), ssim(a, b, high=2.0)), np.isclose(compare_ssim(a, b, data_range=1), ssim(a, b)), np.isclose(compare_ssim(a, b, 5), ssim(a, b, 5, 2.0)))
c, d = (rng.randint(0, 255, (16, 18)).astype("uint8") for _ in range(2))
print(np.isclose(skimage.measure.compare_ssim(c, d), ssim(c, d, high=255.0)))
e, f = rng.rand(16, 18, 3), rng.rand(16, 18, 3)
each = np.mean([ssim(e[..., i], f[..., i], high=2.0) for i in range(3)])
print(np.isclose(compare_ssim(e, f, multichannel=True), each), [np.shape(part) for part in compare_ssim(e, f, multichannel=True, full=True)])
rmse = np.sqrt(np.mean((a - b) ** 2))
print(np.isclose(compare_nrmse(a, b), rmse / np.sqrt(np.mean(a * a))), np.isclose(compare_nrmse(a, b, "min-max"), rmse / (a.max() - a.min())), np.isclose(compare_nrmse(a, b, norm_type="mean"), rmse / a.mean()))
#> True True True
#> True
#> True [(), (16, 18, 3)]
#> True True True
