"""Beam search: from the ids and parents of each step to whole sequences."""

from tfgraphtools._tf import v1


def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    """Follows each beam from its last step back to its first.

    Args:
      step_ids: [time, batch, beam] int32: the token chosen at each step.
      parent_ids: the same shape: the beam of the step before that it continues.
      max_sequence_lengths: [batch] int32: where to start; longer than time is cut.
      end_token: int32 scalar: what follows the first one of it in a sequence is
        replaced by it, as is everything at and after the length.

    Returns:
      [time, batch, beam] int32: the tokens of each final beam.
    """
    with v1.name_scope(name, "GatherTree", [step_ids, parent_ids]):
        step_ids = v1.convert_to_tensor(step_ids, v1.int32)
        parent_ids = v1.convert_to_tensor(parent_ids, v1.int32)
        time, batch, beams = v1.unstack(v1.shape(step_ids))
        lengths = v1.minimum(v1.convert_to_tensor(max_sequence_lengths, v1.int32), time)
        own = v1.tile(v1.range(beams)[None], [batch, 1])
        inside = v1.range(time)[:, None] < lengths[None]

        def one_step_back(current, step):
            ids, parents, is_inside = step
            _, beam = current
            token = v1.batch_gather(ids, beam)
            before = v1.where(
                v1.tile(is_inside[:, None], [1, beams]), v1.batch_gather(parents, beam), own
            )
            return token, before

        tokens, _ = v1.scan(one_step_back, (step_ids, parent_ids, inside), (own, own), reverse=True)
        is_end = v1.cast(v1.equal(tokens, end_token), v1.int32)
        ended = v1.cumsum(is_end, exclusive=True) > 0
        kept = v1.logical_and(inside[:, :, None], v1.logical_not(ended))
        result = v1.where(kept, tokens, v1.fill(v1.shape(tokens), end_token))
        result.set_shape(step_ids.shape)
        return result
