# SPDX-License-Identifier: Apache-2.0
"""The examples in other languages: each runs without Python in its process and prints the same."""

import os
import shutil
import subprocess

import pytest

from isthmus import config

FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "languages")
EXPECTED = """\
a: [[0, 1, 2], [3, 4, 5]]
add: [[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]
sum: [3, 5, 7]
split: [[0], [3]] [[1], [4]] [[2], [5]]
error: ValueError
shared: [20, 4, 6] 6
callback: 20
operator: [11, 3, 4]
parameters: x:Array y:Array alpha:float
callback error: KeyError: from the host
"""

# Uses operators and functions that no example names, which is all that a front end knows of them.
LUA = """
package.path = arg[2] .. "/lua/?.lua;" .. package.path
local np = require("isthmus").load(arg[1])
for _, name in ipairs(np.call_global("isthmus.list_ops")) do
  local at = np
  for part in name:gmatch("[^.]+") do at = at[part] end
  assert(type(at) == "function", name)
end
print(np.linalg.det({{2, 0}, {0, 3}}):tolist(), np.einsum("ij->", np.ones({2, 2})):tolist())
print(np.call_global("isthmus.testing.echo", "\\0 longer than seven"):byte(1, 2))
print((select(2, pcall(function() return np.no_such_operator end)):match("no operator.*")))
print(tostring(select(2, pcall(np.sum, "text"))))
local function fail() error("plain", 0) end
print(select(2, pcall(np.call_global, "isthmus.testing.repeat", fail, 1)))
local held = {}
for i = 1, 5000 do
  held[i % 10] = np.arange(3) + i
  np.call_global("isthmus.testing.repeat", function(x) return x end, 1, held[i % 10])
end
print(held[0]:tolist()[3], #np.parameters("sum"))
"""
LUA_EXPECTED = """\
6\t4
0\t32
no operator named no_such_operator
TypeError: sum(): argument 1 ('a') must be an array or a number, got str
RuntimeError: plain
5002\t7
"""
RUBY = """
require_relative "#{ARGV[1]}/ruby/isthmus"
np = Isthmus.load(ARGV[0])
names = Isthmus.global("isthmus.list_ops")
puts names.all? { |name| Isthmus.op?(name) } && names.size > 250
puts np.linalg.det([[2, 0], [0, 3]]).to_a, (2 ** np.arange(3)).to_a.inspect
puts Isthmus.global("isthmus.testing.echo", "\\0 longer than seven").bytesize
[-> { np.no_such_operator }, -> { np.sum("text") }, -> { np.add(2**70, 1) },
 -> { np.add(Object.new, 1) }, -> { np.sum(1, axes: 2) },
 -> { Isthmus.global("isthmus.testing.repeat", proc { raise "plain" }, 1) }].each do |f|
  f.call
rescue Isthmus::Error => e
  puts "#{e.kind}: #{e.message}"
end
held = nil
1000.times do |i|
  held = np.arange(3) + i
  Isthmus.global("isthmus.testing.repeat", proc { |x| x }, 1, held)
end
puts held.sum.to_a, held.shape.inspect
"""
RUBY_EXPECTED = """\
true
6.0
[1, 2, 4]
19
AttributeError: no operator named no_such_operator
TypeError: sum(): argument 1 ('a') must be an array or a number, got str
OverflowError: 1180591620717411303424 does not fit into 64 bits
TypeError: a Object cannot be passed to Isthmus
TypeError: sum() got an unexpected keyword argument 'axes'
RuntimeError: plain
3000
[3]
"""


def run(*command):
    """What the command prints; the test fails with its errors when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def found(program):
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed")
    return path


@pytest.mark.parametrize(
    ("compiler", "source"),
    [(os.environ.get("CC", "cc"), "c/main.c"), (os.environ.get("CXX", "c++"), "cpp/main.cc")],
    ids=["c", "cpp"],
)
def test_compiled_programs(compiler, source, tmp_path):
    standard = "-std=c11" if source.endswith(".c") else "-std=c++17"
    program = str(tmp_path / "main")
    flags = ["-Wall", "-Wextra", "-Werror", *config.cflags(), *config.libs()]
    words = compiler.split()
    run(found(words[0]), *words[1:], standard, os.path.join(FOLDER, source), *flags, "-o", program)
    assert run(program) == EXPECTED


@pytest.mark.parametrize(
    ("interpreter", "source"), [("luajit", "lua/main.lua"), ("ruby", "ruby/main.rb")]
)
def test_scripts(interpreter, source):
    assert run(found(interpreter), os.path.join(FOLDER, source), config.library()) == EXPECTED


@pytest.mark.parametrize(
    ("interpreter", "text", "expected"),
    [("luajit", LUA, LUA_EXPECTED), ("ruby", RUBY, RUBY_EXPECTED)],
    ids=["luajit", "ruby"],
)
def test_front_ends_know_every_operator(interpreter, text, expected, tmp_path):
    script = tmp_path / "script"
    script.write_text(text)
    folder = os.path.abspath(FOLDER)
    printed = run(found(interpreter), str(script), config.library(), folder)
    assert printed == expected
