# SPDX-License-Identifier: Apache-2.0
"""Large arrays, where memory and arithmetic decide and not the call: NumPy against Isthmus.

python benchmarks/bench_large.py [--only matmul] [--json F]
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy

import isthmus
import timing
from isthmus import np

SIZE = 10_000_000


def cases() -> dict[str, tuple[tuple[numpy.ndarray, ...], Callable[..., Any]]]:
    """Return for each case its NumPy operands and what is computed from np and them."""
    random = numpy.random.default_rng(0)
    a, b = random.random(SIZE), random.random(SIZE)
    rows = a.reshape(-1, 1000)
    square = random.random((1000, 1000))
    wide = random.random((3000, 3000))
    chosen = random.integers(0, SIZE, SIZE // 10)

    def binary(np: ModuleType, a: Any, b: Any) -> Any:
        return a + b

    return {
        "a + b, 10M": ((a, b), binary),
        "np.add(a, b, out=a), 10M": ((a.copy(), b), lambda np, a, b: np.add(a, b, out=a)),
        "a * 2 + b, 10M": ((a, b), lambda np, a, b: a * 2 + b),
        "a + b, 10M float32": ((a.astype("f4"), b.astype("f4")), binary),
        "a + b, (10000, 1000) + (1000,)": ((rows, b[:1000]), binary),
        "np.exp(a), 10M": ((a,), lambda np, a: np.exp(a)),
        "a > 0.5, 10M": ((a,), lambda np, a: a > 0.5),
        "a.sum(), 10M": ((a,), lambda np, a: a.sum()),
        "a.sum(axis=0), (10000, 1000)": ((rows,), lambda np, a: a.sum(axis=0)),
        "a.sum(axis=1), (10000, 1000)": ((rows,), lambda np, a: a.sum(axis=1)),
        "a.max(), 10M": ((a,), lambda np, a: a.max()),
        "a @ b, 1000x1000": ((square, square.T.copy()), lambda np, a, b: a @ b),
        "a.T.copy(), 3000x3000": ((wide,), lambda np, a: a.T.copy()),
        "a.copy(), 10M": ((a,), lambda np, a: a.copy()),
        "np.zeros(10M) + 1": ((), lambda np: np.zeros(SIZE) + 1),
        "a[index], 1M of 10M": ((a, chosen), lambda np, a, index: a[index]),
        "np.sort(a), 1M": ((a[: SIZE // 10].copy(),), lambda np, a: np.sort(a)),
    }


def main() -> None:
    parser = timing.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="alternated rounds for a case")
    options = parser.parse_args()
    timing.print_environment()
    rows = []
    for name, (host, compute) in cases().items():
        if options.only not in name:
            continue
        timing.note(name)
        ours = [isthmus.from_numpy(a) for a in host]
        times = timing.pair(
            name,
            timing.call_timer(lambda f=compute, a=host: f(numpy, *a)),
            timing.call_timer(lambda f=compute, a=ours: f(np, *a)),
            rounds=options.rounds,
            sample_seconds=0.01,
            summary=timing.median,
        )
        rows.append(("", name, *times))
    if not rows:
        parser.error(f"no case contains {options.only!r}")
    timing.print_pairs(rows, what="large arrays, median")
    timing.write_json(options.json, "large", timing.pair_rows(rows))


if __name__ == "__main__":
    main()
