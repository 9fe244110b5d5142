# SPDX-License-Identifier: Apache-2.0
"""Learn 1,797 scanned digits twice, with NumPy and with Isthmus, from the same memory.

Two programs are run, both written as any NumPy user would write them, with the namespace as an
argument: k-means clustering and softmax regression by small mini-batches. The Isthmus run reads
the data where NumPy put it. Printed are the quality, how far the two runs agree, the times, and
what single operators cost on tiny arrays. That last table is also drawn to a PNG file.

    python examples/digits.py [--output digits_overheads.png]
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import matplotlib as mpl
import numpy as onp
from sklearn.datasets import load_digits

import isthmus
from isthmus import np as inp

Array = Any  # numpy.ndarray or isthmus.ndarray, as the namespace has it

CLASSES = 10
RESTARTS = 40
EPOCHS = 300
BATCH = 16
TRAIN = 1400

# The statements of the operator table, over a and b (2x2), c (2x2, for results), v (100 elements)
# and m (boolean, 2x2).
OPERATORS = [
    "np.zeros((2, 2))",
    "a + b",
    "a + 1.0",
    "np.add(a, b, out=c)",
    "a > b",
    "np.exp(a)",
    "np.where(m, a, b)",
    "a[1]",
    "v[None, ..., 0:100:2]",
    "a.reshape(4)",
    "a.sum(axis=0)",
    "a @ b",
    "np.concatenate((a, b))",
    "np.split(a, 2)",
    "np.einsum('ij,jk->ik', a, b)",
]


class Progress:
    """A progress line on stderr: rewritten in place on a terminal, a few plain lines elsewhere."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self.in_place = sys.stderr.isatty()

    def step(self) -> None:
        """Count one more part as done."""
        self.done += 1
        line = f"{self.what}: {self.done}/{self.total}"
        if self.in_place:
            end = "\n" if self.done == self.total else ""
            print(f"\r{line}", end=end, file=sys.stderr, flush=True)
        elif self.done == self.total or self.done * 4 % self.total < 4:
            print(line, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------- the two programs


def plus_plus_rows(x: onp.ndarray, seed: int) -> list[int]:
    """Choose k-means++ starting rows on the host, so that every namespace starts from the same."""
    random = onp.random.RandomState(seed)
    rows = [int(random.randint(len(x)))]
    nearest = ((x - x[rows[0]]) ** 2).sum(axis=1)
    while len(rows) < CLASSES:
        rows.append(int(random.choice(len(x), p=nearest / nearest.sum())))
        nearest = onp.minimum(nearest, ((x - x[rows[-1]]) ** 2).sum(axis=1))
    return rows


def kmeans(np: ModuleType, x: Array, rows: list[int]) -> tuple[Array, Array, float]:
    """Lloyd's algorithm from the given rows: the labels, the centres and the inertia."""
    centres = x[rows]
    squares = (x * x).sum(axis=1)
    labels = np.zeros(len(x), dtype=np.int64)
    for _ in range(100):
        distance = squares[:, None] - 2.0 * (x @ centres.T) + (centres * centres).sum(axis=1)
        new_labels = distance.argmin(axis=1)
        if (new_labels == labels).all():
            break
        labels = new_labels
        for k in range(CLASSES):
            member = labels == k
            if member.any():
                centres[k] = x[member].mean(axis=0)
    return labels, centres, float(distance.min(axis=1).sum())


def best_kmeans(
    np: ModuleType, x: Array, starts: list[list[int]], progress: Progress
) -> tuple[Array, Array, float]:
    """Run k-means from every start and keep the tightest clustering."""
    best = None
    for rows in starts:
        found = kmeans(np, x, rows)
        if best is None or found[2] < best[2]:
            best = found
        progress.step()
    assert best is not None
    return best


def purity(np: ModuleType, labels: Array, y: Array) -> float:
    """The fraction of samples whose digit is the commonest one of their cluster."""
    right = 0
    for k in range(CLASSES):
        digits = y[labels == k]
        right += max(int((digits == digit).sum()) for digit in range(CLASSES))
    return right / len(y)


def softmax_regression(np: ModuleType, x: Array, y: Array, progress: Progress) -> Array:
    """Mini-batch gradient descent with momentum: the weights, one column for each digit."""
    target = np.eye(CLASSES)[y]
    w = np.zeros((x.shape[1], CLASSES))
    velocity = np.zeros_like(w)
    for epoch in range(EPOCHS):
        rate = 0.1 / (1.0 + 0.01 * epoch)
        for start in range(0, len(x), BATCH):
            batch = x[start : start + BATCH]
            score = batch @ w
            score -= score.max(axis=1, keepdims=True)
            probability = np.exp(score)
            probability /= probability.sum(axis=1, keepdims=True)
            gradient = batch.T @ (probability - target[start : start + BATCH]) / len(batch)
            velocity *= 0.9
            velocity -= rate * (gradient + 1e-4 * w)
            w += velocity
        progress.step()
    return w


def accuracy(np: ModuleType, x: Array, y: Array, w: Array) -> float:
    """The fraction of the samples whose highest score is at their digit."""
    return float(((x @ w).argmax(axis=1) == y).mean())


@dataclass
class Result:
    """What one run of both programs gave, and the seconds each took."""

    labels: Array
    centres: Array
    purity: float
    kmeans_seconds: float
    weights: Array
    accuracy: float
    softmax_seconds: float


def run(np: ModuleType, name: str, x: Array, y: Array, starts: list[list[int]]) -> Result:
    """Run both programs with the namespace `np`; evaluation is outside the times."""
    progress = Progress(f"{name}, k-means restarts", RESTARTS)
    start = time.perf_counter()
    labels, centres, _ = best_kmeans(np, x, starts, progress)
    kmeans_seconds = time.perf_counter() - start

    progress = Progress(f"{name}, softmax epochs", EPOCHS)
    start = time.perf_counter()
    weights = softmax_regression(np, x[:TRAIN], y[:TRAIN], progress)
    onp.asarray(weights)  # waits, if work is still going on
    softmax_seconds = time.perf_counter() - start

    return Result(
        labels,
        centres,
        purity(np, labels, y),
        kmeans_seconds,
        weights,
        accuracy(np, x[TRAIN:], y[TRAIN:], weights),
        softmax_seconds,
    )


# ---------------------------------------------------------------------------- sharing and overheads


def share(x: onp.ndarray) -> Array:
    """Hand a NumPy array to Isthmus, and show that no byte was copied."""
    shared = isthmus.from_numpy(x)
    back = shared.asnumpy(shared=True)
    assert back.ctypes.data == x.ctypes.data
    kept = x[0, 0]
    x[0, 0] = 123.0  # written on NumPy's side
    assert float(shared[0, 0]) == 123.0  # seen on ours
    x[0, 0] = kept
    print(
        f"shared with NumPy: {x.nbytes:,} bytes at address {x.ctypes.data:#x}, "
        f"seen by Isthmus at {back.ctypes.data:#x}"
    )
    return shared


def best_nanoseconds(timers: list[Callable[[], Any]], rounds: int = 12) -> list[float]:
    """Time timers by turns, so that a disturbance meets all of them; the best round counts."""
    number = [max(1, int(1e-3 / max(timer(200) / 200, 1e-9))) for timer in timers]
    best = [math.inf] * len(timers)
    for _ in range(rounds):
        for i, timer in enumerate(timers):
            best[i] = min(best[i], timer(number[i]) / number[i] * 1e9)
    return best


def operator_table() -> list[tuple[str, float, float]]:
    """Time every statement of OPERATORS with both namespaces: (statement, NumPy ns, Isthmus ns)."""
    host = {
        "a": onp.array([[1.0, 2.0], [3.0, 4.0]]),
        "b": onp.array([[2.0, 0.5], [1.0, 4.5]]),
        "c": onp.zeros((2, 2)),
        "v": onp.arange(100.0),
        "m": onp.array([[True, False], [False, True]]),
    }
    ours = {name: isthmus.from_numpy(a, zero_copy=False) for name, a in host.items()}
    progress = Progress("operators", len(OPERATORS))
    rows = []
    for statement in OPERATORS:
        timers = [
            timeit.Timer(statement, globals={"np": np, **arrays}).timeit
            for np, arrays in ((onp, host), (inp, ours))
        ]
        numpy_ns, isthmus_ns = best_nanoseconds(timers)
        rows.append((statement, numpy_ns, isthmus_ns))
        progress.step()
    return rows


def print_table(rows: list[tuple[str, float, float]]) -> None:
    """Print the operators' times and their geometric mean."""
    print(
        f"\n{'operator on 2x2 arrays':<30} {'NumPy ns':>9} {'Isthmus ns':>11} {'NumPy/Isthmus':>14}"
    )
    for statement, numpy_ns, isthmus_ns in rows:
        print(
            f"{statement:<30} {numpy_ns:>9.0f} {isthmus_ns:>11.0f} {numpy_ns / isthmus_ns:>13.1f}x"
        )
    mean = math.exp(sum(math.log(n / i) for _, n, i in rows) / len(rows))
    print(f"{'geometric mean':<30} {'':>9} {'':>11} {mean:>13.1f}x")


def plot_table(rows: list[tuple[str, float, float]], output: str) -> None:
    """Draw the table as paired horizontal bars, the first row on top."""
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 7.5), layout="constrained")
    places = onp.arange(len(rows))[::-1]
    pairs = (("NumPy", 1, 0.2, "#4d77cf"), ("Isthmus", 2, -0.2, "#e2711d"))
    for name, column, shift, colour in pairs:
        values = [row[column] for row in rows]
        bars = axes.barh(places + shift, values, height=0.38, label=name, color=colour)
        axes.bar_label(bars, [f"{value:,.0f}" for value in values], padding=3, fontsize=8)
    axes.set_yticks(places, [row[0] for row in rows], family="monospace", fontsize=9)
    axes.set_xscale("log")
    largest = max(max(row[1:]) for row in rows)
    axes.set_xlim(10, largest * 2)  # a bar's length is its time over 10 ns
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.margins(y=0.01)
    axes.set_xlabel("nanoseconds for one call, 2x2 float64 arrays (log scale, shorter is better)")
    axes.set_title("What one operator call costs")
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    axes.legend(loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(output, dpi=130)
    pyplot.close(figure)


# ---------------------------------------------------------------------------- the report


def print_report(ours: Result, reference: Result) -> None:
    """Print the quality, the agreement with official NumPy and the times."""
    equal = float((onp.asarray(ours.labels) == reference.labels).mean())
    centres = float(abs(onp.asarray(ours.centres) - reference.centres).max())
    weights = float(abs(onp.asarray(ours.weights) - reference.weights).max())

    print(f"\n{'':<34} {'NumPy':>9} {'Isthmus':>9}   NumPy/Isthmus")
    print(f"{'k-means purity':<34} {reference.purity:>9.4f} {ours.purity:>9.4f}")
    print(f"{'softmax test accuracy':<34} {reference.accuracy:>9.4f} {ours.accuracy:>9.4f}")
    for what, slow, fast in (
        ("k-means", reference.kmeans_seconds, ours.kmeans_seconds),
        ("softmax", reference.softmax_seconds, ours.softmax_seconds),
    ):
        print(f"{what + ' seconds':<34} {slow:>9.3f} {fast:>9.3f}   {slow / fast:.2f}x")
    print(
        f"agreement: equal cluster labels {equal:.2%}, largest difference of "
        f"centres {centres:.1e}, of softmax weights {weights:.1e}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default="digits_overheads.png", help="file of the plot")
    output = parser.parse_args().output

    x, y = load_digits(return_X_y=True)
    order = onp.random.RandomState(0).permutation(len(x))
    x, y = onp.ascontiguousarray(x[order] / 16.0), onp.ascontiguousarray(y[order])
    starts = [plus_plus_rows(x, seed) for seed in range(RESTARTS)]
    print(f"{len(x):,} digits of {x.shape[1]} pixels; NumPy {onp.__version__}")

    shared_x, shared_y = share(x), isthmus.from_numpy(y)
    reference = run(onp, "NumPy", x, y, starts)
    ours = run(inp, "Isthmus", shared_x, shared_y, starts)
    print_report(ours, reference)

    rows = operator_table()
    print_table(rows)
    plot_table(rows, output)
    print(f"plot: {output}")


if __name__ == "__main__":
    main()
