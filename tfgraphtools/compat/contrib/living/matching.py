"""Small ops on matrices: greedy matching, products at a few places."""

from tfgraphtools._tf import v1


def bipartite_match(distance_mat, num_valid_rows, top_k=-1, name=None):
    """Matches rows and columns of a matrix greedily, the least distance first.

    Args:
      distance_mat: [rows, columns] float32.
      num_valid_rows: how many rows count; all if negative.
      top_k: how many matches to make; as many as can be if negative.

    Returns:
      for each row its column, and for each column its row: int32, -1 where unmatched.
    """
    with v1.name_scope(name, "BipartiteMatch", [distance_mat]) as scope:
        distances = v1.convert_to_tensor(distance_mat, v1.float32)
        if distances.shape.ndims is None:
            distances = v1.ensure_shape(distances, [None, None])
        rows, columns = v1.unstack(v1.shape(distances), 2)
        valid = v1.cast(v1.reshape(num_valid_rows, []), v1.int32)
        valid = v1.where(valid < 0, rows, v1.minimum(valid, rows))
        matches = v1.minimum(valid, columns)
        if top_k > 0:
            matches = v1.minimum(matches, top_k)

        def match_one(number, of_row, of_column):
            taken_row = v1.logical_or(of_row >= 0, v1.range(rows) >= valid)
            taken = v1.logical_or(taken_row[:, None], (of_column >= 0)[None])
            open_only = v1.where(taken, v1.fill([rows, columns], v1.float32.max), distances)
            least = v1.argmin(v1.reshape(open_only, [-1]), output_type=v1.int32)
            row, column = least // columns, least % columns
            of_row = v1.where(v1.equal(v1.range(rows), row), v1.fill([rows], column), of_row)
            of_column = v1.where(
                v1.equal(v1.range(columns), column), v1.fill([columns], row), of_column
            )
            return number + 1, of_row, of_column

        _, of_row, of_column = v1.while_loop(
            lambda number, *_: number < matches,
            match_one,
            [v1.constant(0), v1.fill([rows], -1), v1.fill([columns], -1)],
            shape_invariants=[v1.TensorShape([]), distances.shape[:1], distances.shape[1:]],
        )
        return tuple(v1.identity_n([of_row, of_column], name=scope))


def masked_matmul(a, b, mask_indices, transpose_a, transpose_b, name=None):
    """The elements of ``a @ b`` at some places, and only these.

    Args:
      a, b: matrices.
      mask_indices: [n, 2] int64: the rows and columns of the elements.
      transpose_a, transpose_b: bool scalars: whether the matrix is given transposed.

    Returns:
      [n]: the elements.
    """
    with v1.name_scope(name, "MaskedMatmul", [a, b, mask_indices]):
        a, b = v1.convert_to_tensor(a), v1.convert_to_tensor(b)
        a = v1.cond(v1.cast(transpose_a, v1.bool), lambda: v1.transpose(a), lambda: v1.identity(a))
        b = v1.cond(v1.cast(transpose_b, v1.bool), lambda: v1.identity(b), lambda: v1.transpose(b))
        places = v1.convert_to_tensor(mask_indices, v1.int64)
        return v1.reduce_sum(v1.gather(a, places[:, 0]) * v1.gather(b, places[:, 1]), 1)
