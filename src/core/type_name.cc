// core/type_name.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "core/type_name.h"

namespace isthmus {
namespace {

struct Row {
  std::string_view word, name;
};
// Words of tvm-ffi, for types of values and of parameters.
constexpr Row kNames[] = {
    {"void*", "c_void_p"},
    {"ffi.OpaquePtr", "c_void_p"},
    {"DataType", "dtype"},
    {"DLDataType", "dtype"},
    {"DLDevice", "Device"},
    {"DLTensor*", "ndarray"},
    {"TensorView", "ndarray"},
    {"Tensor", "ndarray"},
    {"ffi.Tensor", "ndarray"},
    {"const char*", "str"},
    {"std::string", "str"},
    {"ffi.SmallStr", "str"},
    {"ffi.String", "str"},
    {"TVMFFIByteArray*", "bytes"},
    {"ffi.SmallBytes", "bytes"},
    {"ffi.Bytes", "bytes"},
    {"ffi.Error", "Exception"},
    {"ffi.Function", "callable"},
    {"Function", "callable"},
    {"ffi.Shape", "tuple[int, ...]"},
    {"Shape", "tuple[int, ...]"},
    {"ffi.Array", "list"},
    {"ffi.List", "list"},
    {"ffi.Map", "dict"},
    {"ffi.Dict", "dict"},
    {"ffi.Module", "Module"},
    {"ffi.OpaquePyObject", "object"},
    {"ffi.Object", "object"},
    {"ffi.BigInt", "int"},
    {"isthmus.Slice", "slice"},
    {"isthmus.Ellipsis", "ellipsis"},
    {"isthmus.Range", "range"},
    {"isthmus.Complex", "complex"},
};
constexpr Row kContainers[] = {
    {"Array", "list"}, {"List", "list"}, {"Map", "dict"}, {"Dict", "dict"}, {"Tuple", "tuple"},
};

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// The parts between commas outside angle brackets, each translated, with `between` between them.
std::string parts(std::string_view list, std::string_view between) {
  std::string out;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size()) {
      depth += list[i] == '<' ? 1 : list[i] == '>' ? -1 : 0;
      if (list[i] != ',' || depth != 0) continue;
    }
    if (start != 0) out += between;
    out += type_name(trim(list.substr(start, i - start)));
    start = i + 1;
  }
  return out;
}

}  // namespace

std::string type_name(std::string_view word) {
  word = trim(word);
  for (const Row& row : kNames)
    if (row.word == word) return std::string(row.name);
  size_t open = word.find_first_of("<[");
  if (open == std::string_view::npos || (word.back() != '>' && word.back() != ']'))
    return std::string(word);
  std::string_view outer = word.substr(0, open);
  if (outer.starts_with("ffi.")) outer.remove_prefix(4);
  std::string_view inner = word.substr(open + 1, word.size() - open - 2);
  // "Array[index 1: str]" names the first item that does not fit.
  constexpr std::string_view kIndex = "index ";
  if (inner.starts_with(kIndex)) {
    size_t colon = inner.find(':');
    if (colon != std::string_view::npos) {
      std::string_view at = inner.substr(kIndex.size(), colon - kIndex.size());
      return "list with " + type_name(inner.substr(colon + 1)) + " at index " + std::string(at);
    }
  }
  if (outer == "Optional") return type_name(inner) + " | None";
  if (outer == "Variant") return parts(inner, " | ");
  for (const Row& row : kContainers)
    if (row.word == outer) return std::string(row.name) + "[" + parts(inner, ", ") + "]";
  return std::string(word);
}

std::string type_name(int32_t type_index) {
  switch (type_index) {
    case kTVMFFINone: return "None";
    case kTVMFFIInt: return "int";
    case kTVMFFIBool: return "bool";
    case kTVMFFIFloat: return "float";
    default: break;
  }
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  if (!info) return "object";
  return type_name(std::string_view(info->type_key.data, info->type_key.size));
}

}  // namespace isthmus
