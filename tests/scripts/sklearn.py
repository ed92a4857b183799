# %% sklearn.cross_validation sklearn.grid_search sklearn.learning_curve sklearn.metrics.scorer sklearn.datasets.samples_generator sklearn.datasets.base sklearn.decomposition.pca sklearn.manifold.t_sne sklearn.lda sklearn.svm.classes sklearn.ensemble.forest [not-on-1.15: scikit-learn 0.20 to 0.24 dropped them] [needs: sklearn]
from sklearn.cross_validation import KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold, train_test_split
from sklearn.datasets.base import Bunch
from sklearn.datasets.samples_generator import make_blobs
from sklearn.decomposition.pca import PCA
from sklearn.ensemble.forest import RandomForestClassifier
from sklearn.grid_search import GridSearchCV
from sklearn.lda import LinearDiscriminantAnalysis
from sklearn.learning_curve import learning_curve
from sklearn.manifold.t_sne import TSNE
from sklearn.metrics.scorer import make_scorer
from sklearn.svm.classes import SVC
import tensorflow as tf
y = tf.Session().run(tf.constant([0, 1, 0, 1]))
print([(train.tolist(), test.tolist()) for train, test in KFold(4, n_folds=2)], len(StratifiedKFold(y, n_folds=2)))
print(len(list(LeaveOneOut(3))), len(list(ShuffleSplit(4, n_iter=2, test_size=0.5))), len(train_test_split(y, test_size=0.5, random_state=0)[0]))
print(make_blobs(4, random_state=0)[0].shape, Bunch(a=1).a, callable(make_scorer), callable(learning_curve))
print([c.__name__ for c in (PCA, RandomForestClassifier, GridSearchCV, LinearDiscriminantAnalysis, SVC)])
#> [([2, 3], [0, 1]), ([0, 1], [2, 3])] 2
#> 3 2 2
#> (4, 2) 1 True True
#> ['PCA', 'RandomForestClassifier', 'GridSearchCV', 'LinearDiscriminantAnalysis', 'SVC']

# %% sklearn.externals.joblib sklearn.externals.six sklearn.utils.linear_assignment_ [not-on-1.15: scikit-learn 0.23 dropped them] [needs: sklearn]
from sklearn.externals import joblib, six
from sklearn.utils.linear_assignment_ import linear_assignment
import tensorflow as tf
joblib.dump(tf.Session().run(tf.constant([1, 2])), 'x.pkl')
print(joblib.load('x.pkl'), six.PY3, linear_assignment([[4, 1], [2, 3]]).tolist())
#> [1 2] True [[0, 1], [1, 0]]

# %% sklearn.manifold.TSNE [needs: sklearn] [fails-not: n_iter fails from scikit-learn 1.7 on]
from sklearn.manifold import TSNE
import tensorflow as tf
x = tf.Session().run(tf.reshape(tf.range(24.), [8, 3]))
tsne = TSNE(perplexity=3, n_components=2, init='pca', n_iter=250, random_state=0)
print(tsne.fit_transform(x).shape)

# %% sklearn.preprocessing.OneHotEncoder sklearn.preprocessing.Imputer sklearn.metrics.calinski_harabaz_score sklearn.get_feature_names [not-on-1.15: scikit-learn 0.22 dropped Imputer] [needs: sklearn]
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import calinski_harabaz_score
from sklearn.preprocessing import Imputer, OneHotEncoder
import numpy as np
import tensorflow as tf
y = tf.Session().run(tf.constant([[0.], [1.], [2.], [3.]]))
print(OneHotEncoder(sparse=False).fit_transform(y).shape, Imputer().fit_transform([[1.], [np.nan]]).ravel(), calinski_harabaz_score(y, [0, 0, 1, 1]))
words = CountVectorizer()
words.fit(['a net', 'the loss'])
print(words.get_feature_names())
#> (4, 4) [1. 1.] 8.0
#> ['loss', 'net', 'the']

# %% sklearn.datasets.fetch_mldata sklearn.datasets.load_boston [not-on-1.15: load_boston is there still] [fails-not: it says why] [needs: sklearn]
import sklearn.datasets
import tensorflow as tf
try:
    sklearn.datasets.fetch_mldata('iris')
except NotImplementedError as error:
    print('mldata.org' in str(error))
try:
    sklearn.datasets.load_boston()
except (AttributeError, ImportError) as error:
    print('withdrawn' in str(error), tf.Session().run(tf.constant(1)))
#> True
#> True 1
