# SPDX-License-Identifier: Apache-2.0
"""What `import isthmus` costs in a fresh interpreter, beside NumPy.

python benchmarks/bench_import.py [--runs 15] [--json F]
"""

from __future__ import annotations

import subprocess
import sys

import timing

# "after numpy" is what a program that already uses NumPy pays in addition.
CASES = {
    "import numpy": ("pass", "import numpy"),
    "from isthmus import np": ("pass", "from isthmus import np"),
    "from isthmus import np, after numpy": ("import numpy", "from isthmus import np"),
}

CHILD = """\
import time
{before}
start = time.perf_counter_ns()
{statement}
print(time.perf_counter_ns() - start)
"""


def import_nanoseconds(before: str, statement: str) -> int:
    """Time one import in a fresh interpreter."""
    code = CHILD.format(before=before, statement=statement)
    return int(subprocess.check_output([sys.executable, "-c", code], text=True))


def main() -> None:
    parser = timing.parser(__doc__)
    parser.add_argument("--runs", type=int, default=15, help="interpreters started for a case")
    options = parser.parse_args()
    timing.print_environment()
    chosen = {name: case for name, case in CASES.items() if options.only in name}
    samples: dict[str, list[int]] = {name: [] for name in chosen}
    for run in range(options.runs + 1):
        for name, case in chosen.items():
            nanoseconds = import_nanoseconds(*case)
            if run > 0:  # the first one reads files from disk and writes bytecode
                samples[name].append(nanoseconds)
    rows = []
    print(f"{'fresh interpreter, median of ' + str(options.runs):<38} {'time':>10}")
    for name, values in samples.items():
        rows.append({"case": name, "median_ns": timing.median(values)})
        print(f"{name:<38} {timing.human_time(rows[-1]['median_ns']):>10}")
    timing.write_json(options.json, "import", rows)


if __name__ == "__main__":
    main()
