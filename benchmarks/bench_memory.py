# SPDX-License-Identifier: Apache-2.0
"""Memory: what a live small array takes, and whether a million calls leave anything behind.

python benchmarks/bench_memory.py [--arrays 1000000] [--calls 1000000] [--json F]
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from types import ModuleType

import timing

# A case and the statement that it calls; over a, b (2x2) and x (a 2x2 array of official NumPy).
CALLS = {
    "np.zeros((2, 2))": "np.zeros((2, 2))",
    "a + b": "a + b",
    "a + 1.0": "a + 1.0",
    "np.exp(a)": "np.exp(a)",
    "a.sum(axis=0)": "a.sum(axis=0)",
    "a[1]": "a[1]",
    "a[[0, 1]]": "a[[0, 1]]",
    "a.reshape(4)": "a.reshape(4)",
    "np.concatenate((a, b))": "np.concatenate((a, b))",
    "np.split(a, 2)": "np.split(a, 2)",
    "a @ b": "a @ b",
    "np.array([[1.0, 2.0], [3.0, 4.0]])": "np.array([[1.0, 2.0], [3.0, 4.0]])",
    "float(a[0, 0])": "float(a[0, 0])",
    "a + wrong shape (error)": "try:\n    a + wrong\nexcept ValueError:\n    pass",
    "from_numpy(x).asnumpy(shared=True)": "from_numpy(x).asnumpy(shared=True)",
}
SHARING = "from_numpy(x).asnumpy(shared=True)"


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:  # not Linux: the peak is the best that is there
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def namespace(package: str) -> ModuleType:
    """Import NumPy or Isthmus's np."""
    if package == "numpy":
        import numpy

        return numpy
    from isthmus import np

    return np


def child_live(package: str, count: int) -> int:
    """Return the resident bytes that `count` live 2x2 arrays take, their list left out."""
    np = namespace(package)
    keep = [None] * count
    np.zeros((2, 2))
    gc.collect()
    before = resident_bytes()
    for i in range(count):
        keep[i] = np.zeros((2, 2))
    return resident_bytes() - before


def child_growth(package: str, statement: str, count: int) -> int:
    """Return by how many bytes `count` calls made the process grow, after a warm-up."""
    import numpy

    np = namespace(package)
    names = {
        "np": np,
        "a": np.array([[1.0, 2.0], [3.0, 4.0]]),
        "b": np.ones((2, 2)),
        "wrong": np.ones((3, 5)),
        "x": numpy.ones((2, 2)),
    }
    if package == "isthmus":
        from isthmus import from_numpy

        names["from_numpy"] = from_numpy
    run = timing.statement_timer(statement, names)
    run(max(1, count // 20))
    gc.collect()
    before = resident_bytes()
    run(count)
    gc.collect()
    return resident_bytes() - before


def measure(kind: str, package: str, count: int, statement: str = "") -> int:
    """Run one measurement in a fresh interpreter."""
    command = [sys.executable, __file__, "--child", kind, package, str(count), statement]
    return int(subprocess.check_output(command, text=True))


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        kind, package, count, statement = sys.argv[2:]
        if kind == "live":
            print(child_live(package, int(count)))
        else:
            print(child_growth(package, statement, int(count)))
        return

    parser = timing.parser(__doc__)
    parser.add_argument("--arrays", type=int, default=1_000_000, help="live arrays")
    parser.add_argument("--calls", type=int, default=1_000_000, help="calls of each statement")
    options = parser.parse_args()
    timing.print_environment()
    rows = []
    print(f"{options.arrays:,} live 2x2 float64 arrays")
    for package in ("numpy", "isthmus"):
        size = measure("live", package, options.arrays)
        print(f"  {package:<8} {size / 2**20:8.1f} MiB, {size / options.arrays:6.1f} bytes each")
        rows.append({"case": "live", "package": package, "bytes": size, "count": options.arrays})
    print(f"growth by {options.calls:,} calls {'NumPy':>28} {'Isthmus':>12}")
    for case, statement in CALLS.items():
        if options.only not in case:
            continue
        timing.note(case)
        cells = []
        for package in ("numpy", "isthmus"):
            if statement == SHARING and package == "numpy":
                cells.append("-")
                continue
            size = measure("growth", package, options.calls, statement)
            cells.append(f"{size / 1024:.0f} KiB")
            rows.append({"case": case, "package": package, "bytes": size, "count": options.calls})
        print(f"  {case:<38} {cells[0]:>12} {cells[1]:>12}")
    timing.write_json(options.json, "memory", rows)


if __name__ == "__main__":
    main()
