# SPDX-License-Identifier: Apache-2.0
# The one development command. Every target sets up what it needs, in a virtual environment of its own,
# from Python >= 3.10, a C++20 compiler and make.
#   PYTHON=python3.12 make test    another interpreter (run `make clean` when changing it)
#   make test PYTEST_ARGS="-k add -x"
PYTHON ?= python3
PYTEST_ARGS ?=
SANITIZE ?=
WERROR ?=
FLAVOUR := $(if $(SANITIZE),$(SANITIZE),release)
VENV := $(if $(SANITIZE),.venv-$(SANITIZE),.venv)
BUILD_DIR := build/$(FLAVOUR)
PY := $(VENV)/bin/python
PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check
CXX_FOUND := $(shell command -v $(if $(filter default undefined,$(origin CXX)),c++ || command -v g++ || command -v clang++,$(CXX)) 2>/dev/null)

# The requirements of one list in pyproject.toml, so that they are written only there.
requirements = $(shell sed -n 's/^$(1) = \[\(.*\)\]$$/\1/p' pyproject.toml | sed 's/", "/" "/g')

# An editable install rebuilds only what changed: the build directory stays.
INSTALL = $(PIP_INSTALL) --no-deps --no-build-isolation --editable . -C build-dir=$(BUILD_DIR) \
  -C cmake.define.ISTHMUS_BUILD_TESTS=ON -C cmake.define.ISTHMUS_SANITIZE=$(SANITIZE) \
  -C cmake.define.ISTHMUS_WERROR=$(if $(WERROR),ON,OFF)

FILES = $(wildcard $(shell git ls-files --cached --others --exclude-standard))
CXX_FILES = $(filter %.cc %.h,$(FILES))

.PHONY: help build demo test test-cpp test-python languages lint format stubs asan tsan fuzz bench clean check-python check-compiler

help:
	@echo "make demo | test | lint | format | stubs | asan | tsan | fuzz | bench | build | clean   (see CONTRIBUTING.md)"

check-python:
	@command -v "$(PYTHON)" >/dev/null || { echo "make: no Python: '$(PYTHON)' was not found; set PYTHON" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; ok = v >= (3, 10) and sys.implementation.name == "cpython"; \
	ok or sys.exit("make: CPython 3.10 or newer is needed, but $(PYTHON) is %s %d.%d; set PYTHON" % (sys.implementation.name, v[0], v[1]))'

check-compiler: check-python
	@test -n "$(CXX_FOUND)" || { echo "make: no C++ compiler was found; install one (g++ 11 or newer) or set CXX" >&2; exit 1; }
	@$(PYTHON) -c 'import os, sysconfig; p = sysconfig.get_path("include"); \
	os.path.exists(os.path.join(p, "Python.h")) or exit("make: no Python.h in " + p + "; install the development package of Python")'

$(VENV)/.python: | check-python
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "make: '$(PYTHON) -m venv' failed; install the venv package of Python" >&2; exit 1; }
	@$(PIP_INSTALL) --upgrade "pip>=23.1"
	@touch $@

# One stamp for each list of requirements; a change of pyproject.toml installs it again.
$(VENV)/.requires: pyproject.toml | $(VENV)/.python
	@echo "installing the build requirements into $(VENV)"
	@$(PIP_INSTALL) $(call requirements,requires) cmake ninja
	@touch $@

$(VENV)/.%: pyproject.toml | $(VENV)/.python
	@echo "installing the $* requirements into $(VENV)"
	@$(PIP_INSTALL) $(call requirements,$*)
	@touch $@

build: check-compiler $(VENV)/.requires
	@echo "building into $(BUILD_DIR) (the first build takes minutes, later ones seconds)"
	@$(INSTALL)

demo: build $(VENV)/.demo
	$(PY) examples/digits.py

test: test-cpp test-python

test-cpp: build
	$(VENV)/bin/ctest --test-dir $(BUILD_DIR) --output-on-failure --no-tests=error

# One suite for both front ends.
test-python: build $(VENV)/.test
	ISTHMUS_FFI=native $(PY) -m pytest $(PYTEST_ARGS)
	ISTHMUS_FFI=ctypes $(PY) -m pytest $(PYTEST_ARGS)

# The examples in C, C++, LuaJIT and Ruby; part of test-python. Languages that are not there are skipped.
languages: build $(VENV)/.test
	$(PY) -m pytest -rs tests/python/test_languages.py

lint: check-python $(VENV)/.lint
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/basedpyright --pythonpath $(PY)
	$(PY) tools/check_style.py $(FILES)
	@echo "clang-format --dry-run (all .cc and .h files)"
	@$(if $(CXX_FILES),$(VENV)/bin/clang-format --dry-run --Werror $(CXX_FILES),true)

format: check-python $(VENV)/.lint
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(if $(CXX_FILES),$(VENV)/bin/clang-format -i $(CXX_FILES))

# The sanitizers have their own environment and build directory. The interpreter itself is not
# instrumented: the run-time library is preloaded (libstdc++ beside it, or its exceptions are not seen), and
# leaks, which CPython makes at exit, are looked for only in the C++ tests. The one-definition check is off
# since inline variables of tvm-ffi's headers live in both of our libraries.
# allocator_may_return_null: arrays too large for memory are part of the tests. --capture=sys: a report of the
# run-time library goes past Python and is lost with what pytest holds back. test_leaks.py measures resident
# memory, which says nothing while freed blocks are held in quarantine.
ASAN_PYTHON = detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1
LIBRARY = $(shell $(CXX_FOUND) -print-file-name=$(1))
asan:
	$(MAKE) SANITIZE=address build .venv-address/.test
	ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  .venv-address/bin/ctest --test-dir build/address --output-on-failure --no-tests=error
	ISTHMUS_FFI=native PYTHONMALLOC=malloc ASAN_OPTIONS=$(ASAN_PYTHON) \
	  UBSAN_OPTIONS=print_stacktrace=1 LD_PRELOAD="$(call LIBRARY,libasan.so) $(call LIBRARY,libstdc++.so)" \
	  .venv-address/bin/python -m pytest --capture=sys --ignore=tests/python/test_leaks.py $(PYTEST_ARGS)

# TSan needs a fixed address layout, hence setarch -R.
tsan:
	$(MAKE) SANITIZE=thread build .venv-thread/.test
	setarch -R .venv-thread/bin/ctest --test-dir build/thread --output-on-failure --no-tests=error
	ISTHMUS_FFI=native TSAN_OPTIONS=halt_on_error=1 LD_PRELOAD="$(call LIBRARY,libtsan.so) $(call LIBRARY,libstdc++.so)" \
	  setarch -R .venv-thread/bin/python -m pytest --capture=sys -k thread $(PYTEST_ARGS)

# Random input for a bounded time; what fails is kept in build/fuzz.
FUZZ_SECONDS ?= 300
fuzz: build $(VENV)/.fuzz
	@mkdir -p build/fuzz
	$(PY) tests/fuzz/fuzz_conversions.py -max_total_time=$(FUZZ_SECONDS) -max_len=600 -len_control=0 \
	  -timeout=30 -rss_limit_mb=4096 -verbosity=0 -artifact_prefix=build/fuzz/

# Type stubs, from the operators' schemas. They are checked in; a test fails when they are stale.
stubs: build
	$(PY) tools/make_stubs.py

bench: build $(VENV)/.bench
	$(PY) benchmarks/bench_operators.py
	$(PY) benchmarks/bench_ffi.py
	$(PY) benchmarks/bench_programs.py
	$(PY) benchmarks/bench_large.py
	$(PY) benchmarks/bench_memory.py
	$(PY) benchmarks/bench_import.py

clean:
	rm -rf build dist .venv .venv-address .venv-thread .pytest_cache .ruff_cache .hypothesis
