# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py. Do not edit.
import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, final
from isthmus._native import ArrayLike, Axes, DTypeLike, Op, Out, Shape, Ufunc

from isthmus._native import array as array
from isthmus._native import asarray as asarray
from isthmus._native import from_numpy as from_numpy
from isthmus._native import may_share_memory as may_share_memory
from isthmus._native import ndarray as ndarray
from isthmus._sharing import from_dlpack as from_dlpack
from isthmus.np._functions import array_repr as array_repr
from isthmus.np._functions import array_str as array_str
from isthmus.np._functions import asanyarray as asanyarray
from isthmus.np._functions import astype as astype
from isthmus.np._functions import broadcast_shapes as broadcast_shapes
from isthmus.np._functions import copyto as copyto
from isthmus.np._functions import frombuffer as frombuffer
from isthmus.np._functions import fromfunction as fromfunction
from isthmus.np._functions import fromiter as fromiter
from isthmus.np._functions import ndim as ndim
from isthmus.np._functions import result_type as result_type
from isthmus.np._functions import shape as shape
from isthmus.np._functions import shares_memory as shares_memory
from isthmus.np._functions import size as size
from isthmus.np import fft as fft
from isthmus.np import linalg as linalg
from isthmus.np import random as random

@final
class _AbsOp(Ufunc):
    def __call__(self, x: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = 'same_kind', order: str = 'K', dtype: DTypeLike | None = None, subok: builtins.bool = True) -> ndarray: ...

@final
class _AddOp(Ufunc):
    def __call__(self, x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = 'same_kind', order: str = 'K', dtype: DTypeLike | None = None, subok: builtins.bool = True) -> ndarray: ...

@final
class _AllOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, out: Out = None, keepdims: builtins.bool = False, *, where: ArrayLike = True) -> ndarray: ...

@final
class _AllcloseOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: builtins.bool = False) -> builtins.bool: ...

@final
class _AmaxOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, out: Out = None, keepdims: builtins.bool = False, initial: ArrayLike | None = None, where: ArrayLike = True) -> ndarray: ...

@final
class _AngleOp(Op):
    def __call__(self, z: ArrayLike, deg: builtins.bool = False) -> ndarray: ...

@final
class _AppendOp(Op):
    def __call__(self, arr: ArrayLike, values: ArrayLike, axis: SupportsIndex | None = None) -> ndarray: ...

@final
class _ArangeOp(Op):
    def __call__(self, start: ArrayLike | None = None, stop: ArrayLike | None = None, step: ArrayLike | None = 1, dtype: DTypeLike | None = None, *, device: Any = None, like: Any = None) -> ndarray: ...

@final
class _ArgmaxOp(Op):
    def __call__(self, a: ArrayLike, axis: SupportsIndex | None = None, out: Out = None, *, keepdims: builtins.bool = False) -> ndarray: ...

@final
class _ArgpartitionOp(Op):
    def __call__(self, a: ArrayLike, kth: Any, axis: SupportsIndex | None = -1, kind: str = 'introselect', order: Any = None) -> ndarray: ...

@final
class _ArgsortOp(Op):
    def __call__(self, a: ArrayLike, axis: SupportsIndex | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None) -> ndarray: ...

@final
class _ArgwhereOp(Op):
    def __call__(self, a: ArrayLike) -> ndarray: ...

@final
class _AroundOp(Op):
    def __call__(self, a: ArrayLike, decimals: SupportsIndex = 0, out: Out = None) -> ndarray: ...

@final
class _ArrayEqualOp(Op):
    def __call__(self, a1: ArrayLike, a2: ArrayLike, equal_nan: builtins.bool = False) -> builtins.bool: ...

@final
class _ArrayEquivOp(Op):
    def __call__(self, a1: ArrayLike, a2: ArrayLike) -> builtins.bool: ...

@final
class _ArraySplitOp(Op):
    def __call__(self, ary: ArrayLike, indices_or_sections: ArrayLike, axis: SupportsIndex = 0) -> list[ndarray]: ...

@final
class _AscontiguousarrayOp(Op):
    def __call__(self, a: ArrayLike, dtype: DTypeLike | None = None, *, like: Any = None) -> ndarray: ...

@final
class _Atleast1dOp(Op):
    def __call__(self, *arys: ArrayLike) -> ndarray: ...

@final
class _AverageOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, weights: ArrayLike | None = None, returned: builtins.bool = False, *, keepdims: builtins.bool = False) -> ndarray: ...

@final
class _BincountOp(Op):
    def __call__(self, x: ArrayLike, /, weights: ArrayLike | None = None, minlength: SupportsIndex = 0) -> ndarray: ...

@final
class _BlackmanOp(Op):
    def __call__(self, M: float) -> ndarray: ...

@final
class _BroadcastArraysOp(Op):
    def __call__(self, *args: ArrayLike, subok: builtins.bool = False) -> tuple[ndarray, ...]: ...

@final
class _BroadcastToOp(Op):
    def __call__(self, array: ArrayLike, shape: Shape, subok: builtins.bool = False) -> ndarray: ...

@final
class _ClipOp(Op):
    def __call__(self, a: ArrayLike, a_min: ArrayLike | None = None, a_max: ArrayLike | None = None, out: Out = None, *, min: ArrayLike | None = None, max: ArrayLike | None = None) -> ndarray: ...

@final
class _ColumnStackOp(Op):
    def __call__(self, tup: Sequence[Any] | ArrayLike) -> ndarray: ...

@final
class _ConcatOp(Op):
    def __call__(self, arrays: Sequence[Any] | ArrayLike, /, axis: SupportsIndex | None = 0, out: Out = None, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> ndarray: ...

@final
class _CopyOp(Op):
    def __call__(self, a: ArrayLike, order: str | None = 'K', subok: builtins.bool = False) -> ndarray: ...

@final
class _CorrcoefOp(Op):
    def __call__(self, x: ArrayLike, y: ArrayLike | None = None, rowvar: builtins.bool = True, *, dtype: DTypeLike | None = None) -> ndarray: ...

@final
class _CountNonzeroOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, *, keepdims: builtins.bool = False) -> ndarray: ...

@final
class _CovOp(Op):
    def __call__(self, m: ArrayLike, y: ArrayLike | None = None, rowvar: builtins.bool = True, bias: builtins.bool = False, ddof: Any = None, fweights: Any = None, aweights: Any = None, *, dtype: DTypeLike | None = None) -> ndarray: ...

@final
class _CrossOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, axisa: SupportsIndex = -1, axisb: SupportsIndex = -1, axisc: SupportsIndex = -1, axis: SupportsIndex | None = None) -> ndarray: ...

@final
class _CumprodOp(Op):
    def __call__(self, a: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: Out = None) -> ndarray: ...

@final
class _DeleteOp(Op):
    def __call__(self, arr: ArrayLike, obj: Any, axis: SupportsIndex | None = None) -> ndarray: ...

@final
class _DiagOp(Op):
    def __call__(self, v: ArrayLike, k: SupportsIndex = 0) -> ndarray: ...

@final
class _DiagIndicesOp(Op):
    def __call__(self, n: SupportsIndex, ndim: SupportsIndex = 2) -> tuple[ndarray, ...]: ...

@final
class _DiagIndicesFromOp(Op):
    def __call__(self, arr: ArrayLike) -> tuple[ndarray, ...]: ...

@final
class _DiagonalOp(Op):
    def __call__(self, a: ArrayLike, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> ndarray: ...

@final
class _DiffOp(Op):
    def __call__(self, a: ArrayLike, n: SupportsIndex = 1, axis: SupportsIndex = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> ndarray: ...

@final
class _DigitizeOp(Op):
    def __call__(self, x: ArrayLike, bins: ArrayLike, right: builtins.bool = False) -> ndarray: ...

@final
class _DivmodOp(Ufunc):
    def __call__(self, x1: ArrayLike, x2: ArrayLike, out1: Out = None, out2: Out = None, /, out: Any = None, *, where: ArrayLike = True, casting: str = 'same_kind', order: str = 'K', dtype: DTypeLike | None = None, subok: builtins.bool = True) -> tuple[ndarray, ndarray]: ...

@final
class _DotOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, out: Out = None) -> ndarray: ...

@final
class _DsplitOp(Op):
    def __call__(self, ary: ArrayLike, indices_or_sections: ArrayLike) -> list[ndarray]: ...

@final
class _Ediff1dOp(Op):
    def __call__(self, ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> ndarray: ...

@final
class _EinsumOp(Op):
    def __call__(self, *operands: ArrayLike, out: Out = None, dtype: DTypeLike | None = None, order: str = 'K', casting: str = 'safe', optimize: Any = False) -> ndarray: ...

@final
class _EmptyOp(Op):
    def __call__(self, shape: Shape, dtype: DTypeLike | None = None, order: str | None = 'C', *, device: Any = None, like: Any = None) -> ndarray: ...

@final
class _EmptyLikeOp(Op):
    def __call__(self, prototype: ArrayLike, /, dtype: DTypeLike | None = None, order: str | None = 'K', subok: builtins.bool = True, shape: Axes = None, *, device: Any = None) -> ndarray: ...

@final
class _ExpandDimsOp(Op):
    def __call__(self, a: ArrayLike, axis: Shape) -> ndarray: ...

@final
class _EyeOp(Op):
    def __call__(self, N: SupportsIndex, M: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, order: str | None = 'C', *, device: Any = None, like: Any = None) -> ndarray: ...

@final
class _FixOp(Op):
    def __call__(self, x: ArrayLike, out: Out = None) -> ndarray: ...

@final
class _FlipOp(Op):
    def __call__(self, m: ArrayLike, axis: Axes = None) -> ndarray: ...

@final
class _FliplrOp(Op):
    def __call__(self, m: ArrayLike) -> ndarray: ...

@final
class _FrexpOp(Ufunc):
    def __call__(self, x: ArrayLike, out1: Out = None, out2: Out = None, /, out: Any = None, *, where: ArrayLike = True, casting: str = 'same_kind', order: str = 'K', dtype: DTypeLike | None = None, subok: builtins.bool = True) -> tuple[ndarray, ndarray]: ...

@final
class _FullOp(Op):
    def __call__(self, shape: Shape, fill_value: ArrayLike | None, dtype: DTypeLike | None = None, order: str | None = 'C', *, device: Any = None, like: Any = None) -> ndarray: ...

@final
class _FullLikeOp(Op):
    def __call__(self, a: ArrayLike, fill_value: ArrayLike | None, dtype: DTypeLike | None = None, order: str | None = 'K', subok: builtins.bool = True, shape: Axes = None, *, device: Any = None) -> ndarray: ...

@final
class _GeomspaceOp(Op):
    def __call__(self, start: ArrayLike, stop: ArrayLike, num: SupportsIndex = 50, endpoint: builtins.bool = True, dtype: DTypeLike | None = None, axis: SupportsIndex = 0) -> ndarray: ...

@final
class _HistogramOp(Op):
    def __call__(self, a: ArrayLike, bins: Any = 10, range: Any = None, density: Any = None, weights: ArrayLike | None = None) -> tuple[ndarray, ndarray]: ...

@final
class _HistogramBinEdgesOp(Op):
    def __call__(self, a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None) -> ndarray: ...

@final
class _HstackOp(Op):
    def __call__(self, tup: Sequence[Any] | ArrayLike, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> ndarray: ...

@final
class _IdentityOp(Op):
    def __call__(self, n: SupportsIndex, dtype: DTypeLike | None = None, *, like: Any = None) -> ndarray: ...

@final
class _ImagOp(Op):
    def __call__(self, val: ArrayLike) -> ndarray: ...

@final
class _IndicesOp(Op):
    def __call__(self, dimensions: Shape, dtype: DTypeLike | None = None, sparse: builtins.bool = False) -> ndarray: ...

@final
class _InnerOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, /) -> ndarray: ...

@final
class _InsertOp(Op):
    def __call__(self, arr: ArrayLike, obj: Any, values: ArrayLike, axis: SupportsIndex | None = None) -> ndarray: ...

@final
class _InterpOp(Op):
    def __call__(self, x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: Any = None, right: Any = None, period: Any = None) -> ndarray: ...

@final
class _IscloseOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: builtins.bool = False) -> ndarray: ...

@final
class _IscomplexOp(Op):
    def __call__(self, x: ArrayLike) -> ndarray: ...

@final
class _IscomplexobjOp(Op):
    def __call__(self, x: ArrayLike) -> builtins.bool: ...

@final
class _IsinOp(Op):
    def __call__(self, element: ArrayLike, test_elements: ArrayLike, assume_unique: builtins.bool = False, invert: builtins.bool = False, *, kind: str | None = None) -> ndarray: ...

@final
class _KronOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike) -> ndarray: ...

@final
class _LinspaceOp(Op):
    def __call__(self, start: ArrayLike, stop: ArrayLike, num: SupportsIndex = 50, endpoint: builtins.bool = True, retstep: builtins.bool = False, dtype: DTypeLike | None = None, axis: SupportsIndex = 0, *, device: Any = None) -> ndarray: ...

@final
class _LogspaceOp(Op):
    def __call__(self, start: ArrayLike, stop: ArrayLike, num: SupportsIndex = 50, endpoint: builtins.bool = True, base: ArrayLike = 10.0, dtype: DTypeLike | None = None, axis: SupportsIndex = 0) -> ndarray: ...

@final
class _MatmulOp(Op):
    def __call__(self, x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, axes: Any = None, axis: Any = None, keepdims: builtins.bool = False, casting: str = 'same_kind', order: str = 'K', dtype: DTypeLike | None = None, subok: builtins.bool = True, signature: Any = None) -> ndarray: ...

@final
class _MatrixTransposeOp(Op):
    def __call__(self, x: ArrayLike, /) -> ndarray: ...

@final
class _MeanOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, dtype: DTypeLike | None = None, out: Out = None, keepdims: builtins.bool = False, *, where: ArrayLike = True) -> ndarray: ...

@final
class _MedianOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, out: Out = None, overwrite_input: builtins.bool = False, keepdims: builtins.bool = False) -> ndarray: ...

@final
class _MoveaxisOp(Op):
    def __call__(self, a: ArrayLike, source: Shape, destination: Shape) -> ndarray: ...

@final
class _NanToNumOp(Op):
    def __call__(self, x: ArrayLike, copy: builtins.bool = True, nan: ArrayLike = 0.0, posinf: ArrayLike | None = None, neginf: ArrayLike | None = None) -> ndarray: ...

@final
class _NanprodOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, dtype: DTypeLike | None = None, out: Out = None, keepdims: builtins.bool = False, initial: ArrayLike | None = 1, where: ArrayLike = True) -> ndarray: ...

@final
class _NanstdOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, dtype: DTypeLike | None = None, out: Out = None, ddof: float = 0, keepdims: builtins.bool = False, *, where: ArrayLike = True, mean: ArrayLike | None = None, correction: Any = None) -> ndarray: ...

@final
class _NansumOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, dtype: DTypeLike | None = None, out: Out = None, keepdims: builtins.bool = False, initial: ArrayLike | None = 0, where: ArrayLike = True) -> ndarray: ...

@final
class _NonzeroOp(Op):
    def __call__(self, a: ArrayLike) -> tuple[ndarray, ...]: ...

@final
class _OnesLikeOp(Op):
    def __call__(self, a: ArrayLike, dtype: DTypeLike | None = None, order: str | None = 'K', subok: builtins.bool = True, shape: Axes = None, *, device: Any = None) -> ndarray: ...

@final
class _PadOp(Op):
    def __call__(self, array: ArrayLike, pad_width: Any, mode: Any = 'constant', *, constant_values: ArrayLike = 0, end_values: Any = 0, stat_length: Any = None, reflect_type: Any = 'even') -> ndarray: ...

@final
class _PercentileOp(Op):
    def __call__(self, a: ArrayLike, q: ArrayLike, axis: Axes = None, out: Out = None, overwrite_input: builtins.bool = False, method: str = 'linear', keepdims: builtins.bool = False, *, weights: Any = None) -> ndarray: ...

@final
class _PermuteDimsOp(Op):
    def __call__(self, a: ArrayLike, axes: Axes = None) -> ndarray: ...

@final
class _PolyvalOp(Op):
    def __call__(self, p: ArrayLike, x: ArrayLike) -> ndarray: ...

@final
class _PtpOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None, out: Out = None, keepdims: builtins.bool = False) -> ndarray: ...

@final
class _RavelOp(Op):
    def __call__(self, a: ArrayLike, order: str | None = 'C') -> ndarray: ...

@final
class _RavelMultiIndexOp(Op):
    def __call__(self, multi_index: Sequence[Any] | ArrayLike, dims: Shape, mode: Any = 'raise', order: str = 'C') -> ndarray: ...

@final
class _RepeatOp(Op):
    def __call__(self, a: ArrayLike, repeats: ArrayLike, axis: SupportsIndex | None = None) -> ndarray: ...

@final
class _ReshapeOp(Op):
    def __call__(self, a: ArrayLike, /, shape: Shape, order: str | None = 'C', *, copy: Any = None) -> ndarray: ...

@final
class _RollOp(Op):
    def __call__(self, a: ArrayLike, shift: Shape, axis: Axes = None) -> ndarray: ...

@final
class _RollaxisOp(Op):
    def __call__(self, a: ArrayLike, axis: SupportsIndex, start: SupportsIndex = 0) -> ndarray: ...

@final
class _Rot90Op(Op):
    def __call__(self, m: ArrayLike, k: SupportsIndex = 1, axes: Shape = (0, 1)) -> ndarray: ...

@final
class _SearchsortedOp(Op):
    def __call__(self, a: ArrayLike, v: ArrayLike, side: str = 'left', sorter: ArrayLike | None = None) -> ndarray: ...

@final
class _SqueezeOp(Op):
    def __call__(self, a: ArrayLike, axis: Axes = None) -> ndarray: ...

@final
class _StackOp(Op):
    def __call__(self, arrays: Sequence[Any] | ArrayLike, axis: SupportsIndex = 0, out: Out = None, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> ndarray: ...

@final
class _SwapaxesOp(Op):
    def __call__(self, a: ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> ndarray: ...

@final
class _TakeOp(Op):
    def __call__(self, a: ArrayLike, indices: ArrayLike, axis: SupportsIndex | None = None, out: Out = None, mode: str = 'raise') -> ndarray: ...

@final
class _TakeAlongAxisOp(Op):
    def __call__(self, arr: ArrayLike, indices: ArrayLike, axis: SupportsIndex | None = -1) -> ndarray: ...

@final
class _TensordotOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, axes: Any = 2) -> ndarray: ...

@final
class _TileOp(Op):
    def __call__(self, A: ArrayLike, reps: Shape) -> ndarray: ...

@final
class _TraceOp(Op):
    def __call__(self, a: ArrayLike, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1, dtype: DTypeLike | None = None, out: Out = None) -> ndarray: ...

@final
class _TrapezoidOp(Op):
    def __call__(self, y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: SupportsIndex = -1) -> ndarray: ...

@final
class _TriOp(Op):
    def __call__(self, N: SupportsIndex, M: SupportsIndex | None = None, k: SupportsIndex = 0, dtype: DTypeLike | None = None, *, like: Any = None) -> ndarray: ...

@final
class _TrilOp(Op):
    def __call__(self, m: ArrayLike, k: SupportsIndex = 0) -> ndarray: ...

@final
class _TrilIndicesOp(Op):
    def __call__(self, n: SupportsIndex, k: SupportsIndex = 0, m: SupportsIndex | None = None) -> tuple[ndarray, ...]: ...

@final
class _TrilIndicesFromOp(Op):
    def __call__(self, arr: ArrayLike, k: SupportsIndex = 0) -> tuple[ndarray, ...]: ...

@final
class _UniqueOp(Op):
    def __call__(self, ar: ArrayLike, return_index: builtins.bool = False, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: SupportsIndex | None = None, *, equal_nan: builtins.bool = True, sorted: builtins.bool = True) -> ndarray: ...

@final
class _UniqueAllOp(Op):
    def __call__(self, x: ArrayLike, /) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...

@final
class _UniqueCountsOp(Op):
    def __call__(self, x: ArrayLike, /) -> tuple[ndarray, ndarray]: ...

@final
class _UnravelIndexOp(Op):
    def __call__(self, indices: ArrayLike, shape: Shape, order: str = 'C') -> tuple[ndarray, ...]: ...

@final
class _UnstackOp(Op):
    def __call__(self, x: ArrayLike, /, *, axis: SupportsIndex = 0) -> tuple[ndarray, ...]: ...

@final
class _WhereOp(Op):
    def __call__(self, condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None, /) -> ndarray: ...

abs: _AbsOp
"""Distances from zero; those of complex numbers are real."""
absolute: _AbsOp
"""Distances from zero; those of complex numbers are real."""
acos: _AbsOp
"""Angles in [0, pi] with the given cosines; NaN outside [-1, 1]."""
acosh: _AbsOp
"""Inverse hyperbolic cosines; NaN below 1."""
add: _AddOp
"""Sums of the elements of x1 and x2; for bools, whether either is true."""
all: _AllOp
"""Whether all elements over the given axes are true."""
allclose: _AllcloseOp
"""Whether |a - b| <= atol + rtol * |b| for all pairs of elements."""
amax: _AmaxOp
"""Largest element over the given axes; NaN if any element is NaN."""
amin: _AmaxOp
"""Smallest element over the given axes; NaN if any element is NaN."""
angle: _AngleOp
"""Angles of complex numbers from the positive real axis, in radians or degrees."""
any: _AllOp
"""Whether any element over the given axes is true."""
append: _AppendOp
"""A copy of arr with values after it along an axis; both are flattened by default."""
arange: _ArangeOp
"""Numbers from start (0 when only one is given) up to but not including stop, step apart."""
arccos: _AbsOp
"""Angles in [0, pi] with the given cosines; NaN outside [-1, 1]."""
arccosh: _AbsOp
"""Inverse hyperbolic cosines; NaN below 1."""
arcsin: _AbsOp
"""Angles in [-pi/2, pi/2] with the given sines; NaN outside [-1, 1]."""
arcsinh: _AbsOp
"""Inverse hyperbolic sines."""
arctan: _AbsOp
"""Angles in [-pi/2, pi/2] with the given tangents."""
arctan2: _AddOp
"""Angles in [-pi, pi] of the points with heights x1 and abscissas x2."""
arctanh: _AbsOp
"""Inverse hyperbolic tangents; infinite at -1 and 1."""
argmax: _ArgmaxOp
"""Index of the first largest element along an axis (of the flattened array for None)."""
argmin: _ArgmaxOp
"""Index of the first smallest element along an axis (of the flattened array for None)."""
argpartition: _ArgpartitionOp
"""The indices that partition an array along an axis."""
argsort: _ArgsortOp
"""The indices that sort an array along an axis. Equal elements keep their order when `stable` is true."""
argwhere: _ArgwhereOp
"""Indices of the non-zero elements, grouped by element: shape (count, ndim)."""
around: _AroundOp
"""The same as round."""
array_equal: _ArrayEqualOp
"""Whether two arrays have the same shape and equal elements."""
array_equiv: _ArrayEquivOp
"""Whether two arrays broadcast together and have equal elements then."""
array_split: _ArraySplitOp
"""Views of nearly equal parts along an axis: the first ones may be one longer."""
ascontiguousarray: _AscontiguousarrayOp
"""The array itself when its rows are contiguous in memory, else a copy; at least one dimension."""
asfortranarray: _AscontiguousarrayOp
"""The array itself when its columns are contiguous in memory, else a copy; at least one dimension."""
asin: _AbsOp
"""Angles in [-pi/2, pi/2] with the given sines; NaN outside [-1, 1]."""
asinh: _AbsOp
"""Inverse hyperbolic sines."""
atan: _AbsOp
"""Angles in [-pi/2, pi/2] with the given tangents."""
atan2: _AddOp
"""Angles in [-pi, pi] of the points with heights x1 and abscissas x2."""
atanh: _AbsOp
"""Inverse hyperbolic tangents; infinite at -1 and 1."""
atleast_1d: _Atleast1dOp
"""The arrays with at least one dimension."""
atleast_2d: _Atleast1dOp
"""The arrays with at least two dimensions; new ones come first."""
atleast_3d: _Atleast1dOp
"""The arrays with at least three dimensions: (N,) becomes (1, N, 1) and (M, N) becomes (M, N, 1)."""
average: _AverageOp
"""Weighted averages over the given axes; with `returned` also the sums of the weights."""
bincount: _BincountOp
"""How often each integer from 0 to the largest one occurs in x, or the sum of its weights."""
bitwise_and: _AddOp
"""Bits that are set in both x1 and x2."""
bitwise_count: _AbsOp
"""The number of bits that are set in the absolute value."""
bitwise_invert: _AbsOp
"""Every bit of x flipped; logical not for bools."""
bitwise_left_shift: _AddOp
"""The bits of x1 moved left by x2 places; zeros come in."""
bitwise_not: _AbsOp
"""Every bit of x flipped; logical not for bools."""
bitwise_or: _AddOp
"""Bits that are set in x1 or x2."""
bitwise_right_shift: _AddOp
"""The bits of x1 moved right by x2 places; copies of the sign come in."""
bitwise_xor: _AddOp
"""Bits that are set in exactly one of x1 and x2."""
blackman: _BlackmanOp
"""The Blackman window of M points: a sum of two cosines."""
broadcast_arrays: _BroadcastArraysOp
"""The arrays stretched to their common shape, as views."""
broadcast_to: _BroadcastToOp
"""A read-only view stretched to a shape, without copying."""
cbrt: _AbsOp
"""Cube roots, also of negative numbers."""
ceil: _AbsOp
"""The smallest integer that is not below each element, in the dtype of x."""
clip: _ClipOp
"""The elements, moved into the interval from a_min (or min) to a_max (or max); either end may be open."""
column_stack: _ColumnStackOp
"""Vectors and matrices side by side as columns of a matrix."""
concat: _ConcatOp
"""The arrays one after another along an axis, or flattened with axis=None."""
concatenate: _ConcatOp
"""The arrays one after another along an axis, or flattened with axis=None."""
conj: _AbsOp
"""Complex numbers with the sign of the imaginary part changed."""
conjugate: _AbsOp
"""Complex numbers with the sign of the imaginary part changed."""
copy: _CopyOp
"""A copy with memory of its own."""
copysign: _AddOp
"""The magnitude of x1 with the sign of x2."""
corrcoef: _CorrcoefOp
"""Correlation coefficients of variables, which are rows (or columns) of observations."""
cos: _AbsOp
"""Cosines of angles in radians."""
cosh: _AbsOp
"""Hyperbolic cosines."""
count_nonzero: _CountNonzeroOp
"""Number of non-zero elements over the given axes."""
cov: _CovOp
"""Covariances of variables, which are rows (or columns) of observations."""
cross: _CrossOp
"""Cross products of vectors of three dimensions; `axis` names their dimension in both arrays and the result at once."""
cumprod: _CumprodOp
"""Running product along an axis (of the flattened array for None)."""
cumsum: _CumprodOp
"""Running sum along an axis (of the flattened array for None)."""
deg2rad: _AbsOp
"""Angles in degrees as radians."""
degrees: _AbsOp
"""Angles in radians as degrees."""
delete: _DeleteOp
"""A copy without the given positions of an axis."""
diag: _DiagOp
"""The k-th diagonal of a matrix as a read-only view, or a matrix with the vector v on that diagonal."""
diag_indices: _DiagIndicesOp
"""Indices of the main diagonal of an array of ndim axes of length n."""
diag_indices_from: _DiagIndicesFromOp
"""Indices of the main diagonal of arr, whose axes are equally long."""
diagflat: _DiagOp
"""A matrix with the elements of v, flattened, on its k-th diagonal."""
diagonal: _DiagonalOp
"""A read-only view of the diagonal that axis1 and axis2 span; it becomes the last axis."""
diff: _DiffOp
"""Differences of neighbours along an axis, taken n times. What is prepended and appended counts as part of the array."""
digitize: _DigitizeOp
"""The bin of each element of x, by the edges in `bins`, which rise or fall. `right` closes bins on the right."""
divide: _AddOp
"""Quotients x1 / x2. Integers are divided as float64."""
divmod: _DivmodOp
"""Quotients rounded down and remainders: floor_divide and remainder in one pass."""
dot: _DotOp
"""Sum of products over the last dimension of a and the last but one of b (its only one for a vector). No stacks broadcast: the result has all other dimensions of a, then those of b."""
dsplit: _DsplitOp
"""split along the third axis."""
dstack: _ColumnStackOp
"""Arrays one behind another along the third axis."""
ediff1d: _Ediff1dOp
"""Differences of neighbours in the flattened array, between what is put at either end."""
einsum: _EinsumOp
"""Sums of products by Einstein's convention: einsum('ij,jk->ik', a, b) names the dimensions of the operands and of the result; labels that the result lacks are summed."""
empty: _EmptyOp
"""A new array whose elements are whatever the memory held."""
empty_like: _EmptyLikeOp
"""A new uninitialised array with the shape and dtype of prototype."""
equal: _AddOp
"""Whether the elements of x1 and x2 are equal. NaN equals nothing."""
exp: _AbsOp
"""e raised to each element."""
exp2: _AbsOp
"""2 raised to each element."""
expand_dims: _ExpandDimsOp
"""A view with new axes of length one at the places named."""
expm1: _AbsOp
"""exp(x) - 1, exact for small x too."""
eye: _EyeOp
"""Zeros of N rows and M columns (N by default) with ones on the k-th diagonal."""
fabs: _AbsOp
"""Distances from zero as floats; complex numbers are not taken."""
fix: _FixOp
"""Elements rounded towards zero."""
flatnonzero: _ArgwhereOp
"""Indices of the non-zero elements of the flattened array."""
flip: _FlipOp
"""A view with axes reversed, all of them by default."""
fliplr: _FliplrOp
"""A view with the second axis reversed."""
flipud: _FliplrOp
"""A view with the first axis reversed."""
float_power: _AddOp
"""x1 raised to x2 in float64 or complex128, so that negative exponents always work."""
floor: _AbsOp
"""The largest integer that is not above each element, in the dtype of x."""
floor_divide: _AddOp
"""Quotients rounded down: the largest integer not above x1 / x2."""
fmax: _AddOp
"""The larger of two elements; a number is preferred to NaN."""
fmin: _AddOp
"""The smaller of two elements; a number is preferred to NaN."""
fmod: _AddOp
"""What division towards zero leaves, with the sign of x1, as C's fmod."""
frexp: _FrexpOp
"""Fractions in [0.5, 1) and integer exponents whose ldexp is x."""
full: _FullOp
"""A new array with every element set to fill_value, which also gives the dtype by default."""
full_like: _FullLikeOp
"""An array with the shape and dtype of a and every element set to fill_value."""
gcd: _AddOp
"""Greatest common divisors of |x1| and |x2|."""
geomspace: _GeomspaceOp
"""num numbers from start to stop, each the same multiple of the one before."""
greater: _AddOp
"""Whether each element of x1 is greater than that of x2."""
greater_equal: _AddOp
"""Whether each element of x1 is at least that of x2."""
hamming: _BlackmanOp
"""The Hamming window of M points: a raised cosine whose ends are not zero."""
hanning: _BlackmanOp
"""The Hann window of M points: a raised cosine."""
heaviside: _AddOp
"""0 where x1 is negative, 1 where it is positive, x2 where it is zero."""
histogram: _HistogramOp
"""How many elements fall into each bin, and the edges of the bins. The last bin includes its right edge."""
histogram_bin_edges: _HistogramBinEdgesOp
"""The edges of the bins that histogram would use."""
hsplit: _DsplitOp
"""split along the second axis; along the only one of a vector."""
hstack: _HstackOp
"""Arrays side by side: along the second axis, vectors along their only one."""
hypot: _AddOp
"""sqrt(x1**2 + x2**2) without overflow between."""
identity: _IdentityOp
"""The identity matrix of n rows."""
imag: _ImagOp
"""The imaginary parts: a view of a complex array, read-only zeros for any other."""
indices: _IndicesOp
"""For each axis of a grid the indices of its points: one array, or with sparse a tuple that broadcasts."""
inner: _InnerOp
"""Sum of products over the last dimensions of both arrays."""
insert: _InsertOp
"""A copy with values put in before the given positions of an axis."""
interp: _InterpOp
"""Values at x of the line through the points (xp, fp), whose xp rise; beyond them `left` and `right`."""
invert: _AbsOp
"""Every bit of x flipped; logical not for bools."""
isclose: _IscloseOp
"""Whether |a - b| <= atol + rtol * |b| for each pair of elements."""
iscomplex: _IscomplexOp
"""Whether each element has an imaginary part that is not zero."""
iscomplexobj: _IscomplexobjOp
"""Whether the dtype of x is complex."""
isfinite: _AbsOp
"""Whether each element is neither infinite nor NaN."""
isin: _IsinOp
"""Whether each element occurs among the test elements (with `invert`: whether it does not)."""
isinf: _AbsOp
"""Whether each element is infinite, of either sign."""
isnan: _AbsOp
"""Whether each element is NaN."""
isneginf: _FixOp
"""Whether each element is negative infinity."""
isposinf: _FixOp
"""Whether each element is positive infinity."""
isreal: _IscomplexOp
"""Whether each element has no imaginary part."""
isrealobj: _IscomplexobjOp
"""Whether the dtype of x is not complex."""
kron: _KronOp
"""Kronecker product: blocks of b, each scaled by one element of a."""
lcm: _AddOp
"""Least common multiples of |x1| and |x2|."""
ldexp: _AddOp
"""x1 * 2**x2, with integer exponents x2."""
left_shift: _AddOp
"""The bits of x1 moved left by x2 places; zeros come in."""
less: _AddOp
"""Whether each element of x1 is less than that of x2."""
less_equal: _AddOp
"""Whether each element of x1 is at most that of x2."""
linspace: _LinspaceOp
"""num numbers at equal distances from start to stop; with retstep also the distance."""
log: _AbsOp
"""Natural logarithms: -inf at zero, NaN below it."""
log10: _AbsOp
"""Logarithms to base 10."""
log1p: _AbsOp
"""log(1 + x), exact for small x too."""
log2: _AbsOp
"""Logarithms to base 2."""
logaddexp: _AddOp
"""log(exp(x1) + exp(x2)) without overflow between."""
logaddexp2: _AddOp
"""log2(2**x1 + 2**x2) without overflow between."""
logical_and: _AddOp
"""Whether both elements are true, that is not zero."""
logical_not: _AbsOp
"""Whether each element is false, that is zero."""
logical_or: _AddOp
"""Whether either element is true, that is not zero."""
logical_xor: _AddOp
"""Whether exactly one of the two elements is true, that is not zero."""
logspace: _LogspaceOp
"""base raised to num evenly spaced exponents from start to stop."""
matmul: _MatmulOp
"""Matrix product, the @ operator. A vector is a row on the left and a column on the right; dimensions before the last two are stacks of matrices, which broadcast."""
matrix_transpose: _MatrixTransposeOp
"""A view with the last two axes exchanged."""
matvec: _MatmulOp
"""Products of matrices and column vectors; stacks of either broadcast."""
max: _AmaxOp
"""Largest element over the given axes; NaN if any element is NaN."""
maximum: _AddOp
"""The larger of two elements; NaN when either is NaN."""
mean: _MeanOp
"""Arithmetic mean over the given axes. Integers are averaged in float64, float16 in float32."""
median: _MedianOp
"""Middle elements over the given axes, or the means of the two middle ones. NaN where any element is NaN."""
min: _AmaxOp
"""Smallest element over the given axes; NaN if any element is NaN."""
minimum: _AddOp
"""The smaller of two elements; NaN when either is NaN."""
mod: _AddOp
"""What floor division leaves: x1 - x2 * floor(x1 / x2), with the sign of x2."""
modf: _FrexpOp
"""Fractions and whole parts, both with the sign of x."""
moveaxis: _MoveaxisOp
"""A view with the axes `source` moved to the places `destination`; the others keep their order."""
multiply: _AddOp
"""Products of the elements of x1 and x2; for bools, whether both are true."""
nan_to_num: _NanToNumOp
"""Numbers in place of NaN and infinities: zero and the largest finite ones unless others are given."""
nanargmax: _ArgmaxOp
"""Index of the first largest element along an axis, leaving out NaN."""
nanargmin: _ArgmaxOp
"""Index of the first smallest element along an axis, leaving out NaN."""
nancumprod: _CumprodOp
"""Running product along an axis, with NaN as one."""
nancumsum: _CumprodOp
"""Running sum along an axis, with NaN as zero."""
nanmax: _AmaxOp
"""Largest element over the given axes, leaving out NaN."""
nanmean: _MeanOp
"""Arithmetic mean over the given axes, leaving out NaN."""
nanmin: _AmaxOp
"""Smallest element over the given axes, leaving out NaN."""
nanprod: _NanprodOp
"""Product of elements over the given axes, with NaN as one."""
nanstd: _NanstdOp
"""Standard deviation over the given axes, leaving out NaN, with divisor N - ddof."""
nansum: _NansumOp
"""Sum of elements over the given axes, with NaN as zero."""
nanvar: _NanstdOp
"""Variance over the given axes, leaving out NaN, with divisor N - ddof."""
negative: _AbsOp
"""Each element with its sign changed. Unsigned integers wrap around."""
nextafter: _AddOp
"""The next number that the dtype can hold from x1 in the direction of x2."""
nonzero: _NonzeroOp
"""Indices of the non-zero elements, one int64 array for each dimension."""
not_equal: _AddOp
"""Whether the elements of x1 and x2 differ."""
ones: _EmptyOp
"""A new array of ones."""
ones_like: _OnesLikeOp
"""Ones with the shape and dtype of a."""
outer: _DotOp
"""Products of every element of a with every element of b, both flattened."""
pad: _PadOp
"""A larger copy with values around it: a constant, or what the mode makes of the edges."""
partition: _ArgpartitionOp
"""A copy in which the elements at the positions `kth` are where sorting would put them, with none that is larger before and none that is smaller behind."""
percentile: _PercentileOp
"""Percentiles q, between 0 and 100, of the elements over the given axes. `method` says how neighbours are combined."""
permute_dims: _PermuteDimsOp
"""A view with the axes in another order, reversed by default."""
polyval: _PolyvalOp
"""The polynomial with coefficients p, the highest power first, at each element of x."""
positive: _AbsOp
"""A copy of the numbers in x, as the unary + gives."""
pow: _AddOp
"""x1 raised to x2. Integers need exponents that are not negative."""
power: _AddOp
"""x1 raised to x2. Integers need exponents that are not negative."""
prod: _NanprodOp
"""Product of array elements over the given axes."""
ptp: _PtpOp
"""Range (largest minus smallest element) over the given axes."""
quantile: _PercentileOp
"""Quantiles q, between 0 and 1, of the elements over the given axes. `method` says how neighbours are combined."""
rad2deg: _AbsOp
"""Angles in radians as degrees."""
radians: _AbsOp
"""Angles in degrees as radians."""
ravel: _RavelOp
"""All elements in one dimension: a view when they are contiguous, else a copy."""
ravel_multi_index: _RavelMultiIndexOp
"""Indices into each dimension of a shape as indices into its flattened array. `mode` says what happens out of bounds: 'raise', 'wrap' or 'clip'."""
real: _ImagOp
"""The real parts: a view of a complex array, any other array itself."""
reciprocal: _AbsOp
"""1 / x in the dtype of x; of integers only that of 1 and -1 is not zero."""
remainder: _AddOp
"""What floor division leaves: x1 - x2 * floor(x1 / x2), with the sign of x2."""
repeat: _RepeatOp
"""Each element of an axis (of the flattened array by default) several times in a row."""
reshape: _ReshapeOp
"""The same elements in another shape: a view when the strides allow it. One dimension may be -1."""
right_shift: _AddOp
"""The bits of x1 moved right by x2 places; copies of the sign come in."""
rint: _AbsOp
"""The nearest integer to each element, to the even one from half way, as a float."""
roll: _RollOp
"""A copy with elements moved along axes; what leaves one end comes in at the other."""
rollaxis: _RollaxisOp
"""A view with one axis moved in front of the axis `start`."""
rot90: _Rot90Op
"""A view turned by k quarter turns from the first of two axes towards the second."""
round: _AroundOp
"""Elements rounded to a number of decimals, halves to the even digit; tens and hundreds when it is negative."""
row_stack: _HstackOp
"""Arrays one below another; vectors count as rows. The old name of vstack."""
searchsorted: _SearchsortedOp
"""Where to insert the elements of v into the sorted vector a to keep it sorted: before equal elements ('left') or behind them ('right'). `sorter` holds indices that sort a."""
sign: _AbsOp
"""-1, 0 or 1 as an element is negative, zero or positive; x/abs(x) for complex numbers."""
signbit: _AbsOp
"""Whether the sign bit is set: true for negative numbers and for -0.0."""
sin: _AbsOp
"""Sines of angles in radians."""
sinc: _IscomplexOp
"""sin(pi x) / (pi x), with 1 at zero."""
sinh: _AbsOp
"""Hyperbolic sines."""
sort: _ArgsortOp
"""A sorted copy along an axis (of the flattened array for None). NaN goes last."""
spacing: _AbsOp
"""The distance from each element to the next number that the dtype can hold."""
split: _ArraySplitOp
"""Views of equal parts along an axis, or of the parts between given indices."""
sqrt: _AbsOp
"""Square roots that are not negative; NaN for negative real numbers."""
square: _AbsOp
"""Each element times itself."""
squeeze: _SqueezeOp
"""A view without the axes of length one, or without those named."""
stack: _StackOp
"""Arrays of one shape side by side along a new axis."""
std: _NanstdOp
"""Standard deviation over the given axes, with divisor N - ddof."""
subtract: _AddOp
"""Differences x1 - x2, element by element."""
sum: _NansumOp
"""Sum of array elements over the given axes."""
swapaxes: _SwapaxesOp
"""A view with two axes exchanged."""
take: _TakeOp
"""Elements of an array at the given indices along an axis (of the flattened array for None). `mode` says what happens out of bounds: 'raise', 'wrap' or 'clip'."""
take_along_axis: _TakeAlongAxisOp
"""Picks along an axis by an index array of the same number of dimensions, as argsort returns."""
tan: _AbsOp
"""Tangents of angles in radians."""
tanh: _AbsOp
"""Hyperbolic tangents."""
tensordot: _TensordotOp
"""Sum of products over pairs of axes: the last n of a with the first n of b, or the axes that two sequences name."""
tile: _TileOp
"""The whole array several times along each axis."""
trace: _TraceOp
"""The sum along a diagonal."""
transpose: _PermuteDimsOp
"""A view with the axes in another order, reversed by default."""
trapezoid: _TrapezoidOp
"""The integral of y along an axis by the trapezoidal rule, at the points x or `dx` apart."""
tri: _TriOp
"""Ones at and below the k-th diagonal, zeros above it."""
tril: _TrilOp
"""A copy with zeros above the k-th diagonal of the last two axes."""
tril_indices: _TrilIndicesOp
"""Row and column indices of the elements at and below the k-th diagonal of an n by m matrix."""
tril_indices_from: _TrilIndicesFromOp
"""tril_indices for the shape of a matrix."""
triu: _TrilOp
"""A copy with zeros below the k-th diagonal of the last two axes."""
triu_indices: _TrilIndicesOp
"""Row and column indices of the elements at and above the k-th diagonal of an n by m matrix."""
triu_indices_from: _TrilIndicesFromOp
"""triu_indices for the shape of a matrix."""
true_divide: _AddOp
"""Quotients x1 / x2. Integers are divided as float64."""
trunc: _AbsOp
"""Each element without its fraction, in the dtype of x."""
unique: _UniqueOp
"""The sorted unique elements, or subarrays along an axis; also, if asked for, where each occurs first, the indices that rebuild the array, and how often each occurs."""
unique_all: _UniqueAllOp
"""The sorted unique elements, where each occurs first, the indices that rebuild the array, and how often each occurs."""
unique_counts: _UniqueCountsOp
"""The sorted unique elements and how often each occurs."""
unique_inverse: _UniqueCountsOp
"""The sorted unique elements and the indices that rebuild the array from them."""
unique_values: _MatrixTransposeOp
"""The unique elements, sorted. Every NaN counts."""
unravel_index: _UnravelIndexOp
"""Indices into the flattened array of a shape as indices into each of its dimensions."""
unstack: _UnstackOp
"""Views of the array at every position along an axis."""
var: _NanstdOp
"""Variance over the given axes, with divisor N - ddof."""
vdot: _InnerOp
"""Sum of products of the elements of two arrays in C order, with the complex conjugate of a."""
vecdot: _MatmulOp
"""Sum of products along the last dimension, with the complex conjugate of x1; the other dimensions broadcast."""
vecmat: _MatmulOp
"""Products of row vectors, complex conjugated, and matrices; stacks of either broadcast."""
vsplit: _DsplitOp
"""split along the first axis."""
vstack: _HstackOp
"""Arrays one below another; vectors count as rows."""
where: _WhereOp
"""Elements of x where the condition holds, of y elsewhere; with the condition alone, as nonzero."""
zeros: _EmptyOp
"""A new array of zeros."""
zeros_like: _OnesLikeOp
"""Zeros with the shape and dtype of a."""

__fallbacks__: list[str]
__array_api_version__: str

# From NumPy 2.4:
False_: Any
ScalarType: Any
True_: Any
def apply_along_axis(*args: Any, **kwargs: Any) -> Any: ...
def apply_over_axes(*args: Any, **kwargs: Any) -> Any: ...
def array2string(*args: Any, **kwargs: Any) -> Any: ...
def asarray_chkfinite(*args: Any, **kwargs: Any) -> Any: ...
def asmatrix(*args: Any, **kwargs: Any) -> Any: ...
def bartlett(*args: Any, **kwargs: Any) -> Any: ...
from numpy import base_repr as base_repr
from numpy import binary_repr as binary_repr
def block(*args: Any, **kwargs: Any) -> Any: ...
def bmat(*args: Any, **kwargs: Any) -> Any: ...
from numpy import bool as bool
from numpy import bool_ as bool_
from numpy import broadcast as broadcast
def busday_count(*args: Any, **kwargs: Any) -> Any: ...
def busday_offset(*args: Any, **kwargs: Any) -> Any: ...
from numpy import busdaycalendar as busdaycalendar
from numpy import byte as byte
from numpy import bytes_ as bytes_
c_: Any
from numpy import can_cast as can_cast
from numpy import cdouble as cdouble
from numpy import character as character
def choose(*args: Any, **kwargs: Any) -> Any: ...
from numpy import clongdouble as clongdouble
def common_type(*args: Any, **kwargs: Any) -> Any: ...
from numpy import complex128 as complex128
from numpy import complex256 as complex256
from numpy import complex64 as complex64
from numpy import complexfloating as complexfloating
def compress(*args: Any, **kwargs: Any) -> Any: ...
def convolve(*args: Any, **kwargs: Any) -> Any: ...
def correlate(*args: Any, **kwargs: Any) -> Any: ...
from numpy import csingle as csingle
def cumulative_prod(*args: Any, **kwargs: Any) -> Any: ...
def cumulative_sum(*args: Any, **kwargs: Any) -> Any: ...
from numpy import datetime64 as datetime64
def datetime_as_string(*args: Any, **kwargs: Any) -> Any: ...
def datetime_data(*args: Any, **kwargs: Any) -> Any: ...
from numpy import double as double
from numpy import dtype as dtype
e: float
def einsum_path(*args: Any, **kwargs: Any) -> Any: ...
def emath(*args: Any, **kwargs: Any) -> Any: ...
from numpy import errstate as errstate
euler_gamma: float
def extract(*args: Any, **kwargs: Any) -> Any: ...
def fill_diagonal(*args: Any, **kwargs: Any) -> Any: ...
from numpy import finfo as finfo
from numpy import flatiter as flatiter
from numpy import flexible as flexible
from numpy import float128 as float128
from numpy import float16 as float16
from numpy import float32 as float32
from numpy import float64 as float64
from numpy import floating as floating
from numpy import format_float_positional as format_float_positional
from numpy import format_float_scientific as format_float_scientific
def fromfile(*args: Any, **kwargs: Any) -> Any: ...
def frompyfunc(*args: Any, **kwargs: Any) -> Any: ...
def fromregex(*args: Any, **kwargs: Any) -> Any: ...
def fromstring(*args: Any, **kwargs: Any) -> Any: ...
from numpy import generic as generic
def genfromtxt(*args: Any, **kwargs: Any) -> Any: ...
from numpy import get_include as get_include
from numpy import get_printoptions as get_printoptions
from numpy import getbufsize as getbufsize
from numpy import geterr as geterr
from numpy import geterrcall as geterrcall
def gradient(*args: Any, **kwargs: Any) -> Any: ...
from numpy import half as half
def histogram2d(*args: Any, **kwargs: Any) -> Any: ...
def histogramdd(*args: Any, **kwargs: Any) -> Any: ...
def i0(*args: Any, **kwargs: Any) -> Any: ...
from numpy import iinfo as iinfo
index_exp: Any
from numpy import inexact as inexact
inf: float
def info(*args: Any, **kwargs: Any) -> Any: ...
from numpy import int16 as int16
from numpy import int32 as int32
from numpy import int64 as int64
from numpy import int8 as int8
from numpy import int_ as int_
from numpy import intc as intc
from numpy import integer as integer
def intersect1d(*args: Any, **kwargs: Any) -> Any: ...
from numpy import intp as intp
def is_busday(*args: Any, **kwargs: Any) -> Any: ...
from numpy import isdtype as isdtype
def isfortran(*args: Any, **kwargs: Any) -> Any: ...
def isnat(*args: Any, **kwargs: Any) -> Any: ...
def isscalar(*args: Any, **kwargs: Any) -> Any: ...
from numpy import issubdtype as issubdtype
from numpy import iterable as iterable
def ix_(*args: Any, **kwargs: Any) -> Any: ...
def kaiser(*args: Any, **kwargs: Any) -> Any: ...
def lexsort(*args: Any, **kwargs: Any) -> Any: ...
little_endian: Any
def load(*args: Any, **kwargs: Any) -> Any: ...
def loadtxt(*args: Any, **kwargs: Any) -> Any: ...
from numpy import long as long
from numpy import longdouble as longdouble
from numpy import longlong as longlong
def mask_indices(*args: Any, **kwargs: Any) -> Any: ...
from numpy import matrix as matrix
from numpy import memmap as memmap
def meshgrid(*args: Any, **kwargs: Any) -> Any: ...
mgrid: Any
from numpy import min_scalar_type as min_scalar_type
from numpy import mintypecode as mintypecode
nan: float
def nanmedian(*args: Any, **kwargs: Any) -> Any: ...
def nanpercentile(*args: Any, **kwargs: Any) -> Any: ...
def nanquantile(*args: Any, **kwargs: Any) -> Any: ...
from numpy import ndenumerate as ndenumerate
from numpy import ndindex as ndindex
from numpy import nditer as nditer
def nested_iters(*args: Any, **kwargs: Any) -> Any: ...
newaxis: Any
from numpy import number as number
from numpy import object_ as object_
ogrid: Any
def packbits(*args: Any, **kwargs: Any) -> Any: ...
pi: float
def piecewise(*args: Any, **kwargs: Any) -> Any: ...
def place(*args: Any, **kwargs: Any) -> Any: ...
def poly(*args: Any, **kwargs: Any) -> Any: ...
from numpy import poly1d as poly1d
def polyadd(*args: Any, **kwargs: Any) -> Any: ...
def polyder(*args: Any, **kwargs: Any) -> Any: ...
def polydiv(*args: Any, **kwargs: Any) -> Any: ...
def polyfit(*args: Any, **kwargs: Any) -> Any: ...
def polyint(*args: Any, **kwargs: Any) -> Any: ...
def polymul(*args: Any, **kwargs: Any) -> Any: ...
def polysub(*args: Any, **kwargs: Any) -> Any: ...
from numpy import printoptions as printoptions
from numpy import promote_types as promote_types
def put(*args: Any, **kwargs: Any) -> Any: ...
def put_along_axis(*args: Any, **kwargs: Any) -> Any: ...
def putmask(*args: Any, **kwargs: Any) -> Any: ...
r_: Any
def real_if_close(*args: Any, **kwargs: Any) -> Any: ...
from numpy import recarray as recarray
from numpy import record as record
def require(*args: Any, **kwargs: Any) -> Any: ...
def resize(*args: Any, **kwargs: Any) -> Any: ...
def roots(*args: Any, **kwargs: Any) -> Any: ...
s_: Any
def save(*args: Any, **kwargs: Any) -> Any: ...
def savetxt(*args: Any, **kwargs: Any) -> Any: ...
def savez(*args: Any, **kwargs: Any) -> Any: ...
def savez_compressed(*args: Any, **kwargs: Any) -> Any: ...
sctypeDict: Any
def select(*args: Any, **kwargs: Any) -> Any: ...
from numpy import set_printoptions as set_printoptions
from numpy import setbufsize as setbufsize
def setdiff1d(*args: Any, **kwargs: Any) -> Any: ...
from numpy import seterr as seterr
from numpy import seterrcall as seterrcall
def setxor1d(*args: Any, **kwargs: Any) -> Any: ...
from numpy import short as short
from numpy import show_config as show_config
def show_runtime(*args: Any, **kwargs: Any) -> Any: ...
from numpy import signedinteger as signedinteger
from numpy import single as single
def sort_complex(*args: Any, **kwargs: Any) -> Any: ...
from numpy import str_ as str_
def test(*args: Any, **kwargs: Any) -> Any: ...
from numpy import timedelta64 as timedelta64
def trim_zeros(*args: Any, **kwargs: Any) -> Any: ...
typecodes: Any
from numpy import typename as typename
from numpy import ubyte as ubyte
from numpy import ufunc as ufunc
from numpy import uint as uint
from numpy import uint16 as uint16
from numpy import uint32 as uint32
from numpy import uint64 as uint64
from numpy import uint8 as uint8
from numpy import uintc as uintc
from numpy import uintp as uintp
from numpy import ulong as ulong
from numpy import ulonglong as ulonglong
def union1d(*args: Any, **kwargs: Any) -> Any: ...
def unpackbits(*args: Any, **kwargs: Any) -> Any: ...
from numpy import unsignedinteger as unsignedinteger
def unwrap(*args: Any, **kwargs: Any) -> Any: ...
from numpy import ushort as ushort
def vander(*args: Any, **kwargs: Any) -> Any: ...
from numpy import vectorize as vectorize
from numpy import void as void
