# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: fair timing of two or more candidates, tables, JSON and plots."""

from __future__ import annotations

import argparse
import json
import math
import platform
import statistics
import sys
import time
import timeit
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy


def statement_timer(statement: str, names: Mapping[str, Any]) -> Callable[[int], float]:
    """Return a function that runs `statement` n times and returns the seconds."""
    return timeit.Timer(statement, globals=dict(names)).timeit


def call_timer(function: Callable[[], Any]) -> Callable[[int], float]:
    """Return a function that calls `function` n times and returns the seconds, results finished."""

    def run(number: int) -> float:
        start = time.perf_counter()
        for _ in range(number):
            finish(function())
        return time.perf_counter() - start

    return run


def finish(result: Any) -> Any:
    """Wait for the work behind an array that may still be computed; return it."""
    wait = getattr(result, "wait_to_read", None)
    if wait is not None:
        wait()
    return result


def alternate(
    timers: Mapping[str, Callable[[int], float]],
    *,
    rounds: int = 15,
    sample_seconds: float = 2e-3,
    summary: Callable[[list[float]], float] = min,
) -> dict[str, float]:
    """Time the candidates by turns and return the nanoseconds of one call of each.

    By turns, because the machine's speed drifts: a disturbance then meets every candidate. The
    default summary is the best round, which is what the code costs when nothing disturbs it; use
    the median where memory traffic makes single rounds lucky.
    """
    numbers = {}
    for name, timer in timers.items():
        number = 1
        timer(number)  # warms up
        while (seconds := timer(number)) < sample_seconds / 4:
            number *= 4
        numbers[name] = max(1, round(number * sample_seconds / seconds))
    samples: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds):
        for name, timer in timers.items():
            samples[name].append(timer(numbers[name]) / numbers[name] * 1e9)
    return {name: summary(values) for name, values in samples.items()}


def pair(
    name: str,
    numpy_timer: Callable[[int], float],
    isthmus_timer: Callable[[int], float],
    **options: Any,
) -> tuple[float, float]:
    """Return the nanoseconds of both by `alternate`; nan for Isthmus if it raises (and a note)."""
    timers = {"numpy": numpy_timer, "isthmus": isthmus_timer}
    try:
        isthmus_timer(1)
    except Exception as error:
        note(f"{name}: {type(error).__name__}: {error}")
        del timers["isthmus"]
    found = alternate(timers, **options)
    return found["numpy"], found.get("isthmus", math.nan)


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean, or nan of nothing."""
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def human_time(nanoseconds: float) -> str:
    """Format a time with three digits and its unit."""
    for unit, scale in (("ns", 1.0), ("us", 1e3), ("ms", 1e6)):
        if nanoseconds < 1000 * scale:
            return f"{nanoseconds / scale:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def parser(description: str, *, plot: bool = False) -> argparse.ArgumentParser:
    """Return an argument parser with the options every benchmark has."""
    found = argparse.ArgumentParser(description=description.split("\n")[0])
    found.add_argument("--only", default="", help="run the cases whose name contains this")
    found.add_argument("--json", metavar="FILE", help="also write the figures as JSON")
    if plot:
        found.add_argument("--plot", metavar="FILE", help="also draw the figures as PNG")
    return found


def print_environment() -> None:
    """Print what the figures depend on."""
    print(
        f"Python {platform.python_version()}, NumPy {numpy.__version__}, "
        f"{platform.machine()}, {platform.system()}"
    )


def print_pairs(rows: Sequence[tuple[str, str, float, float]], *, what: str) -> None:
    """Print (group, case, NumPy ns, Isthmus ns) with ratios and their geometric means.

    A nan as the second time stands for a case that could not be run; it is printed as such and
    left out of the means.
    """
    width = max([len(row[1]) for row in rows] + [len(what)])
    print(f"{what:<{width}} {'NumPy':>10} {'Isthmus':>10} {'NumPy/Isthmus':>14}")
    ratios: dict[str, list[float]] = {}
    for group, case, base, ours in rows:
        if group not in ratios and group:
            print(f"-- {group}")
        found = ratios.setdefault(group, [])
        if math.isnan(ours):
            print(f"{case:<{width}} {human_time(base):>10} {'failed':>10}")
            continue
        found.append(base / ours)
        print(f"{case:<{width}} {human_time(base):>10} {human_time(ours):>10} {found[-1]:>13.2f}x")
    print("geometric means")
    if len(ratios) > 1:
        for group, found in ratios.items():
            print(f"{'  ' + group:<{width}} {'':>10} {'':>10} {geometric_mean(found):>13.2f}x")
    every = [ratio for found in ratios.values() for ratio in found]
    print(f"{'  all':<{width}} {'':>10} {'':>10} {geometric_mean(every):>13.2f}x")


def write_json(path: str | None, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the rows with the environment, if a path is given."""
    if path is None:
        return
    content = {
        "benchmark": name,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "machine": platform.machine(),
        "rows": list(rows),
    }
    Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def pair_rows(rows: Sequence[tuple[str, str, float, float]]) -> list[dict[str, Any]]:
    """Turn the rows of print_pairs into JSON rows (nan becomes null)."""
    return [
        {
            "group": group,
            "case": case,
            "numpy_ns": base,
            "isthmus_ns": None if math.isnan(ours) else ours,
        }
        for group, case, base, ours in rows
    ]


def plot_pairs(path: str | None, rows: Sequence[tuple[str, str, float, float]], title: str) -> None:
    """Draw the rows of print_pairs as paired horizontal bars, if a path is given."""
    found = {"NumPy": [row[2] for row in rows], "Isthmus": [row[3] for row in rows]}
    plot_bars(path, [row[1] for row in rows], found, title)


#: The colour of each candidate; Isthmus stands out.
COLOURS = {
    "Isthmus": "#e2711d",
    "NumPy": "#4d77cf",
    "Python": "#4d77cf",
    "tvm_ffi": "#7b6ba8",
    "Cython": "#8c8c8c",
    "pybind11": "#5a9e6f",
    "nanobind": "#a3c585",
}


def plot_bars(
    path: str | None, cases: Sequence[str], series: Mapping[str, Sequence[float]], title: str
) -> None:
    """Draw the nanoseconds of each candidate as horizontal bars by case, if a path is given.

    A nan is a case that the candidate does not have.
    """
    if path is None:
        return
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    height = 0.16 * (len(series) + 0.3) * len(cases)
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + height), layout="constrained")
    places = numpy.arange(len(cases))[::-1]
    step = 0.8 / len(series)
    for k, (name, values) in enumerate(series.items()):
        shift = 0.4 - step * (k + 0.5)
        axes.barh(places + shift, values, step * 0.95, label=name, color=COLOURS.get(name))
    axes.set_yticks(places, cases, family="monospace", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(left=10 if min(map(numpy.nanmin, series.values())) > 10 else None)
    axes.margins(y=0.005)
    axes.set_xlabel("nanoseconds (log scale, shorter is better)")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
    axes.legend(loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def note(text: str) -> None:
    """Print a progress line to stderr."""
    print(text, file=sys.stderr, flush=True)
