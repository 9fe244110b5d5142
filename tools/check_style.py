# SPDX-License-Identifier: Apache-2.0
"""Checks no linter makes: a licence line in each source file, files that stay short, one version.

python tools/check_style.py FILE...
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MAX_LINES = 800  # a longer file holds more than one topic: split it
SUFFIXES = {".py", ".cc", ".h", ".cmake"}
NAMES = {"CMakeLists.txt", "Makefile", "pyproject.toml"}
ROOT = Path(__file__).resolve().parent.parent


def file_complaints(path: Path) -> list[str]:
    """Return what is wrong with one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:8]):
        found.append(f"{path}: no SPDX licence line at the top")
    if len(lines) > MAX_LINES:
        found.append(f"{path}: {len(lines)} lines, more than {MAX_LINES}")
    return found


def version_complaints() -> list[str]:
    """Return what is wrong if the package and pyproject.toml name different versions."""
    project = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    source = ROOT / "python" / "isthmus" / "__init__.py"
    package = source.exists() and re.search(r'^__version__ = "(.+)"$', source.read_text(), re.M)
    if project and package and project[1] != package[1]:
        return [f"{source}: version {package[1]}, but pyproject.toml has {project[1]}"]
    return []


def main() -> int:
    """Print the complaints; the exit code says whether there are any."""
    paths = [Path(name) for name in sys.argv[1:]]
    chosen = [path for path in paths if path.suffix in SUFFIXES or path.name in NAMES]
    complaints = version_complaints()
    for path in chosen:
        if path.exists():  # a deleted file may still be listed
            complaints += file_complaints(path)
    print("\n".join(complaints) or f"{len(chosen)} files checked")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
