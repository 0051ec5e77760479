"""Compiles the kernel, and adds bit operations that Python lacks."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba  # type: ignore[import-not-found, import-untyped, unused-ignore]
import numpy as np
from llvmlite import ir  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numba import types  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numba.extending import intrinsic  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numpy.typing import NDArray

from bot.players.compiled.machine_code import IS_KEPT

Function = TypeVar("Function", bound=Callable[..., Any])

Places = NDArray[np.int16]


single = cast("Callable[[float], float]", np.float32)
"""A number in the precision of the networks."""
whole = cast("Callable[[Any], int]", np.int64)
"""A signed integer; mixed with an unsigned one, numba would compute in floating point."""


def jit(function: Function) -> Function:
    """Compile a function without Python's lock; the machine code is kept if the folder can be written."""
    return cast("Function", numba.njit(cache=IS_KEPT, nogil=True, fastmath=True, error_model="numpy")(function))


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
