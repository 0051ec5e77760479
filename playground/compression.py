"""Transport compression of the gateway: one compressor for the lifetime of a connection."""

import importlib
import zlib
from collections.abc import Callable

Compressor = Callable[[bytes], bytes]


def compressor(name: str | None) -> Compressor | None:
    """The compressor for the query parameter `compress`. None for no compression or an unknown one."""
    if name == "zlib-stream":
        return _zlib_stream()
    if name == "zstd-stream":
        return _zstd_stream()
    return None


def _zlib_stream() -> Compressor:
    stream = zlib.compressobj()
    return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)


def _zstd_stream() -> Compressor | None:
    """Zstandard is in the standard library since Python 3.14, earlier in a package."""
    try:
        zstd = importlib.import_module("compression.zstd")
    except ModuleNotFoundError:
        return _zstandard_stream()
    stream = zstd.ZstdCompressor()
    return lambda data: bytes(stream.compress(data, mode=stream.FLUSH_BLOCK))


def _zstandard_stream() -> Compressor | None:
    try:
        zstandard = importlib.import_module("zstandard")
    except ModuleNotFoundError:
        return None
    stream = zstandard.ZstdCompressor().compressobj()
    return lambda data: bytes(stream.compress(data) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
