"""networkx 2: names that left it, matrices that are sparse arrays now, attributes of graphs.

``A * B`` of a sparse array multiplies element by element, where it was the product of
matrices: graph convolutions give other numbers without an error.
"""

import functools
import pickle

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import left, made, moved, of

#: Functions that gave scipy's sparse matrices, and those that gave NumPy's.
_SPARSE = (
    "adjacency_matrix laplacian_matrix normalized_laplacian_matrix incidence_matrix "
    "directed_laplacian_matrix directed_combinatorial_laplacian_matrix bethe_hessian_matrix"
).split()
_DENSE = "google_matrix modularity_matrix directed_modularity_matrix attr_matrix".split()


def _as_matrix(found):
    """A matrix of NumPy or scipy with the elements of an array; what is neither stays."""
    import numpy
    import scipy.sparse

    if scipy.sparse.issparse(found):
        return getattr(scipy.sparse, found.format + "_matrix")(found)
    return numpy.asmatrix(found) if isinstance(found, numpy.ndarray) else found


def _giving_matrix(name, of=None):
    def provide(real):
        plain = getattr(real, of or name)

        @functools.wraps(plain)
        def function(*arguments, **options):
            found = plain(*arguments, **options)
            if isinstance(found, tuple):
                return (_as_matrix(found[0]), *found[1:])
            return _as_matrix(found)

        return function

    return Row("networkx." + name, "networkx 3.0", "returns a matrix, not an array", provide)


def _to_matrix(old, new):
    @made("networkx." + old, "networkx 3.0", f"the matrix of networkx.{new}")
    def row(real):
        return lambda *arguments, **options: _as_matrix(getattr(real, new)(*arguments, **options))

    return row


@made("networkx.from_numpy_matrix", "networkx 3.0", "networkx.from_numpy_array of the matrix")
def _from_numpy_matrix(real):
    import numpy

    return lambda A, *arguments, **options: real.from_numpy_array(
        numpy.asarray(A), *arguments, **options
    )


@made("networkx.read_gpickle", "networkx 3.0", "pickle.load of the file")
def _read_gpickle(real):
    def read_gpickle(path):
        if hasattr(path, "read"):
            return pickle.load(path)
        with open(path, "rb") as file:
            return pickle.load(file)

    return read_gpickle


@made("networkx.write_gpickle", "networkx 3.0", "pickle.dump into the file")
def _write_gpickle(real):
    def write_gpickle(G, path, protocol=pickle.HIGHEST_PROTOCOL):
        if hasattr(path, "write"):
            return pickle.dump(G, path, protocol)
        with open(path, "wb") as file:
            return pickle.dump(G, file, protocol)

    return write_gpickle


def _subgraphs(name):
    components = name[: -len("_subgraphs")] + "s"

    @made("networkx." + name, "networkx 2.4", f"a subgraph for each of networkx.{components}")
    def row(real):
        def subgraphs(G, copy=True):
            for nodes in getattr(real, components)(G):
                yield G.subgraph(nodes).copy() if copy else G.subgraph(nodes)

        return subgraphs

    return row


def _iterating(name):
    return lambda graph: (
        lambda *arguments, **options: iter(getattr(graph, name)(*arguments, **options))
    )


def _function(name):
    """A method that is a function of networkx now."""

    def method(graph):
        import networkx

        return functools.partial(getattr(networkx, name), graph)

    return method


_METHODS = (
    "add_path add_star add_cycle selfloop_edges number_of_selfloops nodes_with_selfloops".split()
)

_ATTRIBUTES = {
    "node": lambda graph: graph.nodes,
    "edge": lambda graph: graph.adj,
    "nodes_iter": _iterating("nodes"),
    "edges_iter": _iterating("edges"),
    "degree_iter": _iterating("degree"),
    "neighbors_iter": _iterating("neighbors"),
    "fresh_copy": lambda graph: graph.__class__,
    **{name: _function(name) for name in _METHODS},
}

NAMES = Table(
    "names that left networkx",
    "names",
    [
        *moved(
            "networkx",
            "networkx 3.0",
            {
                "OrderedGraph": "networkx:Graph",
                "OrderedDiGraph": "networkx:DiGraph",
                "OrderedMultiGraph": "networkx:MultiGraph",
                "OrderedMultiDiGraph": "networkx:MultiDiGraph",
                "from_scipy_sparse_matrix": "networkx:from_scipy_sparse_array",
                "pagerank_scipy": "networkx:pagerank",
                "pagerank_numpy": "networkx.algorithms.link_analysis.pagerank_alg:_pagerank_numpy",
                "info": "builtins:str",
            },
        ),
        _to_matrix("to_numpy_matrix", "to_numpy_array"),
        _to_matrix("to_scipy_sparse_matrix", "to_scipy_sparse_array"),
        _from_numpy_matrix,
        _read_gpickle,
        _write_gpickle,
        *map(
            _subgraphs,
            ["connected_component_subgraphs", "strongly_connected_component_subgraphs"]
            + ["weakly_connected_component_subgraphs"],
        ),
    ],
)

MATRICES = Table(
    "matrices of networkx",
    "names",
    [
        *map(_giving_matrix, _SPARSE + _DENSE),
        _giving_matrix("adj_matrix", of="adjacency_matrix"),
    ],
)

ATTRIBUTES = Table(
    "attributes of networkx's graphs",
    "listed",
    [
        left(
            "networkx.graph_attributes",
            "networkx 2.4",
            "G.node is G.nodes, G.nodes_iter() is iter(G.nodes()), G.add_path is nx.add_path(G)",
            of("networkx"),
            _ATTRIBUTES,
            "networkx",
        )
    ],
)

TABLES = (NAMES, MATRICES, ATTRIBUTES)
