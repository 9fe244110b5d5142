# SPDX-License-Identifier: Apache-2.0
"""Whole programs of many small operators, with NumPy and with Isthmus.

Each takes the namespace `np`, makes its arrays from the same host data and returns one array, which
is compared with official NumPy's before anything is timed.

python benchmarks/bench_programs.py [--only kalman] [--json F] [--plot F]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy

import timing
from isthmus import np


def random(seed: int) -> numpy.random.RandomState:
    """Return a host generator whose stream never changes."""
    return numpy.random.RandomState(seed)


def pendulum_chain(np: ModuleType) -> Any:
    """Twenty coupled pendulums by the classical Runge-Kutta method."""
    count, step = 20, 0.01

    def slope(angle: Any, speed: Any) -> tuple[Any, Any]:
        pull = np.zeros(count)
        pull[1:] += angle[:-1] - angle[1:]
        pull[:-1] += angle[1:] - angle[:-1]
        return speed, -9.81 * np.sin(angle) + 4.0 * pull - 0.05 * speed

    angle, speed = np.linspace(-1.0, 1.0, count), np.zeros(count)
    for _ in range(100):
        a1, s1 = slope(angle, speed)
        a2, s2 = slope(angle + 0.5 * step * a1, speed + 0.5 * step * s1)
        a3, s3 = slope(angle + 0.5 * step * a2, speed + 0.5 * step * s2)
        a4, s4 = slope(angle + step * a3, speed + step * s3)
        angle = angle + step / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        speed = speed + step / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4)
    return angle


def n_body(np: ModuleType) -> Any:
    """Gravity between eight bodies by the leapfrog method, all pairs by broadcasting."""
    source = random(1)
    place = np.asarray(source.randn(8, 3))
    speed = np.asarray(source.randn(8, 3) * 0.1)
    mass = np.asarray(source.rand(8) + 0.5)

    def acceleration() -> Any:
        apart = place[None, :, :] - place[:, None, :]
        distance = (apart * apart).sum(axis=-1) + 0.01
        return (apart * (mass / (distance * np.sqrt(distance)))[:, :, None]).sum(axis=1)

    pull = acceleration()
    for _ in range(200):
        speed += 0.005 * pull
        place += 0.01 * speed
        pull = acceleration()
        speed += 0.005 * pull
    return place


def kalman(np: ModuleType) -> Any:
    """Track position and speed from noisy positions; a scalar measurement, no inverse needed."""
    measured = numpy.cumsum(random(2).randn(300)) + random(3).randn(300)
    move = np.array([[1.0, 1.0], [0.0, 1.0]])
    noise = np.array([[0.25, 0.5], [0.5, 1.0]]) * 0.1
    state, spread = np.zeros(2), np.eye(2) * 10.0
    track = []
    for value in measured:
        state = move @ state
        spread = move @ spread @ move.T + noise
        gain = spread[:, 0] / (spread[0, 0] + 1.0)
        state = state + gain * (float(value) - state[0])
        spread = spread - np.outer(gain, spread[0])
        track.append(state)
    return np.stack(track)


def logistic_newton(np: ModuleType) -> Any:
    """Logistic regression by Newton's method with a ridge."""
    source = random(4)
    host = source.randn(120, 6)
    x = np.asarray(host)
    y = np.asarray((host @ source.randn(6) + source.randn(120) > 0).astype(float))
    w = np.zeros(6)
    for _ in range(60):
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        weight = p * (1.0 - p)
        hessian = x.T @ (x * weight[:, None]) + 0.1 * np.eye(6)
        w = w + np.linalg.solve(hessian, x.T @ (y - p) - 0.1 * w)
    return w


def k_means(np: ModuleType) -> Any:
    """Lloyd's algorithm on two hundred points of the plane."""
    source = random(5)
    x = np.asarray(source.randn(200, 2) + source.randint(0, 5, 200)[:, None] * 2.0)
    centres = x[:5].copy()
    for _ in range(40):
        label = ((x[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        for k in range(5):
            member = x[label == k]
            if len(member):
                centres[k] = member.mean(axis=0)
    return centres


def conjugate_gradient(np: ModuleType) -> Any:
    """Solve a 30x30 positive definite system, several right sides in turn."""
    source = random(6)
    root = source.randn(30, 30)
    matrix, sides = (
        np.asarray(root @ root.T + 30.0 * numpy.eye(30)),
        np.asarray(source.randn(8, 30)),
    )
    solutions = []
    for side in sides:
        x, rest = np.zeros(30), side
        direction, square = rest, float(rest @ rest)
        for _ in range(40):
            image = matrix @ direction
            step = square / float(direction @ image)
            x = x + step * direction
            rest = rest - step * image
            new_square = float(rest @ rest)
            if new_square < 1e-20:
                break
            direction = rest + (new_square / square) * direction
            square = new_square
        solutions.append(x)
    return np.stack(solutions)


def viterbi(np: ModuleType) -> Any:
    """The likeliest path through a hidden Markov model of six states."""
    source = random(7)
    step = np.log(np.asarray(source.dirichlet(numpy.ones(6), size=6)))
    emit = np.log(np.asarray(source.dirichlet(numpy.ones(4), size=6)))
    seen = source.randint(0, 4, 250)
    score, back = emit[:, int(seen[0])], []
    for value in seen[1:]:
        ways = score[:, None] + step
        back.append(ways.argmax(axis=0))
        score = ways.max(axis=0) + emit[:, int(value)]
    path = [int(score.argmax())]
    for choice in reversed(back):
        path.append(int(choice[path[-1]]))
    return np.array(path[::-1])


def two_layer_network(np: ModuleType) -> Any:
    """Fit a small regression network by full-batch gradient descent with Adam."""
    source = random(8)
    x = np.asarray(numpy.linspace(-1.5, 2.0, 32)[:, None])
    y = np.sin(2.0 * x)
    weights = [source.randn(1, 12), numpy.zeros(12), source.randn(12, 1) * 0.3, numpy.zeros(1)]
    weights = [np.asarray(w) for w in weights]
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    for t in range(1, 151):
        hidden = np.tanh(x @ weights[0] + weights[1])
        error = (hidden @ weights[2] + weights[3] - y) * (2.0 / 32.0)
        inner = (error @ weights[2].T) * (1.0 - hidden * hidden)
        slopes = [x.T @ inner, inner.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
        for w, g, m, v in zip(weights, slopes, first, second):
            m *= 0.9
            m += 0.1 * g
            v *= 0.999
            v += 0.001 * g * g
            w -= 0.02 * (m / (1.0 - 0.9**t)) / (np.sqrt(v / (1.0 - 0.999**t)) + 1e-8)
    return np.concatenate([w.ravel() for w in weights])


def game_of_life(np: ModuleType) -> Any:
    """Conway's rules on a 16x16 torus."""
    board = np.asarray(random(9).rand(16, 16) < 0.35)
    for _ in range(60):
        alive = board.astype("int64")
        column = np.roll(alive, 1, axis=0) + alive + np.roll(alive, -1, axis=0)
        around = np.roll(column, 1, axis=1) + column + np.roll(column, -1, axis=1) - alive
        board = (around == 3) | (board & (around == 2))
    return board


def heat_equation(np: ModuleType) -> Any:
    """Explicit steps of diffusion on a 24x24 plate, by slices and in place."""
    plate = np.zeros((24, 24))
    plate[0, :] = 100.0
    for _ in range(300):
        inside = plate[1:-1, 1:-1]
        inside += 0.2 * (
            plate[2:, 1:-1] + plate[:-2, 1:-1] + plate[1:-1, 2:] + plate[1:-1, :-2] - 4.0 * inside
        )
    return plate


PROGRAMS: tuple[Callable[[ModuleType], Any], ...] = (
    pendulum_chain,
    n_body,
    kalman,
    logistic_newton,
    k_means,
    conjugate_gradient,
    viterbi,
    two_layer_network,
    game_of_life,
    heat_equation,
)


def difference(program: Callable[[ModuleType], Any]) -> float:
    """Return the largest difference between the two results; raise if it is more than rounding."""
    ours, expected = numpy.asarray(program(np)), program(numpy)
    found = float(abs(ours.astype(float) - expected).max())
    if ours.dtype != expected.dtype or ours.shape != expected.shape or found > 1e-6:
        raise AssertionError(
            f"{ours.dtype} {ours.shape} instead of {expected.dtype} {expected.shape}, "
            f"largest difference {found:.1e}"
        )
    return found


def main() -> None:
    parser = timing.parser(__doc__, plot=True)
    parser.add_argument("--rounds", type=int, default=9, help="alternated rounds for a program")
    options = parser.parse_args()
    timing.print_environment()
    rows = []
    differences = [0.0]
    for program in PROGRAMS:
        name = program.__name__
        if options.only not in name:
            continue
        timing.note(name)

        def ours(number: int, program: Callable[[ModuleType], Any] = program) -> float:
            return timing.call_timer(lambda: program(np))(number)

        def base(number: int, program: Callable[[ModuleType], Any] = program) -> float:
            return timing.call_timer(lambda: program(numpy))(number)

        settings = {"rounds": options.rounds, "sample_seconds": 0.02}
        try:
            differences.append(difference(program))
        except Exception as error:
            timing.note(f"{name}: {type(error).__name__}: {error}")
            times = (timing.alternate({"numpy": base}, **settings)["numpy"], math.nan)
        else:
            times = timing.pair(name, base, ours, **settings)
        rows.append(("", name, *times))
    if not rows:
        parser.error(f"no program's name contains {options.only!r}")
    timing.print_pairs(rows, what="whole programs, best round")
    print(f"largest difference from NumPy's results: {max(differences):.1e}")
    timing.write_json(options.json, "programs", timing.pair_rows(rows))
    timing.plot_pairs(options.plot, rows, "Whole programs of many small operators")


if __name__ == "__main__":
    main()
