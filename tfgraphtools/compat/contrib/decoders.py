"""The decoders of ``tf.contrib.seq2seq`` in 1.0 and 1.1: a function says what each step takes.

A decoder function is called with (time, state, input, output, context) before each
step of the cell, the first time without state and output, and returns (done, state,
input, output to emit, context); done is None where the lengths of the inputs decide.

Source: the API documentation of TF 1.0, ``tf.contrib.seq2seq``.
"""

from tfgraphtools._tf import v1


def dynamic_rnn_decoder(
    cell,
    decoder_fn,
    inputs=None,
    sequence_length=None,
    parallel_iterations=None,
    swap_memory=False,
    time_major=False,
    scope=None,
    name=None,
):
    """Runs a cell by a decoder function: (outputs, final state, final context).

    Args:
      cell: an RNN cell.
      decoder_fn: see above.
      inputs: [batch, time, depth] to train on; None to infer.
      sequence_length: [batch], the lengths of `inputs`.
      parallel_iterations, swap_memory: of the loop.
      time_major: whether inputs and outputs are [time, batch, depth].
      scope: of the cell's variables.
      name: of the ops.
    """
    with v1.name_scope(name, "dynamic_rnn_decoder"):
        feed = None
        if inputs is not None:
            inputs = v1.convert_to_tensor(inputs)
            feed = _Feed(inputs if time_major else _swapped(inputs))
        outputs, state, loop_state = v1.nn.raw_rnn(
            cell,
            _steps(decoder_fn, feed, sequence_length),
            parallel_iterations=parallel_iterations,
            swap_memory=swap_memory,
            scope=scope or "rnn",
        )
        outputs = outputs.stack()
        context = loop_state[1] if isinstance(loop_state, tuple) else None
        return (outputs if time_major else _swapped(outputs)), state, context


def _swapped(values):
    rank = values.shape.ndims
    return v1.transpose(values, [1, 0] + list(range(2, 3 if rank is None else rank)))


class _Feed:
    """Inputs by their time; zeros behind the last."""

    def __init__(self, inputs):
        self.steps = v1.dimension_value(inputs.shape[0])
        self.steps = v1.shape(inputs)[0] if self.steps is None else self.steps
        self.zeros = v1.zeros_like(inputs[0])
        self.array = v1.TensorArray(inputs.dtype, size=self.steps).unstack(inputs)

    def at(self, time):
        return v1.cond(time < self.steps, lambda: self.array.read(time), lambda: self.zeros)


def _steps(decoder_fn, feed, sequence_length):
    """Returns the loop function of ``tf.nn.raw_rnn`` that asks a decoder function."""

    def step(time, output, state, loop_state):
        context = loop_state[1] if isinstance(loop_state, tuple) else None
        step_input = None
        if feed is not None:
            step_input = feed.array.read(0) if state is None else feed.at(time)
        done, state, step_input, output, context = decoder_fn(
            time, state, step_input, output, context
        )
        if done is None:
            done = time >= sequence_length
        return done, step_input, state, output, done if context is None else (done, context)

    return step


def simple_decoder_fn_train(encoder_state, name=None):
    """Begins with the encoder's state, and goes on with the inputs as they are."""

    def decoder_fn(time, state, step_input, output, context):
        return None, encoder_state if state is None else state, step_input, output, context

    return decoder_fn


def attention_decoder_fn_train(
    encoder_state,
    attention_keys,
    attention_values,
    attention_score_fn,
    attention_construct_fn,
    name=None,
):
    """Gives the cell, beside each input, what attention made of its last output."""

    def decoder_fn(time, state, step_input, output, context):
        if state is None:
            state = encoder_state
            attention = _no_attention(encoder_state)
        else:
            output = attention_construct_fn(output, attention_keys, attention_values)
            attention = output
        return None, state, v1.concat([step_input, attention], 1), output, context

    return decoder_fn


def simple_decoder_fn_inference(
    output_fn,
    encoder_state,
    embeddings,
    start_of_sequence_id,
    end_of_sequence_id,
    maximum_length,
    num_decoder_symbols,
    dtype=v1.int32,
    name=None,
):
    """Gives the cell the embedding of the likeliest symbol of the step before."""
    symbols = _Symbols(encoder_state, embeddings, start_of_sequence_id, end_of_sequence_id, dtype)

    def decoder_fn(time, state, step_input, output, context):
        if output is None:
            step_input, done, state, output = symbols.first(num_decoder_symbols)
        else:
            output = output if output_fn is None else output_fn(output)
            step_input, done = symbols.after(output)
        return symbols.ended(done, time, maximum_length), state, step_input, output, context

    return decoder_fn


def attention_decoder_fn_inference(
    output_fn,
    encoder_state,
    attention_keys,
    attention_values,
    attention_score_fn,
    attention_construct_fn,
    embeddings,
    start_of_sequence_id,
    end_of_sequence_id,
    maximum_length,
    num_decoder_symbols,
    dtype=v1.int32,
    name=None,
):
    """Works as `simple_decoder_fn_inference`, from outputs that have been through attention."""
    symbols = _Symbols(encoder_state, embeddings, start_of_sequence_id, end_of_sequence_id, dtype)

    def decoder_fn(time, state, step_input, output, context):
        if output is None:
            step_input, done, state, output = symbols.first(num_decoder_symbols)
            attention = _no_attention(encoder_state)
        else:
            attention = attention_construct_fn(output, attention_keys, attention_values)
            output = attention if output_fn is None else output_fn(attention)
            step_input, done = symbols.after(output)
        step_input = v1.concat([step_input, attention], 1)
        return symbols.ended(done, time, maximum_length), state, step_input, output, context

    return decoder_fn


class _Symbols:
    """The symbols that inference feeds back."""

    def __init__(self, encoder_state, embeddings, start, end, dtype):
        self.state = encoder_state
        state = v1.nest.flatten(encoder_state)[0]
        self.batch = v1.dimension_value(state.shape[0])
        self.batch = v1.shape(state)[0] if self.batch is None else self.batch
        self.embeddings, self.start, self.end, self.dtype = embeddings, start, end, dtype

    def first(self, number):
        """Returns (inputs, which are done: none, state, output) of the first step."""
        ids = v1.fill([self.batch], v1.cast(self.start, self.dtype))
        step_input, done = v1.gather(self.embeddings, ids), v1.zeros([self.batch], v1.bool)
        return step_input, done, self.state, v1.zeros([number], self.embeddings.dtype)

    def after(self, logits):
        """Returns (the inputs of the step after these logits, which sequences have ended)."""
        ids = v1.cast(v1.argmax(logits, 1), self.dtype)
        return v1.gather(self.embeddings, ids), v1.equal(ids, v1.cast(self.end, self.dtype))

    @staticmethod
    def ended(done, time, maximum_length):
        """Ends all sequences once the time is over."""
        return v1.logical_or(done, time > v1.cast(maximum_length, time.dtype))


def _no_attention(encoder_state):
    """Zeros for the first step, as wide as the output of the topmost layer."""
    if isinstance(encoder_state, tuple) and not hasattr(encoder_state, "h"):
        encoder_state = encoder_state[-1]
    return v1.zeros_like(getattr(encoder_state, "h", encoder_state))


def prepare_attention(attention_states, attention_option, num_units, reuse=False):
    """Returns what attention decoders take: (keys, values, score function, construct function).

    Args:
      attention_states: [batch, time, depth], the encoder's outputs.
      attention_option: "bahdanau" or "luong".
      num_units: the cell's.
      reuse: whether the variables are there already.
    """
    keys = _linear(attention_states, num_units, "attention_keys", reuse)
    score = _score_function(attention_option, num_units, attention_states.dtype, reuse)
    with v1.variable_scope("attention_construct", reuse=reuse) as scope:
        pass

    def construct(query, keys, values):
        joined = v1.concat([query, score(query, keys, values)], 1)
        return _linear(joined, num_units, scope, v1.AUTO_REUSE)

    return keys, attention_states, score, construct


def _linear(values, num_units, scope, reuse):
    with v1.variable_scope(scope, reuse=reuse):
        depth = v1.dimension_value(values.shape[-1])
        weights = v1.get_variable("weights", [depth, num_units], values.dtype)
        return v1.tensordot(values, weights, 1)


def _score_function(option, num_units, dtype, reuse):
    """Returns the function of the context: the values, weighted by how they fit the query."""
    if option not in ("bahdanau", "luong"):
        raise ValueError(f"Unknown attention option {option}!")
    if option == "bahdanau":
        with v1.variable_scope("attention_score", reuse=reuse):
            query_weights = v1.get_variable("attnW", [num_units, num_units], dtype)
            vector = v1.get_variable("attnV", [num_units], dtype)

    def score(query, keys, values):
        if option == "bahdanau":
            query = v1.expand_dims(v1.matmul(query, query_weights), 1)
            fits = v1.reduce_sum(vector * v1.tanh(keys + query), 2)
        else:
            fits = v1.reduce_sum(keys * v1.expand_dims(query, 1), 2)
        weights = v1.expand_dims(v1.nn.softmax(fits), 2)
        return v1.reduce_sum(weights * values, 1)

    return score
