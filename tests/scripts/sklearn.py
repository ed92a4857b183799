# %% sklearn.cross_validation sklearn.grid_search sklearn.learning_curve sklearn.metrics.scorer sklearn.datasets.samples_generator sklearn.datasets.base sklearn.decomposition.pca sklearn.manifold.t_sne sklearn.lda sklearn.svm.classes sklearn.ensemble.forest [not-on-1.15: scikit-learn 0.20 to 0.24 dropped them] [needs: sklearn]
from sklearn.cross_validation import cross_val_score, train_test_split
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
print(callable(cross_val_score), len(train_test_split(y, test_size=0.5, random_state=0)[0]))
print(make_blobs(4, random_state=0)[0].shape, Bunch(a=1).a, callable(make_scorer), callable(learning_curve))
print([c.__name__ for c in (PCA, RandomForestClassifier, GridSearchCV, LinearDiscriminantAnalysis, SVC)])
#> True 2
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
# %%+ [slow: fits]
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

# %% sklearn.datasets.fetch_mldata sklearn.datasets.load_boston [not-on-1.15: load_boston is there still] [needs: sklearn]
from sklearn.datasets import fetch_mldata, load_boston
import tensorflow as tf
try:
    fetch_mldata('iris')
except NotImplementedError as error:
    print('mldata.org' in str(error))
with open('boston', 'w') as f:
    f.write(""" The Boston house-price data of 1978.
 Variables in order:
 CRIM     per capita crime rate by town

 0.00632  18.00   2.310  0  0.5380  6.5750  65.20  4.0900   1  296.0  15.30
  396.90   4.98  24.00
 0.02731   0.00   7.070  0  0.4690  6.4210  78.90  4.9671   2  242.0  17.80
  396.90   9.14  21.60
""")
boston = load_boston()
print(boston.data.shape, boston.target.tolist(), boston.feature_names[-1], boston['data'][1, :3].tolist())
x, y = load_boston(return_X_y=True)
print(tf.Session().run(tf.reduce_sum(x * y[:, None], 0))[:2])
#> True
#> (2, 13) [24.0, 21.6] LSTAT [0.02731, 0.0, 7.07]
#> [7.41576e-01 4.32000e+02]

# %% sklearn.cluster.dbscan_ sklearn.cluster.hierarchical sklearn.cluster.k_means_ sklearn.decomposition.nmf sklearn.decomposition.online_lda sklearn.decomposition.truncated_svd sklearn.ensemble.bagging sklearn.ensemble.base [not-on-1.15: scikit-learn 0.24 hid them] [needs: sklearn]
# %%+ sklearn.ensemble.gradient_boosting sklearn.ensemble.voting_classifier sklearn.ensemble.weight_boosting sklearn.feature_extraction.dict_vectorizer sklearn.feature_extraction.hashing sklearn.feature_extraction.stop_words sklearn.feature_selection.base sklearn.feature_selection.rfe
# %%+ sklearn.feature_selection.univariate_selection sklearn.linear_model.base sklearn.linear_model.coordinate_descent sklearn.linear_model.logistic sklearn.linear_model.ridge sklearn.linear_model.stochastic_gradient sklearn.manifold.isomap sklearn.manifold.locally_linear
# %%+ sklearn.manifold.mds sklearn.metrics.classification sklearn.metrics.ranking sklearn.metrics.regression sklearn.mixture.gaussian_mixture sklearn.neighbors.base sklearn.neighbors.classification sklearn.neighbors.regression
# %%+ sklearn.neighbors.unsupervised sklearn.neural_network.multilayer_perceptron sklearn.neural_network.rbm sklearn.preprocessing.data sklearn.preprocessing.label sklearn.semi_supervised.label_propagation sklearn.svm.base sklearn.tree.tree
# %%+ sklearn.utils.testing
import importlib
import tensorflow as tf
from sklearn.cluster.k_means_ import KMeans
from sklearn.linear_model.logistic import LogisticRegression
from sklearn.metrics.classification import accuracy_score, confusion_matrix
from sklearn.preprocessing.data import StandardScaler
x = tf.Session().run(tf.constant([[0.], [1.], [10.], [11.]]))
print(LogisticRegression().fit(x, [0, 0, 1, 1]).predict(x), accuracy_score([1, 0], [1, 1]))
labels = KMeans(2, n_init=2).fit(x).labels_
print(labels[0] != labels[-1], StandardScaler().fit(x).mean_)
hidden = {
    'cluster': 'dbscan_ hierarchical k_means_',
    'decomposition': 'nmf online_lda truncated_svd',
    'ensemble': 'bagging base gradient_boosting voting_classifier weight_boosting',
    'feature_extraction': 'dict_vectorizer hashing stop_words',
    'feature_selection': 'base rfe univariate_selection',
    'linear_model': 'base coordinate_descent logistic ridge stochastic_gradient',
    'manifold': 'isomap locally_linear mds',
    'metrics': 'classification ranking regression',
    'mixture': 'gaussian_mixture',
    'neighbors': 'base classification regression unsupervised',
    'neural_network': 'multilayer_perceptron rbm',
    'preprocessing': 'data label',
    'semi_supervised': 'label_propagation',
    'svm': 'base',
    'tree': 'tree',
    'utils': 'testing',
}
for package, names in sorted(hidden.items()):
    for name in names.split():
        module = importlib.import_module('sklearn.%s.%s' % (package, name))
        print(package, name, len(dir(module)) > 3)
#> [0 0 1 1] 0.5
#> True [5.5]
#> cluster dbscan_ True
#> cluster hierarchical True
#> cluster k_means_ True
#> decomposition nmf True
#> decomposition online_lda True
#> decomposition truncated_svd True
#> ensemble bagging True
#> ensemble base True
#> ensemble gradient_boosting True
#> ensemble voting_classifier True
#> ensemble weight_boosting True
#> feature_extraction dict_vectorizer True
#> feature_extraction hashing True
#> feature_extraction stop_words True
#> feature_selection base True
#> feature_selection rfe True
#> feature_selection univariate_selection True
#> linear_model base True
#> linear_model coordinate_descent True
#> linear_model logistic True
#> linear_model ridge True
#> linear_model stochastic_gradient True
#> manifold isomap True
#> manifold locally_linear True
#> manifold mds True
#> metrics classification True
#> metrics ranking True
#> metrics regression True
#> mixture gaussian_mixture True
#> neighbors base True
#> neighbors classification True
#> neighbors regression True
#> neighbors unsupervised True
#> neural_network multilayer_perceptron True
#> neural_network rbm True
#> preprocessing data True
#> preprocessing label True
#> semi_supervised label_propagation True
#> svm base True
#> tree tree True
#> utils testing True

# %% sklearn.covariance.GraphLasso sklearn.covariance.GraphLassoCV sklearn.covariance.graph_lasso
# %%+ sklearn.metrics.jaccard_similarity_score sklearn.utils.extmath.pinvh
# %%+ sklearn.neighbors.DistanceMetric
# %%+ [needs: sklearn] [not-on-1.15: scikit-learn 0.20]
import warnings
warnings.simplefilter("ignore")
import numpy as np
from sklearn import covariance, metrics, neighbors
from sklearn.utils import extmath, graph
random = np.random.RandomState(0)
x = random.randn(30, 3)
print(covariance.GraphLasso(alpha=0.1).fit(x).covariance_.round(2).tolist(), covariance.graph_lasso(np.cov(x.T), 0.2)[0].round(4).tolist())
print(type(covariance.GraphLassoCV(cv=3).fit(x)).__name__.replace("Graphical", "Graph"))
print(metrics.jaccard_similarity_score([0, 2, 1, 3], [0, 1, 2, 3]), metrics.jaccard_similarity_score([0, 1, 1], [0, 1, 0], normalize=False))
print(extmath.pinvh(np.diag([1.0, 2.0])).round(6).tolist())
print(neighbors.DistanceMetric.get_metric("manhattan").pairwise(x[:2]).round(4).tolist())
#> [[1.25, 0.0, 0.06], [0.0, 0.95, 0.01], [0.06, 0.01, 0.87]] [[1.2973, 0.0, 0.0], [0.0, 0.9837, 0.0], [0.0, 0.0, 0.9035]]
#> GraphLassoCV
#> 0.5 2
#> [[1.0, 0.0], [0.0, 0.5]]
#> [[0.0, 3.9003], [3.9003, 0.0]]

# %% sklearn.utils.extmath.fast_dot sklearn.utils.extmath.logsumexp
# %%+ sklearn.utils.graph.graph_laplacian
# %%+ [needs: sklearn] [not-on-1.15: NumPy says it]
import numpy as np
from scipy import special
from scipy.sparse import csgraph
from sklearn.utils import extmath, graph
x = np.random.RandomState(0).randn(4, 4)
x = np.abs(x + x.T)
print(np.array_equal(extmath.fast_dot(x.T, x), x.T.dot(x)), np.allclose(extmath.logsumexp(x, axis=1), np.log(np.exp(x).sum(1))))
print(np.allclose(graph.graph_laplacian(x), np.diag((x - np.diag(np.diag(x))).sum(0)) - (x - np.diag(np.diag(x)))))
#> True True
#> True

# %% sklearn.arguments [needs: sklearn] [slow: fits]
import numpy as np
from sklearn import cluster, cross_decomposition, datasets, decomposition, ensemble, linear_model, metrics, model_selection
from sklearn import multioutput, preprocessing, tree, utils, calibration, covariance, impute, semi_supervised
from sklearn.naive_bayes import GaussianNB
X = np.abs(np.sin(np.arange(120.0)).reshape(30, 4))
y = np.tile([0, 1, 1], 10)
groups = np.repeat(range(6), 5)
weights = {"sample_weight": np.ones(30)}
shallow = tree.DecisionTreeRegressor(max_depth=2, random_state=0)
bag = ensemble.BaggingRegressor(base_estimator=shallow, random_state=0, n_estimators=3).fit(X, y)
print(np.round(bag.predict(X[:3]), 4).tolist())
print(np.round(ensemble.AdaBoostRegressor(base_estimator=None, random_state=0, n_estimators=3).fit(X, y).predict(X[:3]), 4).tolist())
print(cluster.AgglomerativeClustering(3, affinity="cosine", linkage="average").fit_predict(X).tolist())
grouped = cluster.FeatureAgglomeration(2).fit(X)
print(grouped.inverse_transform(Xred=grouped.transform(X[:1])).round(4).tolist())
print(round(metrics.brier_score_loss(y, y_prob=np.full(30, 0.3)), 6))
print(len(metrics.precision_recall_curve(y, probas_pred=X[:, 0])), metrics.fowlkes_mallows_score(y, 1 - y, sparse=True))
for validate in (model_selection.cross_val_score, model_selection.cross_val_predict):
    print(validate(linear_model.Ridge(), X, y, cv=3, fit_params=weights)[:3].round(4).tolist())
print(model_selection.cross_validate(linear_model.Ridge(), X, y, cv=3, fit_params=weights)["test_score"].round(4).tolist())
bins = preprocessing.KBinsDiscretizer(2, encode="ordinal", strategy="uniform").fit(X)
print(bins.inverse_transform(Xt=bins.transform(X[:1])).round(4).tolist(), datasets.make_sparse_spd_matrix(dim=3, random_state=0).shape)
print(utils.check_array([[np.nan]], force_all_finite=False).shape, metrics.pairwise_distances(X[:2], force_all_finite=True).round(4).tolist())
print(metrics.pairwise.manhattan_distances(X[:2], sum_over_features=True).round(4).tolist(), tree.DecisionTreeClassifier(random_state=0).fit(X, y, X_idx_sorted=None).get_depth())
print(cross_decomposition.PLSRegression(1).fit(X, Y=y).transform(X, Y=y)[1].shape, linear_model.RidgeCV(store_cv_values=True).fit(X, y).coef_.round(3).tolist())
factors = decomposition.NMF(2, alpha=0.0, init="nndsvd").fit(X)
print(factors.inverse_transform(W=np.ones([1, 2])).round(3).tolist(), linear_model.BayesianRidge(n_iter=50).fit(X, y).coef_.round(3).tolist())
print(linear_model.RANSACRegressor(base_estimator=linear_model.Ridge(), random_state=0, min_samples=5).fit(X, X[:, 0]).predict(X[:2]).round(3).tolist())
print(multioutput.ClassifierChain(base_estimator=GaussianNB()).fit(X, np.c_[y, 1 - y]).predict(X[:3]).tolist())
print(calibration.CalibratedClassifierCV(base_estimator=GaussianNB(), cv=3).fit(X, y).predict_proba(X[:2]).round(3).tolist())
print(semi_supervised.SelfTrainingClassifier(base_estimator=GaussianNB()).fit(X, np.where(groups < 4, y, -1)).predict(X[:4]).tolist())
print(covariance.graphical_lasso(np.cov(X.T), 0.1, cov_init=None)[0].round(3).tolist()[0], impute.SimpleImputer(verbose=1).fit_transform([[1.0], [np.nan]]).tolist())
print(linear_model.TheilSenRegressor(copy_X=True, random_state=0).fit(X, y).coef_.round(2).tolist(), cluster.Birch(n_clusters=2, copy=True).fit_predict(X)[:4].tolist())
#> [0.3175, 0.4425, 0.7383] 2 DecisionTreeRegressor
#> [0.3333, 1.0, 0.3333]
#> [0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 2, 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 2, 0, 1, 2, 0, 0, 1, 2, 0]
#> [[0.0706, 0.8754, 0.8754, 0.0706]]
#> 0.3476 0.356667
#> 3 1.0
#> [-0.1351, -0.4481, -0.1638]
#> [0.7497, 0.6287, 0.6791]
#> [-0.1351, -0.4481, -0.1638]
#> [[0.2485, 0.7742, 0.7483, 0.3295]] (3, 3)
#> (1, 1) [[0.0, 1.1178], [1.1178, 0.0]]
#> [[0.0, 2.02], [2.02, 0.0]] 9
#> (30, 1) (30, 3)
#> [[1.581, 1.826, 1.86, 1.611]] [-0.0, 0.0, -0.0, -0.0]
#> [0.209, 0.736]
#> [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
#> [[0.391, 0.609], [0.379, 0.621]]
#> [0, 1, 1, 1]
#> [0.107, 0.0, 0.0, 0.0] [[1.0], [1.0]]
#> [0.0, 0.0, -0.0, -0.0] [1, 0, 0, 0]

# %% sklearn.cross_validation.KFold sklearn.cross_validation.LeaveOneOut sklearn.cross_validation.ShuffleSplit
# %%+ sklearn.cross_validation.StratifiedKFold sklearn.cross_validation.StratifiedShuffleSplit
# %%+ [not-on-1.15: scikit-learn 0.20 dropped it] [needs: sklearn]
import numpy as np
from sklearn import cross_validation
from sklearn.cross_validation import KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold, train_test_split, cross_val_score
from sklearn.linear_model import LinearRegression
for train, test in KFold(7, n_folds=3):
    print(train.tolist(), test.tolist())
print(len(KFold(7)), KFold(7, 2).n, [len(test) for _, test in KFold(n=7, n_folds=3, shuffle=True, random_state=0)], [t.tolist() for _, t in KFold(4, 2, random_state=3)])
order = np.arange(7)
np.random.RandomState(0).shuffle(order)
print(all(sorted(order[a:b]) == t.tolist() for (a, b), (_, t) in zip([(0, 3), (3, 5), (5, 7)], KFold(7, 3, shuffle=True, random_state=0))))
print([test.tolist() for _, test in LeaveOneOut(3)], len(LeaveOneOut(3)))
splits = list(ShuffleSplit(10, n_iter=2, test_size=0.25, random_state=0))
order = np.random.RandomState(0).permutation(10)
print(splits[0][1].tolist() == order[:3].tolist(), splits[0][0].tolist() == order[3:].tolist(), len(ShuffleSplit(10)))
x = np.arange(12.).reshape(6, 2)
print(cross_val_score(LinearRegression(), x, x[:, 0], cv=KFold(6, 3)).round(3).tolist(), len(train_test_split(x)))
np.random.seed(5)
folds = KFold(6, 2, shuffle=True)
print([test.tolist() for _, test in folds] == [test.tolist() for _, test in folds])
y = [0, 1, 0, 1, 0, 1, 2, 2, 2, 2]
np.random.seed(5)
for folds in (StratifiedKFold(y, n_folds=2), StratifiedKFold(y, 3, shuffle=True, random_state=7), StratifiedKFold(list("abcabcaab"), 2, True)):
    print([test.tolist() for _, test in folds], len(folds), len(folds.y))
print([(a.tolist(), b.tolist()) for a, b in cross_validation.StratifiedShuffleSplit(y, 2, test_size=4, train_size=3, random_state=4)])
#> [3, 4, 5, 6] [0, 1, 2]
#> [0, 1, 2, 5, 6] [3, 4]
#> [0, 1, 2, 3, 4] [5, 6]
#> 3 7 [3, 2, 2] [[0, 1], [2, 3]]
#> True
#> [[0], [1], [2]] 3
#> True True 10
#> [1.0, 1.0, 1.0] 2
#> True
#> [[0, 1, 2, 3, 6, 7], [4, 5, 8, 9]] 2 10
#> [[1, 4, 7, 8], [2, 3, 6], [0, 5, 9]] 3 10
#> [[0, 1, 3, 5, 8], [2, 4, 6, 7]] 2 9
#> [([7, 0, 1], [8, 9, 5, 2]), ([3, 4, 7], [9, 5, 0, 8])]
