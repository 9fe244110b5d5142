# SPDX-License-Identifier: Apache-2.0
"""Libraries that users compile: loading them, and compiling C++ text into one."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from typing import Any

from isthmus import _loader, _native
from isthmus.ffi._object import Object, _function, bind_class


@bind_class(73)
class Module(Object):
    """A loaded library. Its functions, and the operators that it registered, are attributes."""

    __slots__ = ("__dict__",)

    def __init__(self, *args: Any) -> None:
        raise TypeError("modules are made by load_module() and load_inline()")

    @property
    def ops(self) -> dict[str, Any]:
        """The operators that loading the library registered, by name."""
        return dict(self.__dict__.get("_ops", {}))

    def get_function(self, name: str) -> Any:
        """The function that the library exports under the name; AttributeError if none."""
        function = _function("ffi.ModuleGetFunction")(self, name, False)
        if function is None:
            raise AttributeError(f"the module has no function named {name!r}")
        return function

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        for key, op in self.__dict__.get("_ops", {}).items():
            if name in (key, key.rsplit(".", 1)[-1]):
                return op
        value = self.get_function(name)
        self.__dict__[name] = value
        return value

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise KeyError(name) from error

    def __repr__(self) -> str:
        if not _native._object_address(self):
            return super().__repr__()
        return f"<isthmus module of kind {_function('ffi.ModuleGetKind')(self)!r}>"


#: Libraries that were loaded, with what they were then: time of change and size.
_loaded: dict[str, tuple[int, int]] = {}


def _version() -> tuple[int, int]:
    """Major and minor version of the loaded tvm-ffi."""
    numbers = (ctypes.c_uint32 * 3)()
    ctypes.CDLL(_loader.find_tvm_ffi()).TVMFFIGetVersion(numbers)
    return numbers[0], numbers[1]


def _function_names() -> list[str]:
    each = _function("ffi.FunctionListGlobalNamesFunctor")()
    return [each(i) for i in range(each(-1))]


def load_module(path: str | os.PathLike[str], *, trial: bool = True) -> Module:
    """Loads a shared library that was compiled against tvm-ffi.

    The functions that it exports (`TVM_FFI_DLL_EXPORT_TYPED_FUNC`) are attributes of the result;
    those that it registers globally appear in the registry, and its operators (`isthmus/op.h`) in
    `ops` of the result. The library stays loaded until the process ends.

    Parameters
    ----------
    path : str or path-like
        The library; its name ends in .so, .dylib or .dll.
    trial : bool
        Whether a process of its own loads it first, which takes some 0.1 s: a static initialiser
        that throws, or registers a name that is taken, ends the process that runs it.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    RuntimeError
        When it is no shared library for this machine and this version of tvm-ffi, has nothing to
        do with tvm-ffi, lacks a symbol, or its initialisers fail. The message says which.
    ValueError
        When the name ends otherwise, or an operator of it has a bad signature or a name that is
        taken. Its other operators are there then.
    """
    from isthmus.ffi import _library  # what it imports costs more time than all of Isthmus

    path = os.path.abspath(os.fsdecode(path))
    if "\0" in path:
        raise ValueError("the path of a library must not hold null characters")
    if not os.path.isfile(path):
        what = "a directory, not a library, is" if os.path.isdir(path) else "no library"
        raise FileNotFoundError(f"{what} at {path!r}")
    if not path.endswith((".so", ".dylib", ".dll")):
        raise ValueError(
            f"a library's name ends in .so, .dylib or .dll, not {os.path.basename(path)!r}"
        )
    status = os.stat(path)
    stamp = (status.st_mtime_ns, status.st_size)
    if _loaded.get(path) != stamp:
        _library.check_file(path, _version())
        if trial:
            tvm = _loader.find_tvm_ffi()
            _library.try_elsewhere(path, tvm, _loaded, _function_names())
    before = set(_function("isthmus.list_ops")())
    try:
        # Binds every symbol now: a missing one would end the process when it is called.
        ctypes.CDLL(path)
    except OSError as error:
        raise _library.failed(path, str(error).removeprefix(f"{path}: ")) from None
    _loaded[path] = stamp
    module = _function("ffi.ModuleLoadFromFile")(path)
    _function("isthmus.raise_deferred")()
    # Objects of its types may outlive every reference to it.
    _function("ffi.ModuleGlobalsAdd")(module)
    added = [name for name in _function("isthmus.list_ops")() if name not in before]
    module.__dict__["_ops"] = {name: _native.get_op(name) for name in added}
    return module


def include_dirs() -> list[str]:
    """Directories of the headers that a C++ source needs: Isthmus's and tvm-ffi's."""
    here = os.path.dirname(_loader.find_core())
    tvm = os.path.dirname(os.path.dirname(_loader.find_tvm_ffi()))
    return [os.path.join(here, "include"), os.path.join(tvm, "include")]


def cache_dir() -> str:
    """Where compiled sources are kept: $ISTHMUS_CACHE_DIR, or the user's cache directory."""
    default = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("ISTHMUS_CACHE_DIR") or os.path.join(default, "isthmus")


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str],
    functions: Mapping[str, str] | Sequence[str] | str | None = None,
    *,
    extra_cflags: Sequence[str] = (),
    extra_ldflags: Sequence[str] = (),
    extra_include_paths: Sequence[str] = (),
) -> Module:
    """Compiles C++ source text into a module and loads it.

    Parameters
    ----------
    name : str
        Name of the module: letters, digits and underscores.
    cpp_sources : str or sequence of str
        The sources. Headers of Isthmus and tvm-ffi are found without further flags.
    functions : str, sequence of str or mapping, optional
        C++ functions to export, as name or name to documentation. Sources that export or register
        for themselves need none.
    extra_cflags, extra_ldflags, extra_include_paths : sequence of str
        Handed to the compiler and the linker.

    Notes
    -----
    What was compiled is kept in `cache_dir()` and used again when nothing changed. Needs a C++
    compiler and the package ninja.

    Raises
    ------
    RuntimeError
        When the compiler fails, with what it printed.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"a module's name must be an identifier, got {name!r}")
    sources = [cpp_sources] if isinstance(cpp_sources, str) else list(cpp_sources)
    if not all(isinstance(source, str) for source in sources):
        raise TypeError("the sources of a module must be str")
    request = {
        "name": name,
        "cpp_sources": sources,
        "functions": functions
        if isinstance(functions, (str, Mapping)) or functions is None
        else list(functions),
        "extra_cflags": ["-O3", *extra_cflags],
        "extra_ldflags": list(extra_ldflags),
        "extra_include_paths": [include_dirs()[0], *extra_include_paths],
    }
    from isthmus.ffi import _build  # as above

    return load_module(_build.library(request, cache_dir()))
