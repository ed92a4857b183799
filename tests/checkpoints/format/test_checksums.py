"""CRC-32C by every way that computes it, beside one bit at a time."""

import random

import numpy as np
import pytest

from tfgraphtools.checkpoints.format.checksums import crc32c, crc_packages, folds

pytestmark = pytest.mark.quick


def bitwise(data):
    """The checksum by its definition."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


@pytest.mark.parametrize(
    "data, crc",  # the vectors of RFC 3720, B.4
    [
        (b"\0" * 32, 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
        (b"", 0),
    ],
    ids=["zeros", "ones", "ascending", "descending", "empty"],
)
def test_crc_vectors(data, crc):
    assert crc32c.crc32c(data) == crc == bitwise(data)


@pytest.mark.parametrize("way", ["ints", "numpy", "as-installed"])
@pytest.mark.parametrize(
    "size", [1, 3, 4, 2047, 2048, 2049, 4097, 70001, 1 << 18, (1 << 18) + 7, (1 << 20) + 3]
)
def test_crc_of_every_size_and_cut(size, way, monkeypatch):
    if way != "as-installed":
        monkeypatch.setattr(crc32c, "_compiled", lambda: None)
        monkeypatch.setattr(crc32c, "_numpy_pays", lambda size: way == "numpy")
    data = random.Random(size).getrandbits(8 * size).to_bytes(size, "big")
    whole = crc32c.crc32c(data)
    assert whole == crc32c._by_table(memoryview(data), 0xFFFFFFFF) ^ 0xFFFFFFFF
    for cut in (0, 1, size // 2, size):
        assert crc32c.crc32c(memoryview(data)[cut:], crc32c.crc32c(data[:cut])) == whole
    if size < 5000:
        assert whole == bitwise(data)


def test_the_polynomial_with_four_terms():
    """It is a multiple of the CRC's polynomial, found by long division."""
    farthest = folds.FARTHEST
    value = sum(1 << (farthest - far) for far in (folds.NEAR, folds.FAR, farthest))
    value |= 1 << farthest
    assert bin(value).count("1") == 4
    divisor = 0x11EDC6F41  # CRC-32C, the highest degree first
    while value.bit_length() > 32:
        value ^= divisor << value.bit_length() - 33
    assert value == 0


@pytest.mark.parametrize("shorten, size", [("short_by_ints", 1424), ("short_by_numpy", 50000)])
def test_short_buffers_of_the_same_crc(shorten, size):
    """Whatever the block that comes last: whole, one byte or word, one less than whole."""
    step = folds.NEAR // 8
    for extra in (0, 8, 8 * (step // 8), 8 * folds.NEAR, 8 * folds.NEAR + 8):
        data = random.Random(extra).getrandbits(8 * (size + extra)).to_bytes(size + extra, "big")
        short = getattr(folds, shorten)(memoryview(data), 0x12345678)
        assert len(short) < 46000
        expected = crc32c._by_table(memoryview(data), 0x12345678)
        assert crc32c._by_table(memoryview(short), 0) == expected


@pytest.mark.parametrize("package, module", [row[:2] for row in crc_packages._KNOWN])
def test_crc_of_the_packages(package, module, monkeypatch):
    """Those that are installed, each alone; and one that gives wrong numbers is not used."""
    pytest.importorskip(module)
    (row,) = [row for row in crc_packages._KNOWN if row[0] == package]
    monkeypatch.setattr(crc_packages, "_KNOWN", [row])
    monkeypatch.setattr(crc_packages, "fastest", crc_packages._fastest_installed.__wrapped__)
    assert crc32c.implementation() == package
    data = bytes(range(256)) * 40
    for cut in (0, 1, 255, 5000):
        for form in (bytes, bytearray, memoryview):
            assert crc32c.crc32c(form(data[cut:]), crc32c.crc32c(data[:cut])) == bitwise(data)
    wrong = row[:2] + (lambda module: lambda crc, data: 7,)
    monkeypatch.setattr(crc_packages, "_KNOWN", [wrong])
    assert crc32c.implementation() == "NumPy"


def test_crc_of_an_array():
    array = np.arange(12, dtype=np.int16).reshape(3, 4)
    assert crc32c.crc32c(array) == bitwise(array.tobytes())
