"""Transport compression: one compressor for the whole life of a connection."""

import importlib
import zlib
from collections.abc import Callable

Compressor = Callable[[bytes], bytes]


def compressor(name: str | None) -> Compressor | None:
    """The compressor a client asks for with `compress=`; None if it asks for none that is known."""
    if name == "zlib-stream":
        return _zlib_stream()
    if name == "zstd-stream":
        return _zstd_stream()
    return None


def _zlib_stream() -> Compressor:
    stream = zlib.compressobj()
    return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)


def _zstd_stream() -> Compressor | None:
    """Zstandard is in the standard library from Python 3.14 on, before that in a package."""
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
