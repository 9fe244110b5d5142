# SPDX-License-Identifier: Apache-2.0
"""Products and linear algebra: values within rounding, shapes, and LinAlgError."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
import op_makers as m
from helpers import both, resolve, spec
from isthmus import ffi, np

ULPS = 256
SINGULAR = spec([[1.0, 2.0], [2.0, 4.0]])
SQUARE = spec([[4.0, 1.0], [1.0, 3.0]])


# --- products -----------------------------------------------------------------------------------


@given(call=m.product())
def test_matmul_of_every_dtype_and_layout(call):
    both(lambda lib, a, b: lib.matmul(a, b), *call.args, ulps=8)
    both(lambda lib, a, b: a @ b, *call.args, ulps=8)


@pytest.mark.parametrize("name", ["matmul", "dot", "inner", "vdot", "outer", "kron", "tensordot",
                                  "cross", "vecdot", "matvec", "vecmat"])  # fmt: skip
@pytest.mark.parametrize("shapes", [
    ((3,), (3,)), ((3,), (4,)), ((2, 3), (3, 4)), ((2, 3), (2, 3)), ((2, 3), (3,)), ((3,), (2, 3)),
    ((), (3,)), ((3,), ()), ((), ()), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 2)), ((0,), (0,)),
    ((5, 2, 3), (4, 3, 2)), ((2, 0), (0, 3)), ((0, 2), (2, 3)), ((2, 3), (3, 0)), ((3, 3), (3, 3)),
], ids=str)  # fmt: skip
def test_product_of_shapes_that_fit_or_not(name, shapes):
    for first, second in (("float64", "float64"), ("int32", "float32"), ("bool", "bool")):
        a = h.ArraySpec(h.fill(shapes[0], first, 3, "small"))
        b = h.ArraySpec(h.fill(shapes[1], second, 4, "small"))
        both(lambda lib, a, b: getattr(lib, name)(a, b), a, b, ulps=8)


@pytest.mark.parametrize("dtype", h.ALL)
def test_products_of_every_dtype(dtype):
    a = h.ArraySpec(h.fill((3, 3), dtype, 5, "small"))
    b = h.ArraySpec(h.fill((3, 3), dtype, 6, "small"))
    for name in ("matmul", "dot", "inner", "vdot", "outer", "kron", "tensordot", "cross", "vecdot"):
        both(lambda lib, a, b, name: getattr(lib, name)(a, b), a, b, name, ulps=8)
    both(lambda lib, a, b: lib.einsum("ij,jk->ik", a, b), a, b, ulps=8)
    both(lambda lib, a, b: a.dot(b), a, b, ulps=8)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64"])
@pytest.mark.parametrize(
    "shape", [(33, 65, 17), (1, 300, 1), (300, 1, 5), (128, 128, 128)], ids=str
)
def test_products_of_larger_matrices(shape, dtype):
    n, k, p = shape
    a = h.ArraySpec(h.fill((k, n), dtype, 7, "small"), (("transpose", (1, 0)),))
    b = h.ArraySpec(h.fill((k, 2 * p), dtype, 8, "small"), (("index", (..., slice(0, None, 2))),))
    both(lambda lib, a, b: a @ b, a, b, ulps=8)
    both(lambda lib, a, b: lib.dot(a.copy(), b.copy()), a, b, ulps=8)
    both(lambda lib, a: a @ a.T, a, ulps=8)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int32"])
@pytest.mark.parametrize("shape", [(2, 4), (4, 2), (2, 1), (3, 2, 4)], ids=str)
@pytest.mark.parametrize("name", ["matmul", "dot"])
def test_out_of_a_product(name, shape, dtype):
    a, b = spec(onp.ones((2, 3))), spec(onp.arange(12.0).reshape(3, 4))
    both(lambda lib, a, b, out: getattr(lib, name)(a, b, out=out) is out, a, b,
         spec(onp.zeros(shape, dtype)), loose=True)  # fmt: skip
    turned = h.ArraySpec(onp.zeros((4, 2)), (("transpose", (1, 0)),))
    both(lambda lib, a, b, out: lib.matmul(a, b, out=out) is out, a, b, turned)


def test_out_of_matmul_that_is_an_operand():
    both(lambda lib, a: lib.matmul(a, a, out=a), SQUARE)
    both(lambda lib, a: lib.matmul(a, a.T, out=a.T), SQUARE)


@pytest.mark.parametrize("keywords", [{"dtype": "float32"}, {"dtype": "complex64"},
                                      {"casting": "no"},
                                      {"axes": [(-1, -2), (-2, -1), (-1, -2)]}, {"axis": 0},
                                      {"where": True}, {"nonsense": 1}], ids=str)  # fmt: skip
def test_keywords_of_matmul(keywords):
    both(lambda lib, a: lib.matmul(a, a, **keywords), spec([[1, 2], [3, 4]]))


@pytest.mark.parametrize("axes", [0, 1, 2, 3, -1, (0, 1), ([0, 1], [1, 0]), ([0], [1]),
                                  ((1,), (5,)),
                                  ([0, 0], [0, 1]), "x", 1.0, ([0, 1], [0])], ids=repr)  # fmt: skip
def test_axes_of_tensordot(axes):
    a, b = spec(onp.arange(9).reshape(3, 3)), spec(onp.arange(27.0).reshape(3, 3, 3))
    both(lambda lib, a, b: lib.tensordot(a, b, axes), a, b)


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((3, 3), (3,)), ((3,), (3, 3)), ((2, 3), ())],
                         ids=str)  # fmt: skip
def test_tensordot_over_more_axes_than_there_are_raises(shapes):
    a, b = (spec(onp.ones(shape)) for shape in shapes)
    both(lambda lib, a, b: lib.tensordot(a, b, axes=2), a, b)


EINSUMS = [
    ("ij,jk->ik", 2), ("ij,jk", 2), ("ij,jk->ki", 2), ("ij,ij->", 2), ("ij,ij->i", 2),
    ("ij->ji", 1),
    ("ii->i", 1), ("ii->", 1), ("ii", 1), ("ij->", 1), ("ij->j", 1), ("...j,jk->...k", 2),
    ("i...->...", 1), ("ij,jk,kl->il", 3), ("ij,kl->ijkl", 2), ("ij,k->ijk", 2), ("ij,jk->ii", 2),
    ("ij", 2), ("ij,jk", 1), ("ijk", 1), ("ij->x", 1), ("i j , j k -> i k", 2), ("ij,jk->ik->", 2),
    ("", 1), ("->", 1), ("i1", 1), (3, 1), ("ij,jk->i k j", 2), ("Ab,bC->AC", 2), ("....,jk", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "count"), EINSUMS, ids=str)
@pytest.mark.parametrize("optimize", [False, True, "optimal", "greedy"], ids=str)
def test_einsum(text, count, optimize):
    parts = [spec(onp.arange(9.0).reshape(3, 3) + i) for i in range(count)]
    both(lambda lib, parts: lib.einsum(text, *parts, optimize=optimize), parts, ulps=16)


def test_einsum_with_other_arguments():
    a, b = spec(onp.arange(6).reshape(2, 3)), spec(onp.arange(6.0).reshape(3, 2))
    both(lambda lib, a, b: lib.einsum(a, [0, 1], b, [1, 2], [0, 2]), a, b)
    both(lambda lib, a, b: lib.einsum("ij,jk->ik", a, b, out=lib.zeros((2, 2))), a, b)
    both(lambda lib, a, b: lib.einsum("ij,jk->ik", a, b, out=lib.zeros((3, 2))), a, b)
    both(lambda lib, a, b: lib.einsum("ij,jk->ik", a, b, dtype="float32", casting="unsafe"), a, b)
    both(lambda lib, a, b: lib.einsum("ij,ij->ij", a, b), a, b)
    both(lambda lib, a: lib.einsum("ij->ij", a), a)
    both(lambda lib: lib.einsum("ij,jk->ik", [[1, 2]], [[1], [2]]))
    both(lambda lib: lib.einsum())


def test_vectors_of_cross_and_outer():
    both(lambda lib, a, b: lib.cross(a, b), spec([1.0, 2, 3]), spec([[4, 5, 6], [7, 8, 9]]))
    both(lambda lib, a, b: lib.cross(a, b, axis=0), spec(onp.eye(3)), spec(onp.ones((3, 3))))
    both(lambda lib, a, b: lib.outer(a, b), spec([[1, 2], [3, 4]]), spec([1j, 2]))
    both(lambda lib, a: lib.outer(a, a, lib.zeros((2, 2))), spec([1.0, 2]))
    both(lambda lib, a: lib.vdot(a, a), spec([1 + 2j, 3j]))
    both(lambda lib, a: lib.inner(a, 2), spec([1.0, 2]))


def test_products_of_specials():
    a = spec([[onp.inf, 1], [0, onp.nan]])
    both(lambda lib, a: a @ a, a)
    both(lambda lib, a: lib.dot(a, [0, 1]), a)


# --- decompositions and solvers -----------------------------------------------------------------

ONE = ("inv", "det", "slogdet", "eig", "eigvals", "eigh", "eigvalsh", "svd", "svdvals", "qr",
       "cholesky", "pinv", "matrix_rank", "cond", "norm")  # fmt: skip


@pytest.mark.parametrize("name", ONE)
@given(a=m.matrices(form="symmetric"))
def test_function_of_a_stack_of_matrices(name, a):
    if name == "norm" and len(a.shape) > 2:
        a = h.ArraySpec(a.memory[0]) if a.memory.size else h.ArraySpec(onp.eye(2))
    both(lambda lib, a: getattr(lib.linalg, name)(a), a, ulps=512)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("dtype", h.ALL)
def test_function_of_a_matrix_of_every_dtype(name, dtype):
    a = spec(onp.array([[4, 1, 0], [1, 3, 1], [0, 1, 2]], dtype))
    both(lambda lib, a: getattr(lib.linalg, name)(a), a, ulps=ULPS)


@pytest.mark.parametrize("shape", [(2, 3), (3,), (), (0, 0), (0, 2, 2), (2, 0, 0), (1, 1), (3, 0)],
                         ids=str)  # fmt: skip
@pytest.mark.parametrize("name", ONE)
def test_function_of_a_matrix_of_odd_shape(name, shape):
    both(lambda lib, a: getattr(lib.linalg, name)(a), spec(onp.ones(shape)), ulps=ULPS)


@pytest.mark.parametrize("name", ["inv", "cholesky", "det", "slogdet", "pinv", "matrix_rank",
                                  "eigh",
                                  "qr", "svdvals"])  # fmt: skip
def test_function_of_a_singular_matrix(name):
    both(lambda lib, a: getattr(lib.linalg, name)(a), SINGULAR, ulps=ULPS)
    both(lambda lib, a: getattr(lib.linalg, name)(a), spec(onp.zeros((2, 2))), ulps=ULPS)


@pytest.mark.parametrize("name", ["inv", "svd", "eigh", "eigvals", "cholesky", "pinv"])
def test_function_of_a_matrix_of_nan(name):
    both(lambda lib, a: getattr(lib.linalg, name)(a), spec(onp.full((2, 2), onp.nan)))


def test_linalg_error_is_the_one_of_numpy():
    assert np.linalg.LinAlgError is onp.linalg.LinAlgError
    with pytest.raises(onp.linalg.LinAlgError, match=r"(?i)singular"):
        np.linalg.inv(np.zeros((2, 2)))
    with pytest.raises(onp.linalg.LinAlgError, match=r"(?i)positive definite"):
        np.linalg.cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(onp.linalg.LinAlgError, match=r"(?i)square"):
        np.linalg.det(np.ones((2, 3)))


@pytest.mark.parametrize("shapes", [((2, 2), (2,)), ((2, 2), (2, 3)), ((2, 2), (3,)),
                                    ((2, 3), (2,)),
                                    ((4, 2, 2), (2,)), ((4, 2, 2), (4, 2, 1)), ((4, 2, 2), (4, 2)),
                                    ((2,), (2,)), ((0, 0), (0,)), ((2, 2), ()), ((2, 2), (2, 0))],
                         ids=str)  # fmt: skip
def test_solve_of_shapes_that_fit_or_not(shapes):
    a = onp.ones(shapes[0])
    if len(shapes[0]) > 1:
        a = a + 3 * onp.eye(*shapes[0][-2:])
    both(lambda lib, a, b: lib.linalg.solve(a, b), spec(a), spec(onp.ones(shapes[1])), ulps=ULPS)


def test_solve_and_inverse_of_layouts():
    a = onp.random.default_rng(0).uniform(-1, 1, (12, 12)) + 6 * onp.eye(12)
    for steps in ((), (("transpose", (1, 0)),), (("index", (slice(None, None, -1),) * 2),),
                  (("index", (slice(0, 12, 2),) * 2),)):  # fmt: skip
        s = h.ArraySpec(a, steps)
        both(lambda lib, a: lib.linalg.inv(a), s, ulps=ULPS)
        both(lambda lib, a: lib.linalg.solve(a, a[0]), s, ulps=ULPS)
        both(lambda lib, a: lib.linalg.qr(a), s, ulps=ULPS)


def test_solve_of_a_singular_matrix_raises():
    both(lambda lib, a: lib.linalg.solve(a, [1.0, 2.0]), SINGULAR)


@pytest.mark.parametrize("order", [None, 1, -1, 2, -2, 0, 3, onp.inf, -onp.inf, "fro", "nuc", "x",
                                   0.5],
                         ids=str)  # fmt: skip
@pytest.mark.parametrize("keepdims", [False, True])
def test_norm_of_every_order(order, keepdims):
    v, a = spec([3.0, -4, 0, 12]), spec([[1.0, -2], [3, 4]])
    stack = spec(onp.arange(12.0).reshape(3, 2, 2))
    both(lambda lib, v: lib.linalg.norm(v, order, keepdims=keepdims), v, ulps=16)
    both(lambda lib, a: lib.linalg.norm(a, order, keepdims=keepdims), a, ulps=ULPS)
    both(lambda lib, a: lib.linalg.norm(a, order, axis=1, keepdims=keepdims), a, ulps=ULPS)
    both(lambda lib, s: lib.linalg.norm(s, order, (1, 2), keepdims), stack, ulps=ULPS)


@pytest.mark.parametrize("axis", [0, -1, (0, 1), (0, 0), 5, (0, 1, 2), "x", (0,)], ids=str)
def test_axis_of_norm(axis):
    both(lambda lib, a: lib.linalg.norm(a, axis=axis), spec(onp.arange(8.0).reshape(2, 2, 2)),
         ulps=16)  # fmt: skip
    both(lambda lib, a: lib.linalg.norm(a, axis=axis), spec([[3, 4], [1j, 2]]), ulps=16)


@pytest.mark.parametrize("keywords", [{}, {"full_matrices": False}, {"compute_uv": False},
                                      {"hermitian": True}, {"nonsense": 1}], ids=str)  # fmt: skip
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 2), (2, 3, 2)], ids=str)
def test_svd_in_each_form(shape, keywords):
    a = h.ArraySpec(h.fill(shape, "float64", 21, "unit"))
    both(lambda lib, a: lib.linalg.svd(a, **keywords), a, ulps=ULPS)


def test_results_with_names():
    both(lambda lib, a: lib.linalg.svd(a).S, SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.eigh(a).eigenvalues, SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.eig(a).eigenvectors, SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.qr(a).R, SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.slogdet(a).sign, SQUARE, ulps=ULPS)


@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw", "nonsense"])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 2), (2, 3, 2), (0, 2)], ids=str)
def test_qr_in_each_mode(shape, mode):
    a = h.ArraySpec(h.fill(shape, "float64", 22, "unit"))
    both(lambda lib, a: lib.linalg.qr(a, mode), a, ulps=ULPS)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, -1, -2, 1.5, "x"], ids=str)
def test_matrix_power(n):
    both(lambda lib, a: lib.linalg.matrix_power(a, n), SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.matrix_power(a, n), spec([[1, 1], [1, 0]]), ulps=ULPS)
    both(lambda lib, a: lib.linalg.matrix_power(a, n), SINGULAR, ulps=ULPS)


def test_eig_of_real_matrices_may_be_complex():
    both(lambda lib, a: lib.linalg.eig(a), spec([[0.0, -1.0], [1.0, 0.0]]), ulps=ULPS)
    both(lambda lib, a: lib.linalg.eig(a), SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.eigvals(a), spec([[0, -1], [1, 0]]), ulps=ULPS)


@pytest.mark.parametrize("uplo", ["L", "U", "l", "X", 1, None], ids=repr)
def test_triangle_of_eigh(uplo):
    both(lambda lib, a: lib.linalg.eigh(a, uplo), spec([[2.0, 9.0], [1.0, 3.0]]), ulps=ULPS)
    both(lambda lib, a: lib.linalg.eigvalsh(a, UPLO=uplo), spec([[2.0, 1j], [1.0, 3.0]]), ulps=ULPS)


def test_lstsq_and_other_solvers():
    a, b = spec([[1.0, 1], [1, 2], [1, 3]]), spec([1.0, 2, 2])
    for keywords in ({}, {"rcond": None}, {"rcond": 0.5}):
        both(lambda lib, a, b, k: lib.linalg.lstsq(a, b, **k), a, b, keywords, ulps=ULPS)
    both(lambda lib, a, b: lib.linalg.lstsq(a, b[:2]), a, b)
    both(lambda lib, a: lib.linalg.pinv(a), a, ulps=ULPS)
    both(lambda lib, a: lib.linalg.tensorinv(a, 1), SQUARE, ulps=ULPS)
    both(lambda lib, a: lib.linalg.tensorsolve(a, [1.0, 2.0]), SQUARE, ulps=ULPS)
    both(lambda lib, a, b: lib.linalg.multi_dot([b, a, a.T, b]), a, b, ulps=ULPS)
    both(lambda lib, a, b: lib.polyfit(a[:, 1], b, 1), a, b, ulps=4096)


@pytest.mark.parametrize("name", ["linalg.trace", "linalg.diagonal", "linalg.outer", "linalg.cross",
                                  "linalg.matmul", "linalg.vecdot", "linalg.tensordot",
                                  "linalg.vector_norm", "linalg.matrix_norm",
                                  "linalg.matrix_transpose"])  # fmt: skip
def test_functions_of_the_standard(name):
    a = spec(onp.arange(9.0).reshape(3, 3))
    count = 2 if name.split(".")[1] in ("outer", "cross", "matmul", "vecdot", "tensordot") else 1
    both(lambda lib, a: resolve(lib, name)(*[a] * count), a, ulps=16)
    both(lambda lib, a: resolve(lib, name)(*[a[0]] * count), a, ulps=16)


@given(data=st.data())
def test_trace_of_any_axes(data):
    a = data.draw(h.arrays(kind="small", shape=h.shapes(min_dims=2)))
    first = data.draw(h.axis_of(a.ndim))
    second = (first + 1) % a.ndim
    offset = data.draw(st.integers(-3, 3))
    both(lambda lib, a: lib.trace(a, offset, first, second), a, ulps=4)
    both(lambda lib, a: lib.diagonal(a, offset, first, second), a)


def test_eigenvalues_are_real_or_complex_as_the_host_has_it():
    always = ffi.get_global_func("isthmus.set_eigenvalues_are_complex")
    kind = np.linalg.eigvals(np.eye(2)).dtype.kind
    try:
        for given, wanted in ((True, "c"), (False, "f")):
            always(given)
            assert np.linalg.eigvals(np.eye(2)).dtype.kind == wanted
            assert {x.dtype.kind for x in np.linalg.eig(np.eye(2))} == {wanted}
            turn = np.array([[0.0, -1.0], [1.0, 0.0]])
            assert sorted(np.linalg.eigvals(turn).imag.tolist()) == [-1, 1]
    finally:
        always(kind == "c")
    h.assert_same(np.linalg.eigvals(np.eye(2)), onp.linalg.eigvals(onp.eye(2)))
