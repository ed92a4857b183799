# %% scipy.stats.mode [fails-not: other shapes and numbers]
import numpy as np
from scipy import stats
import tensorflow as tf
print(stats.mode([[1, 1, 2], [2, 1, 2]])[0].tolist(), stats.mode([1, 2, 2])[0][0], stats.mode([1, 2, 2]).count.tolist())
print(stats.mode(np.array([[1, 2], [1, 3]]), axis=1)[0].shape, stats.mode(np.array([[1, 2], [1, 3]]), axis=None).mode.tolist())

# %% scipy.interp scipy.random scipy.sparse.attributes
import numpy as np
import scipy
from scipy import interp
from scipy.sparse import csr_matrix
import tensorflow as tf
print(float(interp(0.5, [0, 1], [0, 2])), scipy.random.rand(2).shape)
matrix = csr_matrix(np.array([[1, 2j], [0, 1]]))
print(matrix.A.tolist(), matrix.H.toarray().tolist(), (matrix * matrix).A.shape, csr_matrix(np.eye(2, dtype=int)).asfptype().dtype)

# %% sklearn.defaults [needs: sklearn] [fails-not: other defaults]
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.svm import LinearSVC
import numpy as np
import tensorflow as tf
x = np.random.RandomState(0).randn(40, 4) + np.repeat([[0], [2]], 20, 0)
print(KMeans(3).n_init, MiniBatchKMeans(3).n_init, LinearSVC().dual, KMeans(3).get_params()["n_init"], KMeans(3, n_init=2).n_init)

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

# %% networkx.OrderedGraph networkx.OrderedDiGraph networkx.OrderedMultiGraph
# %%+ networkx.OrderedMultiDiGraph networkx.from_scipy_sparse_matrix networkx.pagerank_scipy
# %%+ networkx.pagerank_numpy networkx.info networkx.to_numpy_matrix
# %%+ networkx.to_scipy_sparse_matrix networkx.adjacency_matrix
# %%+ networkx.laplacian_matrix networkx.normalized_laplacian_matrix networkx.incidence_matrix
# %%+ networkx.google_matrix networkx.modularity_matrix networkx.graph_attributes
# %%+ [needs: networkx] [not-on-1.15: networkx is not installed beside it]
# Printed by networkx 2.6.3, and by hand what 2.4 took away.
#> [('kind', 'b')] [0, 1, 2, 3] [(0, 1, {}), (1, 2, {})] {0: 1, 1: 2, 2: 1, 3: 0} [0, 2] {1: {}}
#> [(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)] [] 0 []
#> [[2, 1, 2, 1], [1, 3, 1, 2], [2, 1, 2, 1], [1, 2, 1, 3]] [[2, 1, 2, 1], [1, 3, 1, 2], [2, 1, 2, 1], [1, 2, 1, 3]] csr_matrix
#> csr_matrix [[6, -4, 2, -4], [-4, 12, -4, -4], [2, -4, 6, -4], [-4, -4, -4, 12]]
#> csr_matrix [[1.3333, -0.6804, 0.3333, -0.6804], [-0.6804, 1.4444, -0.6804, -0.3333], [0.3333, -0.6804, 1.3333, -0.6804], [-0.6804, -0.3333, -0.6804, 1.4444]]
#> csc_matrix [[2.0, 1.0, 0.0, 1.0], [1.0, 3.0, 1.0, 1.0], [0.0, 1.0, 2.0, 1.0], [1.0, 1.0, 1.0, 3.0]]
#> matrix [[0.0713, 0.1138, 0.815], [0.4325, 0.475, 0.0925], [0.0712, 0.475, 0.4538]]
#> matrix [[0.64, -0.64, 0.64, -0.64], [-0.64, 1.14, -0.64, 0.14], [0.64, -0.64, 0.64, -0.64], [-0.64, 0.14, -0.64, 1.14]]
#> matrix [[2.0, 1.0, 2.0, 1.0], [1.0, 3.0, 1.0, 2.0], [2.0, 1.0, 2.0, 1.0], [1.0, 2.0, 1.0, 3.0]] csr_matrix [[2, 1, 2, 1], [1, 3, 1, 2], [2, 1, 2, 1], [1, 2, 1, 3]]
#> [(0, 1), (0, 3), (1, 2), (1, 3), (2, 3)]
#> [(0, 1)]
#> [(0, 1)]
#> [(0, 1), (0, 1)]
#> [(0, 1), (0, 1)]
#> Graph with 4 nodes and 5 edges
#> [{0: 0.2148, 1: 0.3974, 2: 0.3878}, {0: 0.2148, 1: 0.3974, 2: 0.3878}]
import networkx as nx
import numpy as np
G = nx.Graph()
G.add_nodes_from([0, 1, 2, 3])
nx.add_path(G, [0, 1, 2])
G.node[1]["kind"] = "b"
print(sorted(G.node[1].items()), list(G.nodes_iter()), list(G.edges_iter(data=True)), dict(G.degree_iter()), list(G.neighbors_iter(1)), G.edge[0])
G.add_path([2, 3])
G.add_cycle([0, 3])
G.add_star([1, 3])
print(sorted(G.edges()), list(G.selfloop_edges()), G.number_of_selfloops(), list(G.nodes_with_selfloops()))
A = nx.adjacency_matrix(G)
print((A * A).todense().tolist(), (A ** 2).todense().tolist(), type(A).__name__)
for function in (nx.laplacian_matrix, nx.normalized_laplacian_matrix, nx.incidence_matrix):
    M = function(G)
    print(type(M).__name__, (M * M.T).todense().round(4).tolist())
D = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 1)])
for M in (nx.google_matrix(D), nx.modularity_matrix(G)):
    print(type(M).__name__, (M * M).round(4).tolist())
M = nx.to_numpy_matrix(G)
S = nx.to_scipy_sparse_matrix(G)
print(type(M).__name__, (M * M).tolist(), type(S).__name__, (S * S).todense().tolist())
print(sorted(nx.from_scipy_sparse_matrix(S).edges()))
for kind in (nx.OrderedGraph, nx.OrderedDiGraph, nx.OrderedMultiGraph, nx.OrderedMultiDiGraph):
    print(sorted(kind([(0, 1), (0, 1)]).edges()))
print(nx.info(G))
print([{node: round(float(rank), 4) for node, rank in sorted(ranks.items())} for ranks in (nx.pagerank_numpy(D), nx.pagerank_scipy(D))])

# %% networkx.adj_matrix scipy.stats.frechet_r scipy.stats.frechet_l
# %%+ [needs: networkx scipy] [not-on-1.15: networkx 2.2, SciPy 1.2]
import networkx as nx
import numpy as np
from scipy import stats
graph = nx.path_graph(3)
matrix = nx.adj_matrix(graph)
print((matrix * np.ones(3)).tolist(), nx.adj_matrix(graph, nodelist=[2, 1, 0]).sum())
print(round(stats.frechet_r.pdf(0.5, 2.0), 6), round(stats.frechet_l.cdf(-0.5, 2.0), 6), round(stats.frechet_r(1.5).mean(), 6))
#> [1.0, 2.0, 1.0] 4
#> 0.778801 0.778801 0.902745

# %% networkx.from_numpy_matrix networkx.convert_matrix.from_numpy_matrix
# %%+ [not-on-1.15: networkx is not there] [needs: networkx]
import networkx as nx
import numpy as np
weights = np.array([[0, 2, 0], [2, 0, 0.5], [0, 0.5, 0]])
for matrix in (weights, np.matrix(weights)):
    print(sorted(nx.from_numpy_matrix(matrix).edges(data="weight")))
print(sorted(nx.from_numpy_matrix(weights > 1, create_using=nx.DiGraph()).edges()), type(nx.convert_matrix.from_numpy_matrix(weights)).__name__)
print(len(nx.from_numpy_matrix(np.matrix([[0, 2], [2, 0]]), parallel_edges=True, create_using=nx.MultiGraph()).edges()))
#> [(0, 1, 2.0), (1, 2, 0.5)]
#> [(0, 1, 2.0), (1, 2, 0.5)]
#> [(0, 1), (1, 0)] Graph
#> 2
