# %% PIL.Image.ANTIALIAS PIL.Image.LINEAR PIL.Image.CUBIC PIL.textsize [needs: PIL] [tolerance: 40]
from PIL import Image, ImageDraw, ImageFont
import numpy as np
import tensorflow as tf
pixels = tf.Session().run(tf.cast(tf.reshape(tf.range(16), [4, 4]), tf.uint8))
image = Image.fromarray(pixels)
print(image.resize((2, 2), Image.ANTIALIAS).size, image.resize((2, 2), Image.CUBIC).size, image.resize((2, 2), Image.LINEAR).size)
print(len(ImageDraw.Draw(image).textsize('loss')), len(ImageFont.load_default().getsize('loss')))

# %% PIL.Image.fromstring [not-on-1.15: Pillow 3 dropped it] [needs: PIL]
from PIL import Image
import tensorflow as tf
data = tf.Session().run(tf.constant(b'\x00\x10\x20\x30'))
print(Image.fromstring('L', (2, 2), data).getpixel((1, 1)))
#> 48

# %% matplotlib.pyplot.show matplotlib.use matplotlib.pyplot.switch_backend [not-on-1.15: it says that it cannot show] [needs: matplotlib]
import os
for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'MPLBACKEND'):
    os.environ.pop(name, None)
import warnings
warnings.simplefilter('error', UserWarning)
import matplotlib
matplotlib.use('TkAgg', warn=False)
import matplotlib.pyplot as plt
import tensorflow as tf
plt.switch_backend('TkAgg')
plt.plot(tf.Session().run(tf.range(3)))
plt.show()
plt.savefig('loss.png')
print(matplotlib.get_backend().lower(), os.path.getsize('loss.png') > 1000)
#> agg True

# %% matplotlib.cbook.mplDeprecation matplotlib.cbook.MatplotlibDeprecationWarning matplotlib.cbook.iterable [not-on-1.15: matplotlib 3.1 dropped some] [needs: matplotlib]
import warnings
import matplotlib.cbook
import tensorflow as tf
warnings.filterwarnings("ignore", category=matplotlib.cbook.mplDeprecation)
warnings.warn("unseen", matplotlib.cbook.MatplotlibDeprecationWarning)
print(matplotlib.cbook.iterable([1]), tf.Session().run(tf.constant(1)))
#> True 1

# %% matplotlib.pyplot.hist matplotlib.cm.spectral matplotlib.cm.get_cmap matplotlib.style.use matplotlib.pyplot.cm matplotlib.pyplot.style [not-on-1.15: matplotlib 3.0] [needs: matplotlib]
import matplotlib
matplotlib.use('Agg')
import matplotlib.cm as cm
import matplotlib.pyplot as plt
import tensorflow as tf
plt.style.use('seaborn')
figure, axes = plt.subplots()
print(plt.hist(tf.Session().run(tf.range(4.)), bins=2, normed=True)[0])
print(cm.spectral.name, cm.get_cmap('gray', 3).N, plt.cm.get_cmap('jet').name)
#> [0.33333333 0.33333333]
#> nipy_spectral 3 jet

# %% mpl_toolkits.mplot3d.Axes3D matplotlib.figure.Figure.gca matplotlib.pyplot.gca matplotlib.attributes
# %%+ [needs: matplotlib]
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d import Axes3D
figure = plt.figure(figsize=(2, 2))
axes = Axes3D(figure)
print(len(figure.axes), axes.name)
figure = plt.figure(figsize=(2, 2))
axes = figure.gca(projection="3d")
print(plt.gca(projection="3d") is axes, plt.gca() is axes, axes.name, len(figure.axes))
figure.canvas.draw()
print(np.frombuffer(figure.canvas.tostring_rgb(), dtype=np.uint8).shape, figure.canvas.get_width_height())
plt.figure()
print(plt.gca().name, all(hasattr(one, "set_alpha") for one in plt.contour(np.eye(3)).collections))

# %% PIL.PILLOW_VERSION PIL.Image.PILLOW_VERSION PIL.Image.VERSION
# %%+ [needs: PIL] [not-on-1.15: Pillow 9]
import PIL, PIL.Image
print(PIL.PILLOW_VERSION == PIL.__version__, PIL.Image.PILLOW_VERSION == PIL.__version__)
#> True True

# %% matplotlib.pyplot.hold matplotlib.pyplot.ishold matplotlib.hold matplotlib.set_window_title matplotlib.mlab.normpdf
# %%+ [not-on-1.15: matplotlib 3.0 dropped hold] [needs: matplotlib]
import numpy as np
import matplotlib
matplotlib.use("Agg")
import matplotlib.mlab as mlab
import matplotlib.pyplot as plt
plt.hold(True)
figure, axes = plt.subplots()
axes.hold("on")
print(plt.ishold(), axes.ishold())
figure.canvas.set_window_title("loss")
plt.gcf().canvas.set_window_title("again")
plt.hold(False)
x = np.linspace(-1, 3, 5)
print(np.allclose(mlab.normpdf(x, 1, 0.5), np.exp(-(x - 1) ** 2 / 0.5) / np.sqrt(2 * np.pi * 0.25)), mlab.normpdf(0.0, 0.0, 1.0).round(4))
#> True True
#> True 0.3989

# %% matplotlib.axes.Axes matplotlib.axis_bgcolor [not-on-1.15: matplotlib 2.2 dropped axisbg] [needs: matplotlib]
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
figure = plt.figure()
made = [
    plt.subplot(211, axisbg="red"), plt.axes([0.1, 0.1, 0.2, 0.2], axisbg="0.5"), figure.add_subplot(212, axisbg="blue"),
    figure.add_axes([0, 0, 1, 1], projection="polar", axisbg="green"), plt.subplots(2, subplot_kw={"axisbg": "black"})[1][1],
    figure.add_subplot(122, projection="3d", axisbg="y"), plt.subplot2grid((2, 2), (0, 0), axisbg="cyan"), Axes(figure, [0, 0, 1, 1], axisbg="m"),
]
colors = ["red", "0.5", "blue", "green", "black", "y", "cyan", "m"]
print([axes.get_axis_bgcolor() == to_rgba(color) for axes, color in zip(made, colors)])
made[0].set_axis_bgcolor("white")
print(made[0].get_facecolor(), plt.subplot(111).get_facecolor())
#> [True, True, True, True, True, True, True, True]
#> (1.0, 1.0, 1.0, 1.0) (1.0, 1.0, 1.0, 1.0)
