"""Functions and classes that a model brings along where PyTorch has none that is equal."""

from tfgraphtools.graphs.source_code.statements import expressions, helper_texts
from tfgraphtools.graphs.source_code.torch import torch_image_helpers

_SAME_PAD = '''
def same_pad(x, kernel_size, stride, dilation=1, value=0.0):
    """Pads the last axes as TensorFlow's SAME does: what is odd goes to the end."""
    padding = []
    rank = x.dim() - 2
    for axis in reversed(range(rank)):
        kernel, step, spread = (
            number if isinstance(number, int) else number[axis]
            for number in (kernel_size, stride, dilation)
        )
        size = x.shape[2 + axis]
        total = max((-(-size // step) - 1) * step + (kernel - 1) * spread + 1 - size, 0)
        padding += [total // 2, total - total // 2]
    return F.pad(x, padding, value=value)
'''

_SAME_CONV = '''
class SameConv{rank}d(nn.Conv{rank}d):
    """A convolution with TensorFlow's SAME padding."""

    def forward(self, x):
        x = same_pad(x, self.kernel_size, self.stride, self.dilation)
        return super().forward(x)
'''

_PADDED_CONV = '''
class PaddedConv{rank}d(nn.Conv{rank}d):
    """A convolution with another padding before an axis than behind it."""

    def __init__(self, *args, padding, **kwargs):
        super().__init__(*args, **kwargs)
        self.pairs = [number for pair in reversed(padding) for number in pair]

    def forward(self, x):
        return super().forward(F.pad(x, self.pairs))
'''

_SAME_CONV_TRANSPOSE = '''
class SameConvTranspose2d(nn.ConvTranspose2d):
    """A transposed convolution with TensorFlow's SAME padding: it cuts the end."""

    def forward(self, x):
        height, width = x.shape[2] * self.stride[0], x.shape[3] * self.stride[1]
        return super().forward(x)[:, :, :height, :width]
'''

_SAME_AVERAGE = '''
def same_avg_pool2d(x, kernel_size, stride):
    """Averages what TensorFlow's SAME padding leaves inside of the image."""
    total = F.avg_pool2d(same_pad(x, kernel_size, stride), kernel_size, stride)
    share = same_pad(torch.ones_like(x[:1, :1]), kernel_size, stride)
    return total / F.avg_pool2d(share, kernel_size, stride)
'''

_STACK = '''
def stack_rows(rows, size, dim=0):
    """Stacks what a loop gave; zeros follow where it ended before a size."""
    missing = torch.zeros_like(rows[0])
    return torch.stack(rows + [missing] * (size - len(rows)), dim)
'''

_BIASED_BATCH_NORM = '''
class BiasedBatchNorm{rank}d(nn.BatchNorm{rank}d):
    """Batch normalization whose moving variance is that of the batch itself.

    TensorFlow's fused op corrects it by n / (n - 1), as PyTorch does; its formula does
    not.
    """

    def forward(self, x):
        if self.training:
            axes = [axis for axis in range(x.dim()) if axis != 1]
            with torch.no_grad():
                variance, mean = torch.var_mean(x, axes, correction=0)
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(variance, self.momentum)
            return F.batch_norm(
                x, None, None, self.weight, self.bias, training=True, eps=self.eps
            )
        return super().forward(x)
'''

_FROZEN_BATCH_NORM = '''
class FrozenBatchNorm{rank}d(nn.BatchNorm{rank}d):
    """Batch normalization that takes its moving averages while it trains, too."""

    def train(self, mode=True):
        return super().train(False)
'''

_CROSS_ENTROPY = '''
def cross_entropy(logits, labels):
    """Cross-entropy with the gradient softmax(logits) - labels, also of rows of 0."""
    loss = F.cross_entropy(logits, labels, reduction="none")
    linear = logits.logsumexp(-1) - (labels * logits).sum(-1)
    return linear + (loss - linear).detach()
'''

_REVERSE = '''
def reverse_sequence(x, lengths):
    """Reverses the first steps of each sequence, as many as its length says."""
    steps = torch.arange(x.shape[1], device=x.device)
    places = lengths[:, None].long() - 1 - steps
    places = torch.where(places >= 0, places, steps)
    return x.gather(1, places[:, :, None].expand_as(x))
'''

_COLUMNS = '''
class {name}Embedding(nn.Embedding):
    """The {name_in_text} of the rows of several ids; ids below 0 are missing."""

    def forward(self, ids):
        is_given = (ids >= 0).unsqueeze(-1)
        rows = torch.where(is_given, super().forward(ids.clamp(min=0)), 0.0)
        return rows.sum(dim=1){count}
'''

_MASKED = '''
class Masked{name}(nn.{name}):
    """Stops at the length of each sequence: zeros follow, and the state stays."""

    def forward(self, x, lengths, state=None):
        size = x.shape[1 if self.batch_first else 0]
        packed = nn.utils.rnn.pack_padded_sequence(
            x, lengths.clamp(1, size).cpu(), self.batch_first, enforce_sorted=False
        )
        packed, last = super().forward(packed, state)
        x, _ = nn.utils.rnn.pad_packed_sequence(
            packed, self.batch_first, total_length=size
        )
        full = (lengths > 0).to(x.dtype)[:, None]
        x = x * (full[:, None] if self.batch_first else full)
{state}        return x, last
'''
_STATE_OF_LSTM = """\
        first = state or [torch.zeros_like(part) for part in last]
        last = tuple(torch.where(full > 0, last[i], first[i]) for i in range(2))
"""
_STATE_OF_RNN = """\
        last = torch.where(full > 0, last, torch.zeros_like(last) if state is None else state)
"""

#: {name: text}, each before what it calls it.
_HELPERS = {
    "same_pad": _SAME_PAD,
    "cross_entropy": _CROSS_ENTROPY,
    "same_avg_pool2d": _SAME_AVERAGE,
    **{f"SameConv{rank}d": _SAME_CONV.format(rank=rank) for rank in (1, 2)},
    **{f"PaddedConv{rank}d": _PADDED_CONV.format(rank=rank) for rank in (1, 2)},
    "SameConvTranspose2d": _SAME_CONV_TRANSPOSE,
    "reverse_sequence": _REVERSE,
    "stack_rows": _STACK,
    **{f"BiasedBatchNorm{rank}d": _BIASED_BATCH_NORM.format(rank=rank) for rank in (1, 2)},
    **{f"FrozenBatchNorm{rank}d": _FROZEN_BATCH_NORM.format(rank=rank) for rank in (1, 2)},
    "MaskedLSTM": _MASKED.format(name="LSTM", state=_STATE_OF_LSTM),
    **torch_image_helpers.HELPERS,
    "SumEmbedding": _COLUMNS.format(name="Sum", name_in_text="sum", count=""),
    "MeanEmbedding": _COLUMNS.format(
        name="Mean", name_in_text="mean", count=" / is_given.sum(dim=1).clamp(min=1)"
    ),
    "MaskedRNN": _MASKED.format(name="RNN", state=_STATE_OF_RNN),
}


def needed(source):
    """Returns the text of the helpers that a source calls."""
    return helper_texts.needed(source, _HELPERS)


def is_buffer(code):
    """Tells whether a constructor makes a tensor that does not train."""
    return code.parts[0].parts[0] == "torch.empty" if _is_call(code) else False


def _is_call(code):
    return bool(code.parts) and isinstance(code.parts[0], expressions.Code)
