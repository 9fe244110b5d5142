// ops/packed_call.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "ops/packed_call.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/type_name.h"
#include "ffi/objects.h"
#include "ops/common.h"
#include "ops/values.h"

namespace isthmus {
namespace {

[[noreturn, gnu::cold]] void fail_arg(const Op& op, size_t i, const char* expected,
                                      const TVMFFIAny& got) {
  fail_type(op.def.name, "(): argument ", i + 1, " ('", op.schema.params[i].name, "') must be ",
            expected, ", got ", type_name(got.type_index));
}

struct ShapeArg {
  TVMFFIObject header{};
  TVMFFIShapeCell cell{};
  int64_t dims[kMaxDims];
};
struct SeqArg {
  TVMFFIObject header{};
  TVMFFISeqCell cell{};
};
static_assert(offsetof(ShapeArg, cell) == sizeof(TVMFFIObject));

// Converts what other languages pass into what bodies are promised; owns the temporaries.
class PackedArgs {
 public:
  PackedArgs(const Op& op, std::span<const TVMFFIAny> in) : op_(op) {
    const auto& params = op.schema.params;
    args_.assign(params.size(), kMissing);
    if (op.schema.variadic) {
      args_[0] = sequence(in, 0);
    } else {
      if (in.size() > params.size())
        fail_type(op.def.name, "() takes at most ", params.size(), " arguments (", in.size(),
                  " given)");
      for (size_t i = 0; i < in.size(); ++i) args_[i] = convert(i, in[i]);
    }
    fill_defaults();
  }

  // As Python calls: some parameters by position, others by name.
  PackedArgs(const Op& op, std::span<const TVMFFIAny> in, std::span<const Keyword> keywords)
      : op_(op) {
    const auto& params = op.schema.params;
    args_.assign(params.size(), kMissing);
    auto positional = static_cast<size_t>(op.schema.num_positional);
    if (op.schema.variadic) {
      args_[0] = sequence(in, 0);
    } else {
      if (in.size() > positional)
        fail_type(op.def.name, "() takes at most ", positional, " positional arguments (",
                  in.size(), " given)");
      for (size_t i = 0; i < in.size(); ++i) args_[i] = convert(i, in[i]);
    }
    for (const Keyword& k : keywords) {
      auto found = std::find_if(params.begin(), params.end(),
                                [&](const Param& p) { return p.name == k.name; });
      auto i = static_cast<size_t>(found - params.begin());
      if (found == params.end() || found->positional_only || (op.schema.variadic && i == 0))
        fail_type(op.def.name, "() got an unexpected keyword argument '", k.name, "'");
      if (args_[i].type_index != kMissing.type_index)
        fail_type(op.def.name, "() got multiple values for argument '", k.name, "'");
      args_[i] = convert(i, k.value);
    }
    fill_defaults();
  }

  const TVMFFIAny* args() const { return args_.data(); }

 private:
  static constexpr TVMFFIAny kMissing{kTVMFFIDynObjectBegin - 1, {}, {}};  // no value has that type

  void fill_defaults() {
    const auto& params = op_.schema.params;
    for (size_t i = 0; i < params.size(); ++i) {
      if (args_[i].type_index != kMissing.type_index) continue;
      if (params[i].required)
        fail_type(op_.def.name, "() missing required argument: '", params[i].name, "' (pos ", i + 1,
                  ")");
      args_[i] = params[i].default_value;
    }
  }

  TVMFFIAny array(size_t i, const TVMFFIAny& v) {
    if (v.type_index == kTVMFFITensor)
      return is_ndarray(v.v_obj) ? v : hold(import_tensor(v.v_obj));
    if (v.type_index == kTVMFFIInt || v.type_index == kTVMFFIFloat || v.type_index == kTVMFFIBool)
      return v;
    if (v.type_index == ComplexObj::RuntimeTypeIndex()) return number(v);
    if (items_of(v)) return hold(array_of_sequence(i, v));
    fail_arg(op_, i, "an array or a number", v);
  }

  // A complex number as operators take it: by a pointer to its parts.
  static TVMFFIAny number(const TVMFFIAny& v) {
    auto* c = static_cast<ComplexObj*>(static_cast<void*>(v.v_obj));
    static_assert(sizeof(ComplexObj) == sizeof(TVMFFIObject) + 2 * sizeof(double));
    TVMFFIAny out{};
    out.type_index = kWeakComplex;
    out.v_ptr = &c->real;
    return out;
  }

  // The array that a nested sequence of numbers stands for; its dtype is what they have in common.
  NDArray array_of_sequence(size_t i, const TVMFFIAny& v) {
    ShapeBuf shape;
    for (const TVMFFIAny* level = &v; items_of(*level); level = items_of(*level)->data()) {
      if (shape.ndim == kMaxDims) fail_value(op_.def.name, "(): a sequence nested too deeply");
      shape.push(static_cast<int64_t>(items_of(*level)->size()));
      if (items_of(*level)->empty()) break;
    }
    std::vector<TVMFFIAny> leaves;
    collect(i, v, shape, &leaves);
    DType d = leaves.empty() ? DType::kFloat64 : result_type(leaves);
    NDArray a = empty(shape, d);
    char* at = a->bytes();
    for (const TVMFFIAny& leaf : leaves) {
      weak_to(leaf, d, at);
      at += a->isz();
    }
    return a;
  }

  // Appends the numbers of a sequence of that shape, in C order.
  void collect(size_t i, const TVMFFIAny& v, Dims shape, std::vector<TVMFFIAny>* out) {
    auto items = items_of(v);
    if (shape.empty()) {
      TVMFFIAny x = items ? v : array(i, v);
      if (items || x.type_index == kTVMFFITensor)
        fail_value(op_.def.name, "(): argument ", i + 1, " ('", op_.schema.params[i].name,
                   "') is a sequence of numbers that mixes depths");
      return out->push_back(x);
    }
    if (!items || static_cast<int64_t>(items->size()) != shape[0])
      fail_value(op_.def.name, "(): argument ", i + 1, " ('", op_.schema.params[i].name,
                 "') is a ragged sequence: expected ", shape[0], " items, got ",
                 items ? cat(items->size()) : type_name(v.type_index));
    for (const TVMFFIAny& x : *items) collect(i, x, shape.subspan(1), out);
  }

  TVMFFIAny hold(NDArray a) {
    TVMFFIAny v{};
    v.type_index = kTVMFFITensor;
    v.v_obj = a->header();
    arrays_.push_back(std::move(a));
    return v;
  }

  TVMFFIAny shape_of(std::span<const int64_t> dims) {
    if (dims.size() > kMaxDims) fail_value(op_.def.name, "(): too many dimensions: ", dims.size());
    auto& s = *shapes_.emplace_back(std::make_unique<ShapeArg>());
    std::copy(dims.begin(), dims.end(), s.dims);
    s.cell = {s.dims, dims.size()};
    TVMFFIAny v{};
    v.type_index = kTVMFFIShape;
    v.v_obj = &s.header;
    return v;
  }

  TVMFFIAny sequence(std::span<const TVMFFIAny> items, size_t i) {
    auto& list = *lists_.emplace_back(std::make_unique<std::vector<TVMFFIAny>>());
    for (const TVMFFIAny& x : items) {
      std::string_view text;
      // The subscripts among the operands of einsum.
      list.push_back(op_.schema.variadic && as_string(x, &text) ? string(text) : array(i, x));
    }
    return cell(list);
  }

  // A sequence of anything. Bodies take every Tensor inside it for one of ours, and bare pointers
  // for numbers of a front end.
  TVMFFIAny any(size_t i, const TVMFFIAny& v, int depth) {
    if (v.type_index == kWeakComplex || v.type_index == kWideInt)
      fail_arg(op_, i, "a value, not a bare pointer", v);
    if (op_.def.function) return v;  // a function of the FFI: it may keep what it is given
    if (v.type_index == kTVMFFITensor) return array(i, v);
    if (v.type_index == ComplexObj::RuntimeTypeIndex()) return number(v);
    auto items = items_of(v);
    if (!items) return v;
    if (depth == kMaxDims) fail_value(op_.def.name, "(): a sequence nested too deeply");
    auto& list = *lists_.emplace_back(std::make_unique<std::vector<TVMFFIAny>>());
    for (const TVMFFIAny& x : *items) list.push_back(any(i, x, depth + 1));
    return cell(list);
  }

  TVMFFIAny cell(std::vector<TVMFFIAny>& list) {
    auto& s = *seqs_.emplace_back(std::make_unique<SeqArg>());
    s.cell.data = list.data();
    s.cell.size = static_cast<int64_t>(list.size());
    TVMFFIAny v{};
    v.type_index = kTVMFFIArray;
    v.v_obj = &s.header;
    return v;
  }

  TVMFFIAny convert(size_t i, const TVMFFIAny& v) {
    const Param& p = op_.schema.params[i];
    bool none = v.type_index == kTVMFFINone;
    bool sequence_like = v.type_index == kTVMFFIArray || v.type_index == kTVMFFIList;
    switch (p.kind) {
      case ParamKind::kArray: return array(i, v);
      case ParamKind::kOptArray: return none ? v : array(i, v);
      case ParamKind::kOut:
        if (none) return v;
        if (v.type_index != kTVMFFITensor) fail_arg(op_, i, "an array or None", v);
        return array(i, v);
      case ParamKind::kArrays:
        if (!sequence_like) fail_arg(op_, i, "a sequence of arrays", v);
        return sequence(*items_of(v), i);
      case ParamKind::kAxes:
        if (none) return v;
        [[fallthrough]];
      case ParamKind::kShape: {
        if (v.type_index == kTVMFFIShape) {
          auto* cell = cell_of<TVMFFIShapeCell>(v.v_obj);
          return shape_of({cell->data, cell->size});
        }
        if (v.type_index == kTVMFFIInt) {
          TVMFFIAny shape = shape_of({&v.v_int64, 1});
          shape.v_obj->__padding = 1;
          return shape;
        }
        if (!sequence_like) fail_arg(op_, i, "an integer or a sequence of integers", v);
        std::vector<int64_t> dims;
        auto items = *items_of(v);
        for (const TVMFFIAny& x : items) {
          if (x.type_index != kTVMFFIInt) fail_arg(op_, i, "a sequence of integers", x);
          dims.push_back(x.v_int64);
        }
        return shape_of(dims);
      }
      case ParamKind::kDType: {
        if (none || v.type_index == kTVMFFIDataType) return v;
        DType d;
        if (!dtype_from_name(text(i, v), &d)) fail_arg(op_, i, "a dtype", v);
        TVMFFIAny out{};
        out.type_index = kTVMFFIDataType;
        out.v_dtype = info(d).dl;
        return out;
      }
      case ParamKind::kBool: {
        if (v.type_index != kTVMFFIBool && v.type_index != kTVMFFIInt)
          fail_arg(op_, i, "a bool", v);
        TVMFFIAny out = v;
        out.type_index = kTVMFFIBool;
        return out;
      }
      case ParamKind::kOptInt:
        if (none) return v;
        [[fallthrough]];
      case ParamKind::kInt: {
        if (v.type_index != kTVMFFIInt && v.type_index != kTVMFFIBool)
          fail_arg(op_, i, "an integer", v);
        TVMFFIAny out = v;
        out.type_index = kTVMFFIInt;
        return out;
      }
      case ParamKind::kFloat: {
        if (v.type_index == kTVMFFIFloat) return v;
        if (v.type_index != kTVMFFIInt) fail_arg(op_, i, "a float", v);
        TVMFFIAny out = v;
        out.type_index = kTVMFFIFloat;
        out.v_float64 = static_cast<double>(v.v_int64);
        return out;
      }
      case ParamKind::kOptStr:
        if (none) return v;
        [[fallthrough]];
      case ParamKind::kStr: return string(text(i, v));
      case ParamKind::kAny: return any(i, v, 0);
    }
    return v;
  }

  std::string_view text(size_t i, const TVMFFIAny& v) {
    std::string_view out;
    if (!as_string(v, &out)) fail_arg(op_, i, "a string", v);
    return out;
  }

  TVMFFIAny string(std::string_view text) {
    if (text.find('\0') != std::string_view::npos)
      fail_value(op_.def.name, "(): embedded null character");
    TVMFFIAny out{};
    out.type_index = kTVMFFIRawStr;
    out.v_c_str = strings_.emplace_back(std::make_unique<std::string>(text))->c_str();
    return out;
  }

  const Op& op_;
  std::vector<TVMFFIAny> args_;
  std::vector<NDArray> arrays_;
  std::vector<std::unique_ptr<ShapeArg>> shapes_;
  std::vector<std::unique_ptr<std::vector<TVMFFIAny>>> lists_;
  std::vector<std::unique_ptr<SeqArg>> seqs_;
  std::vector<std::unique_ptr<std::string>> strings_;
};

}  // namespace

void call_packed(const Op& op, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  PackedArgs packed(op, {args, static_cast<size_t>(std::max(num_args, 0))});
  Frame frame(op, packed.args(), result);
  op.def.body(frame);
}

void call_keywords(const Op& op, std::span<const TVMFFIAny> positional,
                   std::span<const Keyword> keywords, TVMFFIAny* result) {
  PackedArgs packed(op, positional, keywords);
  Frame frame(op, packed.args(), result);
  op.def.body(frame);
}

}  // namespace isthmus
