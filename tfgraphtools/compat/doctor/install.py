"""Commands to paste, which install what missing names need."""

from tfgraphtools.compat.constraints import pins

#: The command that installs `tf.contrib` and the other parts of TF 1.15.
LEGACY = "tfgraphtools legacy install"

#: Import names whose package has another name.
_PACKAGE_OF = {
    "absl": "absl-py",
    "attr": "attrs",
    "Bio": "biopython",
    "bs4": "beautifulsoup4",
    "community": "python-louvain",
    "Crypto": "pycryptodome",
    "cv": "opencv-python",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "gflags": "python-gflags",
    "git": "GitPython",
    "haiku": "dm-haiku",
    "imblearn": "imbalanced-learn",
    "jwt": "PyJWT",
    "Levenshtein": "python-Levenshtein",
    "magic": "python-magic",
    "mpl_toolkits": "matplotlib",
    "MySQLdb": "mysqlclient",
    "OpenGL": "PyOpenGL",
    "OpenSSL": "pyOpenSSL",
    "osgeo": "GDAL",
    "PIL": "pillow",
    "pkg_resources": "setuptools",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "pylab": "matplotlib",
    "pywt": "PyWavelets",
    "pyximport": "cython",
    "ruamel": "ruamel.yaml",
    "serial": "pyserial",
    "shapefile": "pyshp",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "sonnet": "dm-sonnet<2",
    "tensorflow_hub": "tensorflow_hub<0.16",  # 0.16 has no `Module`
    "tree": "dm-tree",
    "umap": "umap-learn",
    "wx": "wxPython",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}

#: Packages that TF1 code uses under their own name.
_SAME_NAME = frozenset(
    "cloudpickle configargparse cython editdistance edward fire flask ftfy future gensim gin gym "
    "h5py hickle horovod hyperopt imageio imgaug ipdb jieba joblib keras librosa lmdb matplotlib "
    "mido mock moviepy mpi4py msgpack munch music21 natsort networkx nibabel nltk numba numexpr "
    "numpy pandas plotly pooch progressbar psutil pycocotools pydot pygame pytest "
    "python_speech_features regex requests resampy sacred scipy seaborn sentencepiece simplejson "
    "six soundfile spacy sympy tables tabulate tensor2tensor tensorboard tensorboardX "
    "tensorflow_datasets tensorflow_probability tensorlayer termcolor tf_keras tf_slim tflearn "
    "toml toolz torch torchvision tqdm trfl trimesh ujson unidecode wget xlrd xmltodict".split()
)


def command_for(module):
    """Returns the command that installs the package of a module, or None if that is not known.

    A name that no known package has is more often a module of the user's own.
    """
    if module in _PACKAGE_OF or module in _SAME_NAME:
        return "pip install " + _quoted(_PACKAGE_OF.get(module, module))
    return None


def is_known(package):
    """Tells whether a package is one of those that TF1 code is known to use."""
    names = [*_PACKAGE_OF.values(), *_SAME_NAME]
    return pins.normalized(package) in {pins.normalized(name.partition("<")[0]) for name in names}


def command_for_older(module):
    """Returns the command that installs the package as TF1 code knows it, or None."""
    command = command_for(module)
    return command if command and "<" in command else None


def _quoted(package):
    return f'"{package}"' if "<" in package else package


def commands(entries):
    """Returns the commands for all entries: one `pip install` for all packages.

    Args:
      entries: those of a `Report`.
    """
    installs = sorted({entry.status.install for entry in entries if entry.status.install})
    pip = [command[len("pip install ") :] for command in installs if command != LEGACY]
    return [LEGACY] * (LEGACY in installs) + (["pip install " + " ".join(pip)] if pip else [])
