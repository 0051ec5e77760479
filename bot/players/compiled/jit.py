"""Compiles the kernel, and adds bit operations that Python lacks."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, TypeVar, cast

import numba  # type: ignore[import-not-found, import-untyped, unused-ignore]
import numpy as np
from llvmlite import ir  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numba import types  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numba.extending import intrinsic  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numpy.typing import NDArray

_CONFIG: Final[Any] = numba.config
_BASE: Final = Path(_CONFIG.CACHE_DIR or Path(__file__).parent / "__pycache__")
"""The folder for machine code: NUMBA_CACHE_DIR, or the one next to the modules."""


def cache_by(*packages: Path) -> None:
    """Keep machine code by the sources of these packages.

    Numba itself compiles a function again only if its own file has changed, not if a called one has.
    """
    sources = [source.read_bytes() for package in packages for source in sorted(package.glob("*.py"))]
    _CONFIG.CACHE_DIR = str(_BASE / sha256(b"".join(sources)).hexdigest()[:16])


def _can_write() -> bool:
    """True if machine code can be kept in `_BASE`."""
    try:
        _BASE.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=_BASE):
            return True
    except OSError:
        return False


cache_by(Path(__file__).parent)
_CACHES: Final = _can_write()

Function = TypeVar("Function", bound=Callable[..., Any])

Places = NDArray[np.int16]


single = cast("Callable[[float], float]", np.float32)
"""A number in the precision of the networks."""
whole = cast("Callable[[Any], int]", np.int64)
"""A signed integer; mixed with an unsigned one, numba would compute in floating point."""


def jit(function: Function) -> Function:
    """Compile a function without Python's lock; the machine code is kept if the folder can be written."""
    return cast("Function", numba.njit(cache=_CACHES, nogil=True, fastmath=True, error_model="numpy")(function))


_bit_operation = cast("Callable[[Callable[..., Any]], Callable[[Any], int]]", intrinsic)


@_bit_operation
def count(_context: Any, _bits: Any) -> Any:  # noqa: ANN401  # numba's types
    """The number of set bits of a 64-bit integer."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@_bit_operation
def lowest(_context: Any, _bits: Any) -> Any:  # noqa: ANN401
    """The index of the lowest set bit; the integer must not be 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@_bit_operation
def highest(_context: Any, _bits: Any) -> Any:  # noqa: ANN401
    """The index of the highest set bit; the integer must not be 0."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate
