-- A front end for LuaJIT: the C API of tvm-ffi through LuaJIT's own FFI. It names no operator: they are
-- looked up in the registry when they are used.
-- SPDX-License-Identifier: Apache-2.0
--
--   local np = require("isthmus").load(path_of_libisthmus)
--   np.sum(a, np.kw{axis = 0})      keywords stand last
--   np.linalg.inv(a)                dots as in Python
--
-- Whole Lua numbers cross as integers, others as floats; np.float(2) is a float. A table is a sequence,
-- nil is None, a Lua function may be called by any operator (on the thread of Lua only). Errors are tables
-- with `kind` and `message`.
local ffi = require("ffi")

ffi.cdef [[
typedef struct { uint64_t refs; int32_t type_index; uint32_t padding; void* deleter; } TVMFFIObject;
typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
typedef struct { const char* data; size_t size; } TVMFFIByteArray;
typedef struct {
  int32_t type_index;
  uint32_t small_len;
  union {
    int64_t v_int64; double v_float64; void* v_ptr; TVMFFIObject* v_obj; DLDataType v_dtype;
    char v_bytes[8];
  };
} TVMFFIAny;
typedef struct { TVMFFIObject header; TVMFFIByteArray bytes; } TVMFFIStr;
typedef struct { TVMFFIObject header; TVMFFIAny* data; int64_t size; } TVMFFISeq;
typedef struct { TVMFFIObject header; const int64_t* data; size_t size; } TVMFFIShape;
typedef struct { TVMFFIObject header; TVMFFIByteArray kind, message; } TVMFFIError;
typedef struct {
  TVMFFIObject header;
  void* data; int32_t device_type, device_id, ndim; DLDataType dtype;
  int64_t* shape; int64_t* strides; uint64_t byte_offset;
} TVMFFITensor;
typedef int (*TVMFFISafeCall)(void*, const TVMFFIAny*, int32_t, TVMFFIAny*);

const void* IsthmusInit(uint32_t);
int TVMFFIObjectDecRef(void*);
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray*, void**);
int TVMFFIFunctionCall(void*, TVMFFIAny*, int32_t, TVMFFIAny*);
int TVMFFIFunctionCreate(void*, TVMFFISafeCall, void (*)(void*), void**);
int TVMFFIAnyViewToOwnedAny(const TVMFFIAny*, TVMFFIAny*);
int TVMFFIStringFromByteArray(const TVMFFIByteArray*, TVMFFIAny*);
void TVMFFIErrorMoveFromRaised(void**);
void TVMFFIErrorSetRaisedFromCStr(const char*, const char*);
]]

local M = {}
local lib -- libisthmus; symbols of libtvm_ffi, which it is linked to, are found through it

-- Type indices of tvm-ffi (TVMFFITypeIndex in tvm/ffi/c_api.h).
local NONE, INT, BOOL, FLOAT, POINTER, SMALL_STR = 0, 1, 2, 3, 4, 11
local OBJECTS, STR, FUNCTION, SHAPE, TENSOR, ARRAY, MAP, LIST = 64, 65, 68, 69, 70, 71, 72, 75

local Error = {}
Error.__index = Error
function Error.__tostring(e) return e.kind .. ": " .. e.message end

local Object = {} -- a value of the FFI that Lua has no form of
Object.__index = Object
local Array = {} -- an array; its operators are the registry's
local Function = {}
local Keywords = {}
local Float = {}

local function text(bytes) return ffi.string(bytes.data, bytes.size) end

local function raise()
  local out = ffi.new("void*[1]")
  lib.TVMFFIErrorMoveFromRaised(out)
  if out[0] == nil then error(setmetatable({kind = "RuntimeError", message = "no error"}, Error), 0) end
  local cell = ffi.cast("TVMFFIError*", out[0])
  local e = setmetatable({kind = text(cell.kind), message = text(cell.message)}, Error)
  lib.TVMFFIObjectDecRef(out[0])
  error(e, 0)
end

-- Takes over the reference of an owned object.
local function own(pointer)
  return ffi.gc(ffi.cast("void*", pointer), lib.TVMFFIObjectDecRef)
end

local from_any

local function sequence(data, size)
  local list = {}
  for i = 0, tonumber(size) - 1 do
    -- A copy of its own: from_any takes what it is given.
    local item = ffi.new("TVMFFIAny")
    if lib.TVMFFIAnyViewToOwnedAny(data + i, item) ~= 0 then raise() end
    list[i + 1] = from_any(item)
  end
  return list
end

-- The Lua value of an owned Any.
function from_any(any)
  local t = any.type_index
  if t == NONE then return nil end
  if t == INT then
    local n = tonumber(any.v_int64)
    return math.abs(n) <= 2 ^ 53 and n or any.v_int64
  end
  if t == BOOL then return any.v_int64 ~= 0 end
  if t == FLOAT then return any.v_float64 end
  if t == POINTER then return any.v_ptr end
  if t == SMALL_STR then return ffi.string(any.v_bytes, any.small_len) end
  if t < OBJECTS then error("a value of type " .. t .. " has no form in Lua") end
  local object = own(any.v_obj)
  -- No tail calls below: they would give up the object while its memory is read.
  if t == STR then
    local value = text(ffi.cast("TVMFFIStr*", object).bytes)
    return value
  end
  if t == TENSOR then return setmetatable({object = object, type_index = t}, Array) end
  if t == FUNCTION then return setmetatable({object = object, type_index = t}, Function) end
  if t == ARRAY or t == LIST then
    local seq = ffi.cast("TVMFFISeq*", object)
    local list = sequence(seq.data, seq.size)
    return list
  end
  if t == SHAPE then
    local shape, list = ffi.cast("TVMFFIShape*", object), {}
    for i = 0, tonumber(shape.size) - 1 do list[i + 1] = tonumber(shape.data[i]) end
    return list
  end
  local value = setmetatable({object = object, type_index = t}, Object)
  if t ~= MAP then return value end
  local items, map = M.call_global("isthmus.map_items", value), {}
  for i = 1, #items, 2 do map[items[i]] = items[i + 1] end
  return map
end

-- Lua functions that the FFI holds, by the number that stands for each. Two C callbacks serve all of
-- them, since LuaJIT has few.
local functions, last = {}, 0
local invoke, forget

local function make_function(f)
  last = last + 1
  functions[last] = f
  local out = ffi.new("void*[1]")
  if lib.TVMFFIFunctionCreate(ffi.cast("void*", last), invoke, forget, out) ~= 0 then raise() end
  return own(out[0])
end

-- Writes a Lua value into an Any that borrows; `keep` holds what must live as long as the call.
local function to_any(value, any, keep)
  local kind = type(value)
  any.small_len, any.v_int64 = 0, 0
  if value == nil then
    any.type_index = NONE
  elseif kind == "boolean" then
    any.type_index, any.v_int64 = BOOL, value and 1 or 0
  elseif kind == "number" then
    if value % 1 == 0 and math.abs(value) < 2 ^ 63 then
      any.type_index, any.v_int64 = INT, value
    else
      any.type_index, any.v_float64 = FLOAT, value
    end
  elseif kind == "string" then
    local bytes = ffi.new("TVMFFIByteArray", {value, #value})
    if lib.TVMFFIStringFromByteArray(bytes, any) ~= 0 then raise() end
    if any.type_index >= OBJECTS then keep[#keep + 1] = own(any.v_obj) end
  elseif kind == "cdata" then
    if ffi.istype("int64_t", value) then
      any.type_index, any.v_int64 = INT, value
    else
      any.type_index, any.v_ptr = POINTER, ffi.cast("void*", value)
    end
  elseif kind == "function" then
    local object = make_function(value)
    keep[#keep + 1] = object
    any.type_index, any.v_obj = FUNCTION, ffi.cast("TVMFFIObject*", object)
  elseif getmetatable(value) == Float then
    any.type_index, any.v_float64 = FLOAT, value.value
  elseif value.object then
    any.type_index, any.v_obj = value.type_index, ffi.cast("TVMFFIObject*", value.object)
  elseif kind == "table" then
    local list = M.call_raw("ffi.Array", value, #value)
    keep[#keep + 1] = own(list.v_obj)
    any.type_index, any.v_obj = list.type_index, list.v_obj
  else
    error("a Lua " .. kind .. " cannot be passed to Isthmus")
  end
end

-- Calls a function object; the result is an owned Any.
local function call_object(object, args, n)
  local anys, result, keep = ffi.new("TVMFFIAny[?]", math.max(n, 1)), ffi.new("TVMFFIAny"), {}
  for i = 1, n do to_any(args[i], anys[i - 1], keep) end
  local code = lib.TVMFFIFunctionCall(object, anys, n, result)
  keep[1] = args -- alive until here
  if code ~= 0 then raise() end
  return result
end
-- A compiled call must not come back into Lua, and any call may.
jit.off(call_object, true)
jit.off(to_any, true)
jit.off(from_any, true)
jit.off(sequence, true)

local globals = {}
function M.call_raw(name, args, n)
  local object = globals[name]
  if not object then
    local out, bytes = ffi.new("void*[1]"), ffi.new("TVMFFIByteArray", {name, #name})
    if lib.TVMFFIFunctionGetGlobal(bytes, out) ~= 0 then raise() end
    if out[0] == nil then error("no function named " .. name .. " in the registry") end
    object = own(out[0])
    globals[name] = object
  end
  return call_object(object, args, n)
end

-- Calls a function of the registry by name.
function M.call_global(name, ...) return from_any(M.call_raw(name, {...}, select("#", ...))) end

function Function.__call(f, ...)
  return from_any(call_object(f.object, {...}, select("#", ...)))
end

-- What the FFI calls for every Lua function: `self` is its number.
local function invoke_lua(self, args, n, result)
  local f = functions[tonumber(ffi.cast("intptr_t", self))]
  local ok, value = pcall(function()
    local list = sequence(args, n)
    return f(unpack(list, 1, n))
  end)
  local keep = {}
  if ok then
    ok, value = pcall(function()
      local any = ffi.new("TVMFFIAny")
      to_any(value, any, keep)
      if lib.TVMFFIAnyViewToOwnedAny(any, result) ~= 0 then raise() end
    end)
  end
  if ok then return 0 end
  local is_ours = getmetatable(value) == Error
  lib.TVMFFIErrorSetRaisedFromCStr(is_ours and value.kind or "RuntimeError",
                                   is_ours and value.message or tostring(value))
  return -1
end

-- Operators ------------------------------------------------------------------------------------------

function M.kw(keywords) return setmetatable({keywords = keywords}, Keywords) end
function M.float(value) return setmetatable({value = value}, Float) end
function M.error(kind, message) error(setmetatable({kind = kind, message = message}, Error), 0) end

local function call_op(name, ...)
  local given, n = {...}, select("#", ...)
  local keywords = {}
  if n > 0 and getmetatable(given[n]) == Keywords then
    keywords, n = given[n].keywords, n - 1
  end
  local args = {name, n}
  for i = 1, n do args[i + 2] = given[i] end
  local count = n + 2
  for key, value in pairs(keywords) do
    args[count + 1], args[count + 2] = key, value
    count = count + 2
  end
  return from_any(M.call_raw("isthmus.call", args, count))
end

local function is_op(name)
  return (pcall(M.call_global, "isthmus.op_signature", name))
end

-- A table whose fields are the operators with that prefix, found when they are asked for.
local function namespace(prefix)
  return setmetatable({}, {__index = function(self, key)
    local name, value = prefix .. key, nil
    if is_op(name) then
      value = function(...) return call_op(name, ...) end
    else
      for _, op in ipairs(M.call_global("isthmus.list_ops")) do
        if op:sub(1, #name + 1) == name .. "." then value = namespace(name .. "."); break end
      end
      if not value then error("no operator named " .. name, 2) end
    end
    rawset(self, key, value)
    return value
  end})
end

-- The parameters of an operator, each {name=, type=, kind=, required=, default=}.
function M.parameters(name)
  local list = {}
  for i, p in ipairs(M.call_global("isthmus.op_parameters", name)) do
    list[i] = {name = p[1], type = p[2], kind = p[3], required = p[4], default = p[5]}
  end
  return list
end

-- An array over memory of Lua (a cdata pointer or array), which stays alive as long as the array.
function M.from_memory(data, shape, dtype)
  local function owner() return data end
  return M.call_global("isthmus.from_pointer", ffi.cast("void*", data), shape, dtype, nil, owner)
end

-- Arrays -----------------------------------------------------------------------------------------------

local c_types = {
  [0] = {[8] = "int8_t", [16] = "int16_t", [32] = "int32_t", [64] = "int64_t"},
  [1] = {[8] = "uint8_t", [16] = "uint16_t", [32] = "uint32_t", [64] = "uint64_t"},
  [2] = {[32] = "float", [64] = "double"},
  [6] = {[8] = "bool"},
}

local function tensor(a) return ffi.cast("TVMFFITensor*", a.object) end

local methods = {}

function methods.shape(a)
  local t, list = tensor(a), {}
  for i = 0, t.ndim - 1 do list[i + 1] = tonumber(t.shape[i]) end
  return list
end

-- Pointer to the first element; strides are `tensor(a).strides`, in elements.
function methods.data(a)
  local t = tensor(a)
  local c_type = (c_types[t.dtype.code] or {})[t.dtype.bits]
  if not c_type then error("Lua has no number of this array's dtype") end
  return ffi.cast(c_type .. "*", ffi.cast("char*", t.data) + t.byte_offset)
end

-- Nested tables of numbers; a number for an array of no dimensions.
function methods.tolist(a)
  local t, data = tensor(a), a:data() -- `a` keeps them
  local function level(axis, at)
    if axis == t.ndim then
      local value = data[at]
      return type(value) == "cdata" and tonumber(value) or value
    end
    local list = {}
    for i = 0, tonumber(t.shape[axis]) - 1 do
      list[i + 1] = level(axis + 1, at + i * tonumber(t.strides[axis]))
    end
    return list
  end
  local list = level(0, 0)
  return list
end

Array.__index = methods
for event, op in pairs {__add = "add", __sub = "subtract", __mul = "multiply", __div = "divide",
                        __pow = "power", __mod = "remainder", __unm = "negative"} do
  Array[event] = function(a, b)
    if event == "__unm" then return call_op(op, a) end
    return call_op(op, a, b)
  end
end

-- Loads libisthmus; returns the table of operators, with the functions above beside them.
function M.load(path)
  lib = ffi.load(path)
  invoke = ffi.cast("TVMFFISafeCall", invoke_lua)
  forget = ffi.cast("void (*)(void*)", function(self)
    functions[tonumber(ffi.cast("intptr_t", self))] = nil
  end)
  if lib.IsthmusInit(0) == nil then raise() end
  local np = namespace("")
  for _, name in ipairs {"kw", "float", "error", "parameters", "from_memory", "call_global"} do
    rawset(np, name, M[name])
  end
  return np
end

return M
