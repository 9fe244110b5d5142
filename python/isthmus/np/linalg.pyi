# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py. Do not edit.
import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, final
from isthmus._native import ArrayLike, Axes, DTypeLike, Op, Out, ndarray

@final
class _CholeskyOp(Op):
    def __call__(self, a: ArrayLike, /, *, upper: builtins.bool = False) -> ndarray: ...

@final
class _CondOp(Op):
    def __call__(self, x: ArrayLike, p: Any = None) -> ndarray: ...

@final
class _CrossOp(Op):
    def __call__(self, x1: ArrayLike, x2: ArrayLike, /, *, axis: SupportsIndex = -1) -> ndarray: ...

@final
class _DetOp(Op):
    def __call__(self, a: ArrayLike) -> ndarray: ...

@final
class _DiagonalOp(Op):
    def __call__(self, x: ArrayLike, /, *, offset: SupportsIndex = 0) -> ndarray: ...

@final
class _EigOp(Op):
    def __call__(self, a: ArrayLike) -> tuple[ndarray, ndarray]: ...

@final
class _EighOp(Op):
    def __call__(self, a: ArrayLike, UPLO: Any = 'L') -> tuple[ndarray, ndarray]: ...

@final
class _EigvalshOp(Op):
    def __call__(self, a: ArrayLike, UPLO: Any = 'L') -> ndarray: ...

@final
class _LstsqOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, rcond: Any = None) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...

@final
class _MatmulOp(Op):
    def __call__(self, x1: ArrayLike, x2: ArrayLike, /) -> ndarray: ...

@final
class _MatrixNormOp(Op):
    def __call__(self, x: ArrayLike, /, *, keepdims: builtins.bool = False, ord: Any = 'fro') -> ndarray: ...

@final
class _MatrixPowerOp(Op):
    def __call__(self, a: ArrayLike, n: SupportsIndex) -> ndarray: ...

@final
class _MatrixRankOp(Op):
    def __call__(self, A: ArrayLike, tol: Any = None, hermitian: builtins.bool = False, *, rtol: Any = None) -> ndarray: ...

@final
class _MatrixTransposeOp(Op):
    def __call__(self, x: ArrayLike, /) -> ndarray: ...

@final
class _MultiDotOp(Op):
    def __call__(self, arrays: Sequence[Any] | ArrayLike, *, out: Out = None) -> ndarray: ...

@final
class _NormOp(Op):
    def __call__(self, x: ArrayLike, ord: Any = None, axis: Axes = None, keepdims: builtins.bool = False) -> ndarray: ...

@final
class _PinvOp(Op):
    def __call__(self, a: ArrayLike, rcond: Any = None, hermitian: builtins.bool = False, *, rtol: Any = False) -> ndarray: ...

@final
class _QrOp(Op):
    def __call__(self, a: ArrayLike, mode: str = 'reduced') -> tuple[ndarray, ndarray]: ...

@final
class _SolveOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike) -> ndarray: ...

@final
class _SvdOp(Op):
    def __call__(self, a: ArrayLike, full_matrices: builtins.bool = True, compute_uv: builtins.bool = True, hermitian: builtins.bool = False) -> tuple[ndarray, ndarray, ndarray]: ...

@final
class _TensordotOp(Op):
    def __call__(self, x1: ArrayLike, x2: ArrayLike, /, *, axes: Any = 2) -> ndarray: ...

@final
class _TensorinvOp(Op):
    def __call__(self, a: ArrayLike, ind: SupportsIndex = 2) -> ndarray: ...

@final
class _TensorsolveOp(Op):
    def __call__(self, a: ArrayLike, b: ArrayLike, axes: Axes = None) -> ndarray: ...

@final
class _TraceOp(Op):
    def __call__(self, x: ArrayLike, /, *, offset: SupportsIndex = 0, dtype: DTypeLike | None = None) -> ndarray: ...

@final
class _VectorNormOp(Op):
    def __call__(self, x: ArrayLike, /, *, axis: Axes = None, keepdims: builtins.bool = False, ord: Any = 2) -> ndarray: ...

cholesky: _CholeskyOp
"""The triangular L with a = L @ L.conj().T for positive definite matrices, or its conjugate transpose."""
cond: _CondOp
"""Condition numbers: the largest singular value over the smallest, or by another norm."""
cross: _CrossOp
"""Cross products of vectors of three dimensions along an axis."""
det: _DetOp
"""Determinants of a stack of square matrices."""
diagonal: _DiagonalOp
"""Diagonals of the matrices in the last two dimensions, as a read-only view."""
eig: _EigOp
"""Eigenvalues and right eigenvectors (as columns) of square matrices; before NumPy 2.5 complex only if they need to be."""
eigh: _EighOp
"""Eigenvalues, rising, and eigenvectors of symmetric or Hermitian matrices, of which one triangle is read."""
eigvals: _DetOp
"""Eigenvalues of square matrices; before NumPy 2.5 complex only if they need to be."""
eigvalsh: _EigvalshOp
"""Eigenvalues, rising, of symmetric or Hermitian matrices, of which one triangle is read."""
inv: _DetOp
"""Inverses of a stack of square matrices. LinAlgError for a singular one."""
lstsq: _LstsqOp
"""The x with the least sum of squares of b - a @ x, these sums, the rank of a and its singular values."""
matmul: _MatmulOp
"""Matrix product, as matmul."""
matrix_norm: _MatrixNormOp
"""Norms of the matrices in the last two dimensions."""
matrix_power: _MatrixPowerOp
"""A stack of square matrices to an integer power; negative powers are of the inverses."""
matrix_rank: _MatrixRankOp
"""Numbers of singular values above `tol`, or above `rtol` times the largest."""
matrix_transpose: _MatrixTransposeOp
"""The matrices of the last two dimensions transposed, as a view."""
multi_dot: _MultiDotOp
"""The product of several matrices in the order that takes the fewest multiplications."""
norm: _NormOp
"""Norms of vectors (over one axis) or matrices (over two). `ord` is a number, inf, -inf, 'fro' or 'nuc'; without it and without axes, the root of the sum of squares of all elements."""
outer: _MatmulOp
"""Products of every element of one vector with every element of another."""
pinv: _PinvOp
"""Pseudo-inverses by singular values; those not above `rcond` times the largest count as zero."""
qr: _QrOp
"""a = Q @ R with orthonormal columns of Q and an upper triangular R. `mode` is 'reduced', 'complete', 'r' (R only) or 'raw' (what LAPACK returns)."""
slogdet: _EigOp
"""Signs of determinants and logarithms of their absolute values, which overflow later than det does."""
solve: _SolveOp
"""The x of a @ x = b for a stack of square matrices a; b is a vector, or a stack of matrices."""
svd: _SvdOp
"""Singular value decompositions: U, the singular values in falling order, and the conjugate transpose of V; or the values only."""
svdvals: _MatrixTransposeOp
"""Singular values of a stack of matrices, in falling order."""
tensordot: _TensordotOp
"""Sum of products over pairs of axes: the last n of a with the first n of b, or the axes that two sequences name."""
tensorinv: _TensorinvOp
"""The inverse of an array taken as the matrix whose columns are indexed by the dimensions from `ind` on."""
tensorsolve: _TensorsolveOp
"""The x of tensordot(a, x, x.ndim) == b. `axes` of a move to its end first."""
trace: _TraceOp
"""Sums of the diagonals of the matrices in the last two dimensions."""
vecdot: _CrossOp
"""Sum of products along an axis, with the complex conjugate of x1."""
vector_norm: _VectorNormOp
"""Norms of vectors over any axes, by default of all elements."""
__fallbacks__: list[str]

# From NumPy 2.4:
from numpy.linalg import LinAlgError as LinAlgError
