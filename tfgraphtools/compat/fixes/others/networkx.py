"""networkx 2: matrices that are sparse arrays now, and attributes of graphs.

``A * B`` of a sparse array multiplies element by element, where it was the product of
matrices: graph convolutions give other numbers without an error.
"""

import functools

from tfgraphtools.compat.engine.rewrite_kinds import Call, Runtime
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import left, of

#: Functions that gave matrices -> those of today.
_MATRICES = {
    **{
        name: name
        for name in "adjacency_matrix laplacian_matrix normalized_laplacian_matrix "
        "incidence_matrix google_matrix modularity_matrix".split()
    },
    "adj_matrix": "adjacency_matrix",
    "to_numpy_matrix": "to_numpy_array",
    "to_scipy_sparse_matrix": "to_scipy_sparse_array",
}


#: Functions whose result is sparse.
_SPARSE = [*_MATRICES][:4]

#: The replacement that `upgrade` writes for a function that is still there.
_AS_MATRIX = Runtime(
    "tfgraphtools.tf1.libraries.networkx.",
    Call(wrapped="scipy.sparse.csr_matrix"),
    "the matrix is in the format csr",
)


def _giving_matrix(name, today):
    def provide(real):
        original = getattr(real, today)

        @functools.wraps(original)
        def function(*arguments, **options):
            import numpy
            import scipy.sparse

            array = original(*arguments, **options)
            if scipy.sparse.issparse(array):
                return getattr(scipy.sparse, array.format + "_matrix")(array)
            return numpy.asmatrix(array)

        return function

    rewrite = _AS_MATRIX._replace(to=_AS_MATRIX.to + name) if name in _SPARSE else None
    return Fix(
        "networkx." + name, "networkx 3.0", "returns a matrix, not an array", provide, rewrite
    )


def _from_matrix(real):
    def from_numpy_matrix(A, parallel_edges=False, create_using=None):
        import numpy

        return real.from_numpy_array(numpy.asarray(A), parallel_edges, create_using)

    return from_numpy_matrix


_FROM_MATRIX = [
    Fix(name + ".from_numpy_matrix", "networkx 3.0", "a graph of a matrix", _from_matrix)
    for name in ("networkx", "networkx.convert_matrix")
]


def _iterating(name):
    return lambda graph: (
        lambda *arguments, **options: iter(getattr(graph, name)(*arguments, **options))
    )


def _function(name):
    """Returns a method that is a function of networkx now."""

    def method(graph):
        import networkx

        return functools.partial(getattr(networkx, name), graph)

    return method


ATTRIBUTES = {
    "node": lambda graph: graph.nodes,
    "edge": lambda graph: graph.adj,
    **{name + "_iter": _iterating(name) for name in "nodes edges degree neighbors".split()},
    **{
        name: _function(name)
        for name in "add_path add_star add_cycle selfloop_edges number_of_selfloops "
        "nodes_with_selfloops".split()
    },
}

TABLES = (
    *removed.tables_of("networkx"),
    Table(
        "matrices of networkx",
        "names",
        [*(_giving_matrix(*names) for names in _MATRICES.items()), *_FROM_MATRIX],
    ),
    Table(
        "attributes of networkx's graphs",
        "listed",
        [
            left(
                "networkx.graph_attributes",
                "networkx 2.4",
                "G.node is G.nodes, G.nodes_iter() is iter(G.nodes()), G.add_path is a function",
                of("networkx"),
                ATTRIBUTES,
                "networkx",
                cannot="write G.nodes, iter(G.nodes()), networkx.add_path(G, nodes)",
            )
        ],
    ),
)
