"""Checkpoints and state dicts of random numbers, for benchmarks."""

import json
import struct


def make(prefix, count, floats):
    """Writes a checkpoint of ``count`` float32 variables of ``floats`` elements each."""
    import numpy as np

    from tfgraphtools.checkpoints.format import bundle
    from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask

    random, entries = np.random.RandomState(0), {}
    with open(bundle.shard_path(prefix, 0, 1), "wb") as file:
        for i in range(count):
            values = random.uniform(0.001, 1.0, floats).astype(np.float32)
            name = "model/layer_{}/block_{}/{}".format(
                i // 20, i % 20 // 4, ["weights", "bias", "weights/Adam", "weights/Adam_1"][i % 4]
            )
            if count < 1000:
                name = f"model/layer_{i}/kernel"
            entries[name] = bundle.Entry(
                1, (floats // 4, 4), 0, file.tell(), values.nbytes, mask(crc32c(values))
            )
            file.write(values)
    with open(prefix + ".index", "wb") as file:
        file.write(bundle.serialize_index(bundle.Index(bundle.Header(), entries, {})))


def make_like(path, count, floats):
    """Writes the names and shapes of a state dict, with no data: a sparse file."""
    header, size = {}, floats * 4
    for i in range(count):
        header[f"model.layer_{i}.weight"] = {
            "dtype": "F32",
            "shape": [4, floats // 4],
            "data_offsets": [i * size, (i + 1) * size],
        }
    data = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(data)) + data)
        file.truncate(8 + len(data) + count * size)
