"""One row of a window as the compiler likes it: its width a constant, its memory unrelated to that of other rows.

As the width is known at compile time, all channels of a row lie at known distances, and LLVM need not test at run
time whether they overlap; of two rows, whose addresses it cannot trace to one array, it compares the ends and nothing
else. Without that it tests every pair of channels for every row, which took as long as the arithmetic, or gives
vectorising up.
"""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

__all__ = ["COLUMNS", "MARGIN", "WIDTH", "row_of"]

MARGIN = 16
COLUMNS = 768
WIDTH = COLUMNS + 2 * MARGIN

populate: Callable[..., Any] = populate_array


def _typing(_: Any, window: Any, index: Any) -> tuple[Any, Callable[..., Any]]:
    """Give the row `index` of a window (rows, channels, WIDTH) as an array (channels, WIDTH)."""
    wanted = types.Array(window.dtype, 2, "C")

    def generate(context: Any, builder: Any, _: Any, args: Any) -> Any:
        source = context.make_array(window)(context, builder, args[0])
        channels, width = builder.extract_value(source.shape, 1), context.get_constant(types.intp, WIDTH)
        size = context.get_abi_sizeof(context.get_data_type(window.dtype))
        item, pitch = (context.get_constant(types.intp, count * size) for count in (1, WIDTH))
        data = builder.gep(source.data, [builder.mul(args[1], builder.mul(channels, width))])
        opaque = builder.asm(ir.FunctionType(data.type, [data.type]), "", "=r,0", [data], side_effect=False)
        view = context.make_array(wanted)(context, builder)
        populate(view, opaque, [channels, width], [pitch, item], item, None)
        return view._getvalue()  # noqa: SLF001 (how Numba gives a struct away)

    return wanted(window, index), generate


row_of: Callable[[NDArray[Any], int], NDArray[Any]] = cast(Any, intrinsic(_typing))
