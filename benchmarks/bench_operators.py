# SPDX-License-Identifier: Apache-2.0
"""What one operator call costs on tiny arrays, with NumPy and with Isthmus, by family.

python benchmarks/bench_operators.py [--only sum] [--family reductions] [--json F] [--plot F]
"""

from __future__ import annotations

import numpy

import isthmus
import timing
from isthmus import np

# Statements over: a, b (2x2 float64), c (2x2, for results), i (2x2 int64), f (2x2 float32),
# m (2x2 bool), v (100 float64), t (2x3x4), s (2x2, symmetric positive definite), n (an int array of
# 3 valid rows for v), out1 (2 float64).
FAMILIES: dict[str, list[str]] = {
    "creation": [
        "np.zeros((2, 2))",
        "np.ones((2, 2))",
        "np.empty((2, 2))",
        "np.full((2, 2), 3.0)",
        "np.zeros(2, dtype='float32')",
        "np.zeros_like(a)",
        "np.arange(4)",
        "np.arange(0.0, 1.0, 0.25)",
        "np.linspace(0.0, 1.0, 4)",
        "np.eye(2)",
        "np.array([[1.0, 2.0], [3.0, 4.0]])",
        "np.array(a)",
        "np.asarray(a)",
        "a.copy()",
        "a.astype('float32')",
    ],
    "elementwise": [
        "a + b",
        "a * b",
        "a / b",
        "a - 1.0",
        "2 * a",
        "a ** 2",
        "-a",
        "abs(a)",
        "a > b",
        "a == 1",
        "m & m",
        "i + i",
        "i // 2",
        "i % 2",
        "i + a",
        "f * 2.0",
        "a + v[:2]",
        "np.add(a, b)",
        "np.add(a, b, out=c)",
        "np.multiply(a, 2.0, dtype='float64')",
        "np.exp(a)",
        "np.log(a)",
        "np.sqrt(a)",
        "np.sin(a)",
        "np.tanh(a)",
        "np.maximum(a, 0.0)",
        "np.isnan(a)",
        "np.where(m, a, b)",
        "np.clip(a, 0.0, 2.0)",
    ],
    "reductions": [
        "a.sum()",
        "a.sum(axis=0)",
        "np.sum(a, axis=1, keepdims=True)",
        "a.mean()",
        "a.mean(axis=0)",
        "a.max()",
        "a.min(axis=1)",
        "a.prod()",
        "a.std()",
        "a.var(axis=0)",
        "m.any()",
        "m.all(axis=0)",
        "a.argmax()",
        "a.argmin(axis=1)",
        "np.cumsum(a, axis=0)",
        "np.sum(a, axis=0, out=out1)",
    ],
    "indexing": [
        "a[1]",
        "a[1, 0]",
        "a[-1]",
        "a[:, 0]",
        "a[None]",
        "a[...]",
        "v[2:50]",
        "v[::-1]",
        "v[None, ..., 0:100:2]",
        "t[0, :, 1:3]",
        "a[m]",
        "v[n]",
        "v[[1, 2, 3]]",
        "c[0] = 1.0",
        "c[:, 1] = v[:2]",
        "c[m] = 0.0",
        "np.take(v, n)",
    ],
    "manipulation": [
        "a.reshape(4)",
        "a.reshape(-1, 1)",
        "np.reshape(a, (4,))",
        "a.T",
        "t.transpose(2, 0, 1)",
        "np.swapaxes(t, 0, 1)",
        "np.moveaxis(t, 0, -1)",
        "np.expand_dims(a, 0)",
        "np.squeeze(a[None])",
        "a.ravel()",
        "np.concatenate((a, b))",
        "np.concatenate((a, b), axis=1)",
        "np.stack((a, b))",
        "np.vstack((a, b))",
        "np.hstack((a, b))",
        "np.split(a, 2)",
        "np.broadcast_to(v[:2], (2, 2))",
        "np.tile(a, 2)",
        "np.repeat(a, 2)",
        "np.roll(a, 1)",
        "np.flip(a)",
        "np.sort(a)",
        "np.argsort(a)",
    ],
    "linalg": [
        "a @ b",
        "np.dot(a, b)",
        "a @ v[:2]",
        "np.matmul(a, b, out=c)",
        "np.outer(v[:2], v[:2])",
        "np.inner(a, b)",
        "np.trace(a)",
        "np.einsum('ij,jk->ik', a, b)",
        "np.tensordot(a, b, 1)",
        "np.linalg.norm(a)",
        "np.linalg.inv(s)",
        "np.linalg.det(s)",
        "np.linalg.solve(s, v[:2])",
        "np.linalg.cholesky(s)",
        "np.linalg.eigh(s)",
    ],
}


def operands() -> dict[str, numpy.ndarray]:
    """Return the arrays the statements use."""
    return {
        "a": numpy.array([[1.0, 2.0], [3.0, 4.0]]),
        "b": numpy.array([[2.0, 0.5], [1.0, 4.5]]),
        "c": numpy.zeros((2, 2)),
        "i": numpy.array([[1, 2], [3, 4]]),
        "f": numpy.array([[1, 2], [3, 4]], dtype=numpy.float32),
        "m": numpy.array([[True, False], [False, True]]),
        "v": numpy.arange(100.0),
        "t": numpy.arange(24.0).reshape(2, 3, 4),
        "s": numpy.array([[2.0, 0.5], [0.5, 1.0]]),
        "n": numpy.array([1, 5, 7]),
        "out1": numpy.zeros(2),
    }


def measure(statement: str, rounds: int) -> tuple[float, float]:
    """Return the nanoseconds of the statement with NumPy and with Isthmus (nan if it fails)."""
    host = operands()
    ours = {name: isthmus.from_numpy(a, zero_copy=False) for name, a in host.items()}
    return timing.pair(
        statement,
        timing.statement_timer(statement, {"np": numpy, **host}),
        timing.statement_timer(statement, {"np": np, **ours}),
        rounds=rounds,
        sample_seconds=1e-3,
    )


def main() -> None:
    parser = timing.parser(__doc__, plot=True)
    parser.add_argument("--family", choices=FAMILIES, help="run one family only")
    parser.add_argument("--rounds", type=int, default=15, help="alternated rounds for a statement")
    options = parser.parse_args()
    timing.print_environment()
    rows = []
    for family, statements in FAMILIES.items():
        if options.family not in (None, family):
            continue
        timing.note(f"{family}: {len(statements)} statements")
        for statement in statements:
            if options.only in statement:
                rows.append((family, statement, *measure(statement, options.rounds)))
    if not rows:
        parser.error(f"no statement contains {options.only!r}")
    timing.print_pairs(rows, what="2x2 arrays, best round")
    timing.write_json(options.json, "operators", timing.pair_rows(rows))
    timing.plot_pairs(options.plot, rows, "One operator call on 2x2 arrays")


if __name__ == "__main__":
    main()
