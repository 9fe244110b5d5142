-- Isthmus from LuaJIT, without Python in the process:
--   luajit main.lua "$(python -m isthmus.config --library)"
-- SPDX-License-Identifier: Apache-2.0
local folder = arg[0]:match("^(.*)/") or "."
package.path = folder .. "/?.lua;" .. package.path
local ffi = require("ffi")
local np = require("isthmus").load(arg[1])

local function show(value)
  if type(value) ~= "table" then return string.format("%g", value) end
  local parts = {}
  for i, item in ipairs(value) do parts[i] = show(item) end
  return "[" .. table.concat(parts, ", ") .. "]"
end

-- Create an array, add, sum, split.
local a = np.reshape(np.arange(6, np.kw{dtype = "float64"}), {2, 3})
print("a: " .. show(a:tolist()))
print("add: " .. show(np.add(a, 0.5):tolist()))
print("sum: " .. show(np.sum(a, np.kw{axis = 0}):tolist()))
local parts = {}
for i, part in ipairs(np.split(a, 3, np.kw{axis = 1})) do parts[i] = show(part:tolist()) end
print("split: " .. table.concat(parts, " "))

-- Handle an error.
local ok, err = pcall(np.reshape, a, {4})
print("error: " .. tostring(err.kind) .. (ok and "?" or ""))

-- Share memory: the array and the table of C doubles are one.
local memory = ffi.new("double[3]", 1, 2, 3)
local shared = np.from_memory(memory, {3}, "float64")
memory[0] = 10
np.multiply(shared, 2, np.kw{out = shared})
print(string.format("shared: %s %g", show(shared:tolist()), memory[2]))

-- Pass a callback: C++ calls it, and an operator may be made of one. It is there by name at once.
local calls = 0
np.call_global("isthmus.testing.repeat", function(step) calls = calls + step end, 4, 5)
print("callback: " .. calls)
np.call_global("isthmus.register_op", "example.axpy",
               "(x: Array, y: Array, alpha: float = 2.0) -> Array", "alpha * x + y",
               function(x, y, alpha) return x * alpha + y end)
print("operator: " .. show(np.example.axpy(shared, 1, np.kw{alpha = 0.5}):tolist()))
local names = {}
for i, p in ipairs(np.parameters("example.axpy")) do names[i] = p.name .. ":" .. p.type end
print("parameters: " .. table.concat(names, " "))

-- An error of the callback comes back as what it was.
local failed, reason = pcall(np.call_global, "isthmus.testing.repeat", function()
  np.error("KeyError", "from the host")
end, 1)
print("callback error: " .. tostring(reason) .. (failed and "?" or ""))
