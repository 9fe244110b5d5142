// ops/schema.cc: parses operator signatures.
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstring>

#include "ops/op.h"

namespace isthmus {
namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// Position of `c` outside brackets and quotes, or npos.
size_t find_top(std::string_view s, char c) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    char x = s[i];
    if (quote) {
      if (x == quote) quote = 0;
    } else if (x == '\'' || x == '"') {
      quote = x;
    } else if (depth == 0 && x == c) {
      return i;
    } else if (x == '(' || x == '[') {
      ++depth;
    } else if (x == ')' || x == ']') {
      --depth;
    }
  }
  return std::string_view::npos;
}

// The word of a type in a signature, for each kind of parameter.
struct Row {
  std::string_view name;
  ParamKind kind;
};
constexpr Row kRows[] = {
    {"Array", ParamKind::kArray}, {"Array?", ParamKind::kOptArray}, {"Arrays", ParamKind::kArrays},
    {"Shape", ParamKind::kShape}, {"Axes", ParamKind::kAxes},       {"DType", ParamKind::kDType},
    {"bool", ParamKind::kBool},   {"int", ParamKind::kInt},         {"int?", ParamKind::kOptInt},
    {"float", ParamKind::kFloat}, {"str", ParamKind::kStr},         {"str?", ParamKind::kOptStr},
    {"Out", ParamKind::kOut},     {"Any", ParamKind::kAny},
};

ParamKind kind_of(std::string_view type, std::string_view signature) {
  for (const Row& r : kRows)
    if (r.name == type) return r.kind;
  fail_value("schema ", signature, ": unknown type '", type, "'");
}

// The tuple of integers that a default such as (0, 1) stands for. It lives for ever.
struct ConstantShape {
  TVMFFIObject header{};
  TVMFFIShapeCell cell{};
  int64_t dims[8];
};
TVMFFIObject* constant_shape(std::string_view text) {
  auto* s = new ConstantShape;
  s->header.type_index = kTVMFFIShape;
  s->header.combined_ref_count = kSoleReference;
  s->cell.data = s->dims;
  for (const char *at = text.data(), *end = at + text.size(); at < end && s->cell.size < 8; ++at) {
    if ((*at < '0' || *at > '9') && *at != '-') continue;
    at = std::from_chars(at, end, s->dims[s->cell.size++]).ptr;
  }
  return &s->header;
}

// Whether a default of that type is what a parameter of that kind promises to an operator's body.
bool default_fits(ParamKind kind, int32_t type) {
  switch (kind) {
    case ParamKind::kOptArray:
      if (type == kTVMFFINone) return true;
      [[fallthrough]];
    case ParamKind::kArray:
      return type == kTVMFFIInt || type == kTVMFFIFloat || type == kTVMFFIBool;
    case ParamKind::kOut:
    case ParamKind::kDType: return type == kTVMFFINone;
    case ParamKind::kArrays: return false;
    case ParamKind::kShape: return type == kTVMFFIShape;
    case ParamKind::kAxes: return type == kTVMFFINone || type == kTVMFFIShape;
    case ParamKind::kBool: return type == kTVMFFIBool;
    case ParamKind::kInt: return type == kTVMFFIInt;
    case ParamKind::kOptInt: return type == kTVMFFIInt || type == kTVMFFINone;
    case ParamKind::kFloat: return type == kTVMFFIFloat;
    case ParamKind::kStr: return type == kTVMFFIRawStr;
    case ParamKind::kOptStr: return type == kTVMFFIRawStr || type == kTVMFFINone;
    case ParamKind::kAny: return true;
  }
  return false;
}

template <class T>
bool parse_number(std::string_view text, T* out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

void set_default(Param* p, std::string_view text, std::string_view signature) {
  p->default_text = text;
  TVMFFIAny& v = p->default_value;
  bool ok = !text.empty();
  if (text == "None") {
    v.type_index = kTVMFFINone;
  } else if (text == "True" || text == "False") {
    v.type_index = kTVMFFIBool;
    v.v_int64 = text == "True";
  } else if (text.starts_with('\'')) {
    ok = text.size() >= 2 && text.ends_with('\'');
    v.type_index =
        kTVMFFIRawStr;  // v_c_str is set once the Param has its final place (see call sites)
  } else if (text.starts_with('(')) {
    v.type_index = kTVMFFIShape;
    v.v_obj = constant_shape(text);
  } else if (text.find_first_of(".e") != std::string_view::npos) {
    v.type_index = kTVMFFIFloat;
    ok = parse_number(text, &v.v_float64);
  } else {
    v.type_index = kTVMFFIInt;
    ok = parse_number(text, &v.v_int64);
    if (p->kind == ParamKind::kFloat) {
      v.v_float64 = static_cast<double>(v.v_int64);
      v.type_index = kTVMFFIFloat;
    }
  }
  if (!ok) fail_value("schema ", signature, ": bad default '", text, "' of '", p->name, "'");
  if (!default_fits(p->kind, v.type_index))
    fail_value("schema ", signature, ": '", p->name, "' cannot have the default ", text);
}

}  // namespace

std::string param_type(ParamKind kind) {
  for (const Row& r : kRows)
    if (r.kind == kind) return std::string(r.name);
  return "Any";
}

Schema parse_schema(std::string_view signature) {
  Schema s;
  size_t close = signature.rfind(')');
  size_t arrow = signature.find("->", close == std::string_view::npos ? 0 : close);
  if (signature.empty() || signature.front() != '(' || close == std::string_view::npos)
    fail_value("schema ", signature, ": expected '(...)'");
  s.returns = arrow == std::string_view::npos ? "Array" : trim(signature.substr(arrow + 2));
  s.returns_list = s.returns.rfind("list", 0) == 0;
  std::string_view rest = signature.substr(1, close - 1);
  bool keyword_only = false;
  while (!(rest = trim(rest)).empty()) {
    size_t comma = find_top(rest, ',');
    std::string_view item = trim(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (item.empty()) fail_value("schema ", signature, ": an empty parameter");
    if (item == "/") {
      for (Param& p : s.params) p.positional_only = true;
      continue;
    }
    if (item == "*") {
      keyword_only = true;
      continue;
    }
    if (item.front() == '*') {
      s.variadic = true;
      item.remove_prefix(1);
    }
    size_t colon = find_top(item, ':');
    if (colon == std::string_view::npos)
      fail_value("schema ", signature, ": '", item, "' has no type");
    size_t equal = find_top(item, '=');
    Param p{};
    p.name = trim(item.substr(0, colon));
    if (p.name.empty()) fail_value("schema ", signature, ": a parameter without a name");
    p.kind = kind_of(
        trim(item.substr(colon + 1, equal == std::string_view::npos ? equal : equal - colon - 1)),
        signature);
    p.required = equal == std::string_view::npos;
    p.keyword_only = keyword_only;
    if (s.variadic) keyword_only = true;
    if (!p.required) set_default(&p, trim(item.substr(equal + 1)), signature);
    s.params.push_back(std::move(p));
  }
  for (Param& p : s.params) {
    if (!p.keyword_only) ++s.num_positional;
    if (p.required) ++s.num_required;
  }
  return s;
}

}  // namespace isthmus
