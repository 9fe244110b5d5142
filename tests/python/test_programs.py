# SPDX-License-Identifier: Apache-2.0
"""Ordinary NumPy programs, unchanged, on both libraries."""

import numpy as onp
import pytest

import helpers as h
from helpers import both

DATA = h.ArraySpec(onp.random.default_rng(7).standard_normal((90, 5)).round(3))
LABELS = h.ArraySpec(onp.arange(90) % 3)


def k_means(np, data, labels):
    centres = data[:4].copy()
    for _ in range(10):
        distances = ((data[:, None, :] - centres[None]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        for k in range(len(centres)):
            members = data[nearest == k]
            if len(members):
                centres[k] = members.mean(axis=0)
    inertia = float(distances[np.arange(len(data)), nearest].sum())
    return centres, nearest, round(inertia, 6)


def softmax_regression(np, data, labels):
    n, d = data.shape
    w, b = np.zeros((d, 3)), np.zeros(3)
    target = np.eye(3)[labels]
    for _ in range(30):
        scores = data @ w + b
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(axis=1, keepdims=True)
        gradient = (p - target) / n
        w -= 0.5 * (data.T @ gradient)
        b -= 0.5 * gradient.sum(axis=0)
    loss = -np.log(p[np.arange(n), labels]).mean()
    accuracy = (p.argmax(axis=1) == labels).mean()
    return w, b, float(f"{loss:.6f}"), f"{accuracy:.3f}"


def principal_components(np, data, labels):
    centred = data - data.mean(axis=0)
    _, s, vt = np.linalg.svd(centred, full_matrices=False)
    covariance = centred.T @ centred / (len(data) - 1)
    values = np.linalg.eigvalsh(covariance)[::-1]
    return s, values, np.abs(vt[0]), np.cumsum(s**2) / np.sum(s**2)


def linear_regression(np, data, labels):
    x = np.column_stack([np.ones(len(data)), data[:, :-1]])
    y = data[:, -1]
    normal = np.linalg.solve(x.T @ x, x.T @ y)
    residual = y - x @ normal
    return normal, np.sqrt(np.mean(residual**2)), np.linalg.lstsq(x, y, rcond=None)[0]


def game_of_life(np, data, labels):
    board = (np.arange(144) * 7 % 5 < 2).reshape(12, 12)
    for _ in range(8):
        around = sum(
            np.roll(np.roll(board, i, 0), j, 1).astype(int)
            for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)
        )  # fmt: skip
        board = (around == 3) | (board & (around == 2))
    return board, board.sum(), np.argwhere(board)


def mandelbrot(np, data, labels):
    y, x = np.ogrid[-1.5:1.5:20j, -2:1:20j]
    c = x + 1j * y
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, dtype=int)
    for _ in range(20):
        alive = np.abs(z) <= 2
        z[alive] = z[alive] ** 2 + c[alive]
        counts[alive] += 1
    return counts


def sieve(np, data, labels):
    flags = np.ones(1000, dtype=bool)
    flags[:2] = False
    for i in range(2, 32):
        if flags[i]:
            flags[i * i :: i] = False
    primes = np.flatnonzero(flags)
    return primes, np.diff(primes).max(), np.bincount(np.diff(primes))


def shortest_paths(np, data, labels):
    d = np.abs(data[:5] * 10) + 1
    np.fill_diagonal(d, 0)
    for k in range(5):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return d


def nearest_neighbours(np, data, labels):
    squares = (data**2).sum(1)
    distances = squares[:, None] + squares[None] - 2 * data @ data.T
    order = np.argsort(distances, axis=1, kind="stable")[:, 1:6]
    votes = labels[order]
    counts = np.stack([(votes == k).sum(axis=1) for k in range(3)], axis=1)
    return counts.argmax(axis=1), (counts.argmax(axis=1) == labels).mean()


def moving_statistics(np, data, labels):
    x = np.cumsum(data[:, 0])
    padded = np.concatenate([np.full(4, x[0]), x])
    means = np.convolve(padded, np.ones(5) / 5, mode="valid")
    gains, losses = np.where(np.diff(x) > 0, np.diff(x), 0), np.clip(-np.diff(x), 0, None)
    return means, gains.mean() / (losses.mean() + 1e-9), np.percentile(x, [5, 50, 95])


def heat_equation(np, data, labels):
    grid = np.zeros((16, 16))
    grid[0, :] = 100
    grid[4:8, 4:8] = 50
    for _ in range(25):
        inner = grid[1:-1, 1:-1]
        grid[1:-1, 1:-1] = inner + 0.2 * (
            grid[2:, 1:-1] + grid[:-2, 1:-1] + grid[1:-1, 2:] + grid[1:-1, :-2] - 4 * inner
        )
    return grid, grid.max(axis=0), grid[1:-1].mean()


def group_by(np, data, labels):
    names, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros((len(names), data.shape[1]))
    np.add.at(sums, inverse, data)
    order = np.lexsort((data[:, 0], labels))
    return sums / counts[:, None], order, [float(data[labels == n, 1].max()) for n in names]


def report(np, data, labels):
    lines = []
    for name, column in zip("abcde", data.T):
        lines.append(f"{name}: {column.mean():8.4f} {column.std():.4f} {column.min():.3f}")
    summary = {"rows": len(data), "max": float(data.max()), "first": data[0].tolist()}
    return lines, str(data[:2, :3]), summary, int(labels.max()) + 1


PROGRAMS = (k_means, softmax_regression, principal_components, linear_regression, game_of_life,
            mandelbrot, sieve, shortest_paths, nearest_neighbours, moving_statistics,
            heat_equation, group_by, report)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("shared", [False, True], ids=["native", "shared"])
def test_program_gives_what_it_gives_on_numpy(program, shared):
    data = h.ArraySpec(DATA.memory, (), shared)
    labels = h.ArraySpec(LABELS.memory, (), shared)
    both(program, data, labels, ulps=4096)
