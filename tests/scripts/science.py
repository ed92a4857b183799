# %% scipy.stats.mode scipy.integrate.simps [fails-not: other shapes and numbers]
import numpy as np
import scipy.integrate
from scipy import stats
from scipy.integrate import simps
import tensorflow as tf
print(stats.mode([[1, 1, 2], [2, 1, 2]])[0].tolist(), stats.mode([1, 2, 2])[0][0], stats.mode([1, 2, 2]).count.tolist())
print(stats.mode(np.array([[1, 2], [1, 3]]), axis=1)[0].shape, stats.mode(np.array([[1, 2], [1, 3]]), axis=None).mode.tolist(), stats.mode(np.array([["a", "b"], ["a", "c"]]))[0].tolist())
y = np.array([1.0, 2.0, 4.0, 7.0, 3.0, 1.0])
print(simps(y), simps(y[:5]), simps(y, dx=0.5), simps(y, np.arange(6.0) ** 2), simps(y, even="first"), simps(y, even="last"))
print(simps(np.stack([y, y * 2])).tolist(), simps(np.stack([y, y * 2]), axis=0).tolist(), scipy.integrate.simps([1.0, 3.0]))

# %% scipy.stats.itemfreq scipy.stats.binom_test scipy.interp scipy.random scipy.sparse.attributes
import numpy as np
import scipy
from scipy import interp
from scipy.sparse import csr_matrix
from scipy.stats import binom_test, itemfreq
import tensorflow as tf
print(itemfreq([1, 1, 2]).tolist(), round(binom_test(3, 10), 5), binom_test([3, 7]) == binom_test(3, 10), float(interp(0.5, [0, 1], [0, 2])), scipy.random.rand(2).shape)
matrix = csr_matrix(np.array([[1, 2j], [0, 1]]))
print(matrix.A.tolist(), matrix.H.toarray().tolist(), (matrix * matrix).A.shape, csr_matrix(np.eye(2, dtype=int)).asfptype().dtype)

# %% sklearn.defaults [needs: sklearn] [fails-not: other defaults]
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.decomposition import FastICA
from sklearn.manifold import MDS
from sklearn.svm import LinearSVC
import numpy as np
import tensorflow as tf
x = np.random.RandomState(0).randn(40, 4) + np.repeat([[0], [2]], 20, 0)
print(KMeans(3).n_init, MiniBatchKMeans(3).n_init, MDS().n_init, LinearSVC().dual, KMeans(3).get_params()["n_init"], KMeans(3, n_init=2).n_init)
print(sorted(KMeans(3, random_state=0).fit(x).cluster_centers_.round(4).tolist()))
print(abs(FastICA(2, random_state=0).fit_transform(x))[:2].round(2).tolist())

# %% sklearn.signs_of_components sklearn.scores [needs: sklearn] [fails-not: other signs and numbers]
from sklearn.decomposition import PCA
from sklearn.metrics import log_loss, mean_squared_error, precision_recall_curve, roc_curve
import numpy as np
import tensorflow as tf
x = np.random.RandomState(0).randn(40, 4) + np.repeat([[0], [2]], 20, 0)
print(PCA(2, random_state=0).fit_transform(x)[:2].round(3).tolist(), PCA().fit(x).components_.round(3).tolist(), PCA(0.9).fit(x).n_components_)
labels, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
print([a.tolist() for a in roc_curve(labels, scores)], [a.round(3).tolist() for a in precision_recall_curve(labels, scores)])
print([a.tolist() for a in precision_recall_curve([0, 1], [0.2, 0.1])], round(log_loss([0, 1], [1.0, 0.5]), 4), round(log_loss([0, 1], [0.0, 1.0], eps=1e-3), 5))
print(mean_squared_error([1.0, 2.0], [2.0, 4.0], squared=False), mean_squared_error([[1.0, 2.0]], [[2.0, 4.0]], squared=False), mean_squared_error([1.0], [2.0]))

# %% sklearn.renamed_arguments [needs: sklearn]
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering
from sklearn.ensemble import AdaBoostRegressor, BaggingClassifier, GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor
import numpy as np
import tensorflow as tf
random = np.random.RandomState(0)
x = random.randn(40, 4) + np.repeat([[0], [2]], 20, 0)
y, t = np.repeat([0, 1], 20), x[:, 0] * 2 + x[:, 1]
print(clone(BaggingClassifier(base_estimator=SVC(), n_estimators=3, random_state=0)).fit(x, y).predict(x)[:5].tolist(), SGDClassifier(loss="log", random_state=0).fit(x, y).predict(x)[:5].tolist())
print(RandomForestClassifier(10, max_features="auto", random_state=0).fit(x, y).predict(x)[:5].tolist(), RandomForestRegressor(5, criterion="mse", random_state=0).fit(x, t).predict(x)[:3].round(4).tolist())
print(GradientBoostingRegressor(n_estimators=5, loss="ls", random_state=0).fit(x, t).predict(x)[:3].round(4).tolist(), GradientBoostingClassifier(n_estimators=5, loss="deviance", random_state=0).fit(x, y).predict_proba(x)[:2].round(4).tolist())
print(DecisionTreeRegressor(criterion="mse", max_depth=2, random_state=0).fit(x, t).predict(x)[:3].round(3).tolist(), len(set(AgglomerativeClustering(2, affinity="euclidean").fit(x).labels_)))
print(LogisticRegression(C=1e5, solver="lbfgs", multi_class="multinomial").fit(x, np.arange(40) % 3).predict(x)[:8].tolist(), LogisticRegression(penalty="none").fit(x, np.arange(40) % 3).predict(x)[:5].tolist())
