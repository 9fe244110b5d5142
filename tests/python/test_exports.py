# SPDX-License-Identifier: Apache-2.0
"""The fixed surface: what libisthmus exports, and what it needs of others."""

import os
import struct
import sys
import sysconfig

import pytest

from isthmus import _loader

LIBRARY = _loader.find_core()
FOLDER = os.path.dirname(LIBRARY)

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or struct.calcsize("P") != 8,
    reason="reads 64-bit ELF files",
)

SYMBOLS, DYNAMIC = 11, 6  # types of sections
NEEDED = 1  # tag of an entry of the dynamic section


class Elf:
    """The sections of a 64-bit little-endian ELF file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        assert self.data[:6] == b"\x7fELF\x02\x01"
        (start,) = struct.unpack_from("<Q", self.data, 40)
        size, count = struct.unpack_from("<HH", self.data, 58)
        # type, offset, size, linked section
        self.sections = [
            struct.unpack_from("<4xI16xQQI", self.data, start + i * size) for i in range(count)
        ]

    def entries(self, kind, form):
        """Each entry of the section of that type, and the offset of the strings it names."""
        for section_kind, offset, size, link in self.sections:
            if section_kind == kind:
                part = self.data[offset : offset + size]
                strings = self.sections[link][1]
                for entry in struct.iter_unpack(form, part):
                    yield entry, strings

    def text(self, at):
        return self.data[at : self.data.index(b"\0", at)].decode()

    def exported(self):
        """Names of the dynamic symbols that are defined here and seen from outside."""
        names = set()
        for (name, info, _, section), strings in self.entries(SYMBOLS, "<IBBH16x"):
            if section != 0 and info >> 4 != 0:  # defined, not local
                names.add(self.text(strings + name))
        return names

    def needed(self):
        """File names of the libraries that the dynamic linker loads for this one."""
        return {
            self.text(strings + value)
            for (tag, value), strings in self.entries(DYNAMIC, "<QQ")
            if tag == NEEDED
        }


def test_libisthmus_exports_its_initialiser_alone():
    # Operators are found in the registry: none may add a symbol.
    assert Elf(LIBRARY).exported() == {"IsthmusInit"}


def test_the_extension_exports_its_initialiser():
    path = os.path.join(FOLDER, "_native" + sysconfig.get_config_var("EXT_SUFFIX"))
    exported = Elf(path).exported()
    assert "PyInit__native" in exported
    assert not [name for name in exported if "isthmus" in name.lower()]


def test_the_core_needs_no_python():
    needed = Elf(LIBRARY).needed()
    assert any(name.startswith("libtvm_ffi") for name in needed)
    assert not [name for name in needed if "python" in name.lower()]


def test_the_reader_sees_what_a_library_exports():
    # A reader that found nothing would make the tests above worth nothing.
    from isthmus import _loader

    assert {"TVMFFIFunctionCall", "TVMFFIObjectDecRef"} <= Elf(_loader.find_tvm_ffi()).exported()
