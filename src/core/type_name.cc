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
    std::string name = type_name(trim(list.substr(start, i - start)));
    start = i + 1;
    // Two types of C++ may be one of Python.
    if (between == " | " && out == name) continue;
    if (!out.empty()) out += between;
    out += name;
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
  // "Map[some key is int, V]", "Map[K, some value is str]"
  for (auto [mark, what] : {Row{"some key is ", " with a key that is "},
                            Row{"K, some value is ", " with a value that is "}}) {
    if (!inner.starts_with(mark)) continue;
    inner.remove_prefix(mark.size());
    if (inner.ends_with(", V")) inner.remove_suffix(3);
    return "dict" + std::string(what) + type_name(inner);
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

namespace {

// Takes what stands before `mark` off the text; false, and nothing taken, when there is none.
bool take(std::string_view* text, std::string_view mark, std::string_view* before) {
  size_t at = text->find(mark);
  if (at == std::string_view::npos) return false;
  *before = text->substr(0, at);
  text->remove_prefix(at + mark.size());
  return true;
}

}  // namespace

std::string plain_message(std::string_view message, std::string_view function,
                          std::span<const std::string> names) {
  constexpr std::string_view kType = "Mismatched type on argument #",
                             kCount = "Mismatched number of arguments";
  const bool type = message.starts_with(kType);
  std::string_view rest = message, index, signature, expected, got;
  // "Cannot convert from type `int` to `ffi.Function`"; "Cannot treat `int` as type `ffi.Function`"
  for (std::string_view between : {"` to `", "` as type `"}) {
    if (!message.starts_with("Cannot ") || !take(&rest, "`", &index) ||
        !take(&rest, between, &got) || !rest.ends_with('`')) {
      rest = message;
      continue;
    }
    rest.remove_suffix(1);
    return "expected " + type_name(rest) + ", not " + type_name(got);
  }
  if (!type && !message.starts_with(kCount)) return std::string(message);
  rest.remove_prefix(type ? kType.size() : kCount.size());
  if (!take(&rest, " when calling: `", &index) || !take(&rest, "`. Expected ", &signature) ||
      !take(&rest, " but got ", &expected))
    return std::string(message);
  got = rest;
  std::string_view name = signature.substr(0, signature.find('('));
  std::string out(name.empty() ? "a function" : name);
  if (!name.empty()) out += "()";
  if (!type) {
    got = got.substr(0, got.find(' '));
    return out + " takes " + std::string(expected) +
           (expected == "1" ? " argument (" : " arguments (") + std::string(got) + " given)";
  }
  size_t position = 0;
  for (char c : index) {
    if (c < '0' || c > '9' || position > 1000) return std::string(message);
    position = position * 10 + static_cast<size_t>(c - '0');
  }
  out += " argument " + std::to_string(position + 1);
  if (name == function && position < names.size()) out += " ('" + names[position] + "')";
  auto unquoted = [](std::string_view s) {
    if (s.size() >= 2 && s.front() == '`' && s.back() == '`') s = s.substr(1, s.size() - 2);
    return type_name(s);
  };
  return out + " must be " + unquoted(expected) + ", not " + unquoted(got);
}

}  // namespace isthmus
