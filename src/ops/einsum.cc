// ops/einsum.cc: Einstein sums. Operands become strides by axis; pairs are contracted as matrix
// products.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/ufunc.h"
#include "ops/values.h"

namespace isthmus {
namespace {

constexpr int kMaxAxes = 64;  // of one sum: labels and broadcast dimensions
using AxisList = ShapeBuf;    // axis numbers in some order

// The axes of one sum, numbered in the order of their appearance.
struct Axes {
  int count = 0;
  int64_t size[kMaxAxes];
  char letter[kMaxAxes];  // 0 for a dimension of an ellipsis
  uint8_t occurrences[kMaxAxes];
  int8_t of_letter[128];
  int8_t of_ellipsis[kMaxDims];  // by distance from the right
  int ellipsis_dims = 0;         // of the longest ellipsis

  Axes() { std::memset(of_letter, -1, sizeof(of_letter)); }
  int add(char c) {
    if (count == kMaxAxes) fail_value("too many subscripts in einsum");
    size[count] = 1;
    letter[count] = c;
    occurrences[count] = 0;
    return count++;
  }
  int labelled(char c) {
    int8_t& at = of_letter[static_cast<unsigned char>(c)];
    if (at < 0) at = static_cast<int8_t>(add(c));
    return at;
  }
  int in_ellipsis(int from_right) {
    while (ellipsis_dims <= from_right) of_ellipsis[ellipsis_dims++] = static_cast<int8_t>(add(0));
    return of_ellipsis[from_right];
  }
};

constexpr uint64_t bit(int64_t axis) { return uint64_t{1} << axis; }

// An operand or intermediate result: an element stride for each axis that it has.
struct Operand {
  NDArrayObj* array = nullptr;
  NDArray held;       // owns `array` when it is an intermediate
  uint64_t mask = 0;  // the axes it has
  uint64_t ones = 0;  // those of length one here; where the axis is longer, the operand is
                      // broadcast and does not count as having it
  int64_t stride[kMaxAxes];

  Operand() = default;
  explicit Operand(NDArrayObj* a) : array(a) {}
  // A result whose dimensions are these axes.
  Operand(NDArray a, const AxisList& axes) : array(a.get()), held(std::move(a)) {
    for (int i = 0; i < axes.ndim; ++i) {
      mask |= bit(axes[i]);
      stride[axes[i]] = array->strides[i];
    }
  }
  // A view with these axes as its dimensions; an axis that the operand lacks has length one.
  NDArray view_as(const Axes& axes, const AxisList& order) const {
    int64_t shape[kMaxAxes], strides[kMaxAxes];
    for (int i = 0; i < order.ndim; ++i) {
      const bool has = mask >> order[i] & 1;
      shape[i] = has ? axes.size[order[i]] : 1;
      strides[i] = has ? stride[order[i]] : 0;
    }
    const size_t nd = static_cast<size_t>(order.ndim);
    return view(array, {shape, nd}, {strides, nd}, array->data);
  }
};

// ---- Parsing ------------------------------------------------------------------------------------

[[gnu::cold]] void fail_letter(char c) {
  fail_value("invalid subscript '", c,
             "' in einstein sum subscripts string, subscripts must be letters");
}
[[gnu::cold]] void fail_dot(const std::string& where) {
  fail_value(
      "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in ",
      where);
}

bool ellipsis_at(const char* s) { return s[0] == '.' && s[1] == '.' && s[2] == '.'; }

// Reads the subscripts of operand k up to the next ',' or '-' and returns where that is.
const char* parse_operand(const char* s, int k, Axes* axes, Operand* op) {
  const NDArrayObj* a = op->array;
  char letters[kMaxDims];  // '.' stands for the ellipsis
  int n = 0, dots_at = -1;
  for (; *s && *s != ',' && *s != '-'; ++s) {
    if (*s == ' ') continue;
    if (*s == '.') {
      if (!ellipsis_at(s) || dots_at >= 0) fail_dot(cat("operand ", k));
      dots_at = n;
      s += 2;
      continue;
    }
    if (!std::isalpha(static_cast<unsigned char>(*s))) fail_letter(*s);
    if (n == a->ndim)
      fail_value("einstein sum subscripts string contains too many subscripts for operand ", k);
    letters[n++] = *s;
  }
  const int extra = a->ndim - n;
  if (extra > 0 && dots_at < 0) {
    fail_value(
        "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis "
        "provided to broadcast the extra "
        "dimensions: operand ",
        k);
  }
  for (int d = 0; d < a->ndim; ++d) {
    int axis;
    if (dots_at >= 0 && d >= dots_at && d < dots_at + extra) {
      axis = axes->in_ellipsis(dots_at + extra - 1 - d);
    } else {
      axis = axes->labelled(letters[d < dots_at || dots_at < 0 ? d : d - extra]);
    }
    const int64_t length = a->shape[d];
    if (op->mask & bit(axis)) {  // a repeated label: the diagonal
      const bool was_one = op->ones & bit(axis);
      if (was_one != (length == 1) || (length != 1 && axes->size[axis] != length)) {
        fail_value("dimensions in operand ", k, " for collapsing index '", axes->letter[axis],
                   "' don't match (", was_one ? 1 : axes->size[axis], " != ", length, ")");
      }
      op->stride[axis] += a->strides[d];
    } else {
      op->mask |= bit(axis);
      op->stride[axis] = a->strides[d];
      if (length == 1) {
        op->ones |= bit(axis);
      } else if (axes->size[axis] == 1) {
        axes->size[axis] = length;
      } else if (axes->size[axis] != length) {
        fail_value("einsum: operands could not be broadcast together: subscript '",
                   axes->letter[axis] ? axes->letter[axis] : '.', "' of operand ", k,
                   " has length ", length, ", earlier ", axes->size[axis]);
      }
    }
    ++axes->occurrences[axis];
  }
  return s;
}

// The axes of the output, after "->". `sum_ellipsis`: without an ellipsis here its dimensions are
// summed instead of refused.
AxisList parse_output(const char* s, Axes* axes, bool sum_ellipsis) {
  AxisList out;
  uint64_t seen = 0;
  bool dots = false;
  for (; *s; ++s) {
    if (*s == ' ') continue;
    if (*s == '.') {
      if (!ellipsis_at(s) || dots) fail_dot("the output");
      dots = true;
      s += 2;
      for (int i = axes->ellipsis_dims; i-- > 0;) out.push(axes->of_ellipsis[i]);
      continue;
    }
    if (!std::isalpha(static_cast<unsigned char>(*s))) fail_letter(*s);
    const int axis = axes->of_letter[static_cast<unsigned char>(*s)];
    if (axis < 0)
      fail_value("einstein sum subscripts string included output subscript '", *s,
                 "' which never appeared in an input");
    if (seen & bit(axis))
      fail_value("einstein sum subscripts string includes output subscript '", *s,
                 "' multiple times");
    seen |= bit(axis);
    out.push(axis);
  }
  if (!dots && axes->ellipsis_dims > 0 && !sum_ellipsis) {
    fail_value(
        "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis "
        "provided to broadcast the extra "
        "dimensions.");
  }
  return out;
}

// Without "->": the ellipsis, then every label that occurs once, in alphabetical order.
AxisList implicit_output(const Axes& axes) {
  AxisList out;
  for (int i = axes.ellipsis_dims; i-- > 0;) out.push(axes.of_ellipsis[i]);
  const int letters_from = out.ndim;
  for (int axis = 0; axis < axes.count; ++axis) {
    if (!axes.letter[axis] || axes.occurrences[axis] != 1) continue;
    int i = out.ndim;
    out.push(axis);
    for (; i > letters_from && axes.letter[out[i - 1]] > axes.letter[axis]; --i)
      out[i] = out[i - 1];
    out[i] = axis;
  }
  return out;
}

// ---- Contracting --------------------------------------------------------------------------------

int64_t size_of(const Axes& axes, const AxisList& list) {
  int64_t n = 1;
  for (int i = 0; i < list.ndim; ++i) n *= axes.size[list[i]];
  return n;
}

// The operand with the axes of `gone` summed.
Operand sum_out(const Axes& axes, const Operand& op, uint64_t gone, DType d) {
  AxisList order;
  for (int axis = 0; axis < axes.count; ++axis)
    if (op.mask & ~gone & bit(axis)) order.push(axis);
  AxisList kept = order;
  uint64_t reduced = 0;
  for (int axis = 0; axis < axes.count; ++axis) {
    if (!(op.mask & gone & bit(axis))) continue;
    reduced |= uint64_t{1} << order.ndim;
    order.push(axis);
  }
  NDArray all = op.view_as(axes, order);
  return Operand(reduce_sum(all.get(), reduced, false, &d), kept);
}

// One step that walks all axes of the list in order, if there is one; *step counts elements.
bool collapse(const Axes& axes, const Operand& op, const AxisList& list, int64_t* step) {
  *step = 1;
  bool first = true;
  int64_t expected = 0;
  for (int i = list.ndim; i-- > 0;) {
    const int64_t n = axes.size[list[i]];
    if (n == 1) continue;
    const int64_t stride = op.stride[list[i]];
    if (first) *step = stride;
    else if (stride != expected) return false;
    first = false;
    expected = stride * n;
  }
  return true;
}

AxisList join(std::initializer_list<const AxisList*> lists) {
  AxisList all;
  for (const AxisList* l : lists)
    for (int i = 0; i < l->ndim; ++i) all.push((*l)[i]);
  return all;
}

// Makes the operand contiguous in this order of its axes.
void pack(const Axes& axes, Operand* op, const AxisList& order) {
  NDArray ordered = op->view_as(axes, order);
  *op = Operand(copy(ordered.get()), order);
}

bool same_list(const AxisList& a, const AxisList& b) {
  return a.ndim == b.ndim && std::equal(a.dims, a.dims + a.ndim, b.dims);
}

// Sum over all axes that are not in `out` of the products of two operands of dtype d, which it may
// change; the result has the axes of `out`.
Operand contract(const Axes& axes, Operand* a, Operand* b, const AxisList& out, DType d) {
  uint64_t kept = 0;
  for (int i = 0; i < out.ndim; ++i) kept |= bit(out[i]);
  if (const uint64_t alone = a->mask & ~b->mask & ~kept) *a = sum_out(axes, *a, alone, d);
  if (const uint64_t alone = b->mask & ~a->mask & ~kept) *b = sum_out(axes, *b, alone, d);
  const uint64_t summed = a->mask & b->mask & ~kept;
  if (!summed) {
    static const Ufunc& multiply = ufunc("multiply");
    NDArray x = a->view_as(axes, out), y = b->view_as(axes, out);
    return Operand(call_binary(multiply, any_of(x.get()), any_of(y.get())), out);
  }
  // The columns of the result are those of its axes that b alone has.
  if (out.ndim > 0 && (a->mask & ~b->mask & bit(out[out.ndim - 1]))) std::swap(a, b);
  AxisList batch, rows, cols, sums;
  for (int i = 0; i < out.ndim; ++i) {
    const bool in_a = a->mask & bit(out[i]), in_b = b->mask & bit(out[i]);
    (in_a && in_b ? batch : in_a ? rows : cols).push(out[i]);
  }
  for (uint64_t rest = summed; rest; rest &= rest - 1) {
    const int axis = std::countr_zero(rest);
    int i = sums.ndim;
    sums.push(axis);
    for (; i > 0 && std::abs(a->stride[sums[i - 1]]) < std::abs(a->stride[axis]); --i)
      sums[i] = sums[i - 1];
    sums[i] = axis;
  }
  int64_t a_row, a_col, b_row, b_col;
  if (!collapse(axes, *a, rows, &a_row) || !collapse(axes, *a, sums, &a_col)) {
    pack(axes, a, join({&batch, &rows, &sums}));
    collapse(axes, *a, rows, &a_row);
    collapse(axes, *a, sums, &a_col);
  }
  if (!collapse(axes, *b, sums, &b_row) || !collapse(axes, *b, cols, &b_col)) {
    pack(axes, b, join({&batch, &sums, &cols}));
    collapse(axes, *b, sums, &b_row);
    collapse(axes, *b, cols, &b_col);
  }
  const AxisList order = join({&batch, &rows, &cols});
  ShapeBuf shape;
  for (int i = 0; i < order.ndim; ++i) shape.push(axes.size[order[i]]);
  NDArray c = empty(shape, d);
  if (c->size > 0) {
    const int64_t isz = itemsize(d);
    MatrixProduct p{a->array->bytes(),
                    b->array->bytes(),
                    c->bytes(),
                    size_of(axes, rows),
                    size_of(axes, sums),
                    size_of(axes, cols),
                    a_row * isz,
                    a_col * isz,
                    b_row * isz,
                    b_col * isz,
                    0};
    p.c_row = p.m * isz;
    if (batch.ndim == 0) {
      multiply_matrices(d, p);
    } else {
      int64_t strides[3][kMaxAxes];
      for (int i = 0; i < batch.ndim; ++i) {
        strides[0][i] = a->stride[batch[i]] * isz;
        strides[1][i] = b->stride[batch[i]] * isz;
        strides[2][i] = c->strides[i] * isz;
      }
      multiply_stacks(d, p, {shape.dims, static_cast<size_t>(batch.ndim)}, strides[0], strides[1],
                      strides[2]);
    }
  }
  Operand result(std::move(c), order);
  if (same_list(order, out)) return result;
  return Operand(result.view_as(axes, out), out);
}

// Contracts pairs until one operand is left: in each step the pair whose product is smallest beside
// the operands it takes.
Operand contract_all(const Axes& axes, std::vector<Operand>& ops, const AxisList& out, DType d) {
  uint64_t kept = 0;
  for (int i = 0; i < out.ndim; ++i) kept |= bit(out[i]);
  auto elements = [&](uint64_t mask) {
    double n = 1;
    for (; mask; mask &= mask - 1) n *= static_cast<double>(axes.size[std::countr_zero(mask)]);
    return n;
  };
  while (ops.size() > 2) {
    size_t best_i = 0, best_j = 1;
    double best = 0;
    uint64_t best_mask = 0;
    for (size_t i = 0; i < ops.size(); ++i) {
      for (size_t j = i + 1; j < ops.size(); ++j) {
        uint64_t others = kept;
        for (size_t k = 0; k < ops.size(); ++k)
          if (k != i && k != j) others |= ops[k].mask;
        const uint64_t mask = (ops[i].mask | ops[j].mask) & others;
        const double growth = elements(mask) - elements(ops[i].mask) - elements(ops[j].mask);
        if ((i == 0 && j == 1) || growth < best)
          best = growth, best_i = i, best_j = j, best_mask = mask;
      }
    }
    AxisList order;
    for (int axis = 0; axis < axes.count; ++axis)
      if (best_mask & bit(axis)) order.push(axis);
    Operand product = contract(axes, &ops[best_i], &ops[best_j], order, d);
    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(best_j));
    ops[best_i] = std::move(product);
  }
  return contract(axes, &ops[0], &ops[1], out, d);
}

// ---- The operator -------------------------------------------------------------------------------

struct EinsumCall {
  NDArrayObj* out;
  const DType* dtype;
  Casting casting = Casting::kSafe;
  Order order;
  bool optimize;
};

// The common dtype of the operands, of `out`, which the sums pass through, and of what was asked
// for.
DType sum_dtype(const std::span<Operand> ops, const EinsumCall& call) {
  DType d = ops[0].array->dt;
  for (const Operand& op : ops) d = promote_types(d, op.array->dt);
  if (call.out && !call.dtype && !call.optimize) d = promote_types(d, call.out->dt);
  if (call.dtype) d = *call.dtype;
  for (const Operand& op : ops) {
    if (!can_cast(op.array->dt, d, call.casting)) {
      fail_type("Iterator operand 0 dtype could not be cast from dtype('", name(op.array->dt),
                "') to dtype('", name(d), "') according to the rule '", casting_name(call.casting),
                "'");
    }
  }
  return d;
}

NDArray laid_out(NDArray a, Order order) {
  if (order == Order::kC) return ascontiguous(a.get());
  if (order != Order::kF || a->f_contiguous()) return a;
  NDArray turned = empty_fortran(a->dims(), a->dt);
  copy_into(turned.get(), a.get());
  return turned;
}

// The sum along the only axis of an operand, for example of a trace.
NDArray sum_line(const Operand& op, int axis, int64_t n, DType d) {
  static const Ufunc& add = ufunc("add");
  const UfuncLoop* loop = add.exact(d, d);
  NDArray sum = zeros({}, d);
  char* args[3] = {sum->bytes(), op.array->bytes(), sum->bytes()};
  const intptr_t count = n, strides[3] = {0, op.stride[axis] * op.array->isz(), 0};
  constexpr int64_t kSmallRun = 16;
  if (n <= kSmallRun && loop->small) loop->small(args, &count, strides, nullptr);
  else loop->fn(args, &count, strides, loop->data);
  return sum;
}

NDArray einsum(const char* subscripts, std::span<Operand> ops, const EinsumCall& call) {
  Axes axes;
  const char* s = subscripts;
  for (size_t k = 0; k < ops.size(); ++k) {
    s = parse_operand(s, static_cast<int>(k), &axes, &ops[k]);
    if (k + 1 == ops.size()) break;
    if (*s != ',')
      fail_value(
          "more operands provided to einstein sum function than specified in the subscripts "
          "string");
    ++s;
  }
  if (*s == ',')
    fail_value(
        "fewer operands provided to einstein sum function than specified in the subscripts string");
  AxisList out;
  if (*s == '-') {
    ++s;
    if (call.optimize) {
      while (*s == ' ') ++s;
    }
    if (*s != '>')
      fail_value("einstein sum subscript string does not contain proper '->' output specified");
    out = parse_output(s + 1, &axes, call.optimize);
  } else {
    out = implicit_output(axes);
  }
  uint64_t kept = 0, wide = 0;
  for (int i = 0; i < out.ndim; ++i) kept |= bit(out[i]);
  for (int axis = 0; axis < axes.count; ++axis)
    if (axes.size[axis] != 1) wide |= bit(axis);
  for (Operand& op : ops) op.mask &= ~(op.ones & wide);

  if (ops.size() == 1) {
    Operand& op = ops[0];
    if (!(op.mask & ~kept)) {
      NDArray v = op.view_as(axes, out);
      if (call.out) sum_dtype(ops, call);
      return v;
    }
    const DType d = sum_dtype(ops, call);
    AxisList order = out;
    uint64_t reduced = 0;
    for (uint64_t rest = op.mask & ~kept; rest; rest &= rest - 1) {
      reduced |= uint64_t{1} << order.ndim;
      order.push(std::countr_zero(rest));
    }
    if (out.ndim == 0 && order.ndim == 1 && op.array->dt == d)
      return sum_line(op, order[0], axes.size[order[0]], d);
    NDArray all = op.view_as(axes, order);
    return laid_out(reduce_sum(all.get(), reduced, false, &d), call.order);
  }

  const DType d = sum_dtype(ops, call);
  for (Operand& op : ops) {
    if (op.array->dt == d) continue;
    AxisList own;
    for (uint64_t rest = op.mask; rest; rest &= rest - 1) own.push(std::countr_zero(rest));
    NDArray diagonal = op.view_as(axes, own);
    op = Operand(astype(diagonal.get(), d), own);
  }
  if (ops.size() == 2) return laid_out(contract(axes, &ops[0], &ops[1], out, d).held, call.order);
  std::vector<Operand> all(std::make_move_iterator(ops.begin()),
                           std::make_move_iterator(ops.end()));
  return laid_out(contract_all(axes, all, out, d).held, call.order);
}

// The commonest form read at a glance: two matrices whose subscripts share one label, as in
// "ij,jk->ik" with any letters in any of the orders that make one matrix product. Null when it is
// something else, or an error.
NDArray matrix_pair(const char* s, const NDArrayObj* a, const NDArrayObj* b) {
  if (std::strlen(s) != 9 || s[2] != ',' || s[5] != '-' || s[6] != '>') return {};
  for (int i : {0, 1, 3, 4, 7, 8})
    if (!std::isalpha(static_cast<unsigned char>(s[i]))) return {};
  if (a->ndim != 2 || b->ndim != 2 || a->dt != b->dt || s[0] == s[1] || s[3] == s[4]) return {};
  if (s[7] == s[3] || s[7] == s[4]) {  // the first dimension of the result is the second operand's
    std::swap(a, b);
    const char turned[10] = {s[3], s[4], ',', s[0], s[1], '-', '>', s[7], s[8], 0};
    return s[7] == s[0] || s[7] == s[1] ? NDArray() : matrix_pair(turned, a, b);
  }
  const int row = s[0] == s[7]   ? 0
                  : s[1] == s[7] ? 1
                                 : -1,
            col = s[3] == s[8]   ? 0
                  : s[4] == s[8] ? 1
                                 : -1;
  if (row < 0 || col < 0 || s[1 - row] != s[3 + 1 - col] || s[7] == s[8] || s[8] == s[1 - row])
    return {};
  const int64_t shape[2] = {a->shape[row], b->shape[col]}, k = a->shape[1 - row], isz = a->isz();
  if (b->shape[1 - col] != k) return {};
  NDArray c = empty(shape, a->dt);
  if (c->size > 0) {
    multiply_matrices(a->dt, {a->bytes(), b->bytes(), c->bytes(), shape[0], k, shape[1],
                              a->strides[row] * isz, a->strides[1 - row] * isz,
                              b->strides[1 - col] * isz, b->strides[col] * isz, shape[1] * isz});
  }
  return c;
}

// Whether `optimize` asks for an order of contractions. It only changes which forms are allowed:
// sums of more than two operands are always contracted in pairs.
bool optimize_argument(const TVMFFIAny& v) {
  std::string_view text;
  if (as_string(v, &text)) {
    if (text != "greedy" && text != "optimal") fail_fallback("einsum() with this optimize");
    return true;
  }
  if (v.type_index == kTVMFFINone) return false;
  if (v.type_index == kTVMFFIBool || v.type_index == kTVMFFIInt) return v.v_int64 != 0;
  if (!items_of(v)) fail_fallback("einsum() with this optimize");
  return !items_of(v)->empty();
}

// (*operands, out, dtype, order, casting, optimize)
void einsum_body(Frame& f) {
  auto given = f.list(0);
  if (given.empty()) {
    fail_value(
        "must specify the einstein sum subscripts string and at least one operand, or at least two "
        "operands and their "
        "corresponding subscripts lists");
  }
  if (given[0].type_index != kTVMFFIRawStr) fail_fallback("einsum() of operands and lists");
  DType d;
  EinsumCall call{f.out(1), nullptr, Casting::kSafe, order_argument(f, 3, Order::kK),
                  optimize_argument(f.args[5])};
  if (!f.is_none(2)) {
    d = f.dtype(2, DType::kFloat64);
    call.dtype = &d;
  }
  if (!casting_from_name(f.str(4), &call.casting))
    fail_value("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '",
               f.str(4), "')");
  const char* subscripts = given[0].v_c_str;
  const size_t n = given.size() - 1;
  if (n == 0) fail_value("must provide at least an operand and a subscripts list to einsum");
  if (n == 2 && !call.out && !call.dtype && call.order == Order::kK &&
      given[1].type_index == kTVMFFITensor && given[2].type_index == kTVMFFITensor) {
    if (NDArray c = matrix_pair(subscripts, as_ndarray(given[1]), as_ndarray(given[2])))
      return f.ret(std::move(c));
  }
  constexpr size_t kFew = 3;
  Operand few[kFew];
  std::vector<Operand> many;
  if (n > kFew) many.resize(n);
  std::span<Operand> ops(n > kFew ? many.data() : few, n);
  for (size_t k = 0; k < n; ++k) {
    if (given[k + 1].type_index == kTVMFFIRawStr) fail_fallback("einsum() of operands and lists");
    ops[k].array = f.to_array(given[k + 1]);
  }
  if (call.optimize && ops[0].array->ndim > 0) {
    const char* s = subscripts;
    while (*s == ' ') ++s;
    if (!*s || *s == '-')
      fail_index("string index out of range: no subscripts for an operand with dimensions");
  }
  NDArray result = einsum(subscripts, ops, call);
  if (!call.out) return f.ret(std::move(result));
  f.ret_or_write(std::move(result), call.out, call.optimize ? Casting::kUnsafe : call.casting);
}

}  // namespace

void register_einsum(Registry& r) {
  r.def({.name = "einsum",
         .signature = "(*operands: Arrays, out: Out = None, dtype: DType = None, order: str = 'K', "
                      "casting: str = 'safe', "
                      "optimize: Any = False)",
         .doc = "Sums of products by Einstein's convention: einsum('ij,jk->ik', a, b) names the "
                "dimensions of the operands and of "
                "the result; labels that the result lacks are summed.",
         .body = einsum_body});
}

}  // namespace isthmus
