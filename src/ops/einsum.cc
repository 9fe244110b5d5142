// ops/einsum.cc: sums of products written with index letters. Operands become views with one axis for each label;
// pairs are contracted as (stacks of) matrix products.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "core/storage.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/ufunc.h"

namespace isthmus {
namespace {

// Labels: letters as their codes; ellipsis dimensions, counted from the right, as kEllipsisLabel + position.
using Label = uint8_t;
constexpr Label kEllipsisLabel = 128;
constexpr int kMaxLabels = kMaxDims;

struct Labels {
  int count = 0;
  Label at[kMaxLabels];
  bool has(Label l) const { return std::find(at, at + count, l) != at + count; }
  int find(Label l) const {
    const Label* p = std::find(at, at + count, l);
    return p == at + count ? -1 : static_cast<int>(p - at);
  }
  void push(Label l) {
    if (count >= kMaxLabels) fail_value("too many subscripts in einsum");
    at[count++] = l;
  }
};

// An operand with one axis for each of its labels.
struct Term {
  NDArray array;
  Labels labels;
};

// ---- Subscripts ---------------------------------------------------------------------------------------
[[gnu::cold]] void fail_character(char c) {
  fail_value("invalid subscript '", c, "' in einstein sum subscripts string, subscripts must be letters");
}

// The labels of one operand; *ellipsis receives how many dimensions its "..." stands for (-1: it has none).
Labels operand_labels(std::string_view text, const NDArrayObj* a, int which, int* ellipsis) {
  Labels labels;
  int letters = 0, at = -1;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (at >= 0 || text.substr(i, 3) != "...")
        fail_value("einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in operand ", which);
      at = labels.count;
      i += 2;
      continue;
    }
    if (!std::isalpha(static_cast<unsigned char>(c))) fail_character(c);
    labels.push(static_cast<Label>(c));
    ++letters;
  }
  if (at < 0) {
    *ellipsis = -1;
    if (letters != a->ndim) {
      fail_value(letters > a->ndim ? "einstein sum subscripts string contains too many subscripts for operand "
                                   : "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis "
                                     "provided to broadcast the extra dimensions: operand ",
                 which);
    }
    return labels;
  }
  int spread = a->ndim - letters;
  if (spread < 0) fail_value("einstein sum subscripts string contains too many subscripts for operand ", which);
  *ellipsis = spread;
  Labels wide;
  for (int i = 0; i < at; ++i) wide.push(labels.at[i]);
  for (int k = spread; k-- > 0;) wide.push(static_cast<Label>(kEllipsisLabel + k));
  for (int i = at; i < labels.count; ++i) wide.push(labels.at[i]);
  return wide;
}

// One axis for each label: a repeated label is the diagonal of its axes.
Term make_term(NDArrayObj* a, const Labels& labels) {
  Term t;
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < labels.count; ++i) {
    int at = t.labels.find(labels.at[i]);
    if (at < 0) {
      shape[t.labels.count] = a->shape[i];
      strides[t.labels.count] = a->strides[i];
      t.labels.push(labels.at[i]);
      continue;
    }
    if (shape[at] != a->shape[i]) {
      if (shape[at] != 1 && a->shape[i] != 1)
        fail_value("dimensions in single operand for collapsing index '", static_cast<char>(labels.at[i]), "' don't match (", shape[at],
                   " != ", a->shape[i], ")");
      // A dimension of length one broadcasts along the other.
      if (a->shape[i] != 1) {
        shape[at] = a->shape[i];
        strides[at] = 0;
      } else {
        continue;
      }
    }
    strides[at] += a->strides[i];
  }
  if (t.labels.count == a->ndim) {
    t.array = NDArray::share(a);
  } else {
    size_t n = static_cast<size_t>(t.labels.count);
    t.array = view(a, {shape, n}, {strides, n}, a->data);
  }
  return t;
}

// ---- Contraction ------------------------------------------------------------------------------------------
// The axes of `labels` in the order of `to`; labels that the term lacks get length one. Labels of the term that are
// not in `to` must have been summed away.
NDArray arranged(const Term& t, const Labels& to) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < to.count; ++i) {
    int at = t.labels.find(to.at[i]);
    shape[i] = at < 0 ? 1 : t.array->shape[at];
    strides[i] = at < 0 ? 0 : t.array->strides[at];
  }
  size_t n = static_cast<size_t>(to.count);
  return view(t.array.get(), {shape, n}, {strides, n}, t.array->data);
}

// Sums away every label that is not in `keep`.
void sum_away(Term* t, const Labels& keep, DType d) {
  uint64_t axes = 0;
  Labels left;
  for (int i = 0; i < t->labels.count; ++i) {
    if (keep.has(t->labels.at[i])) left.push(t->labels.at[i]);
    else axes |= uint64_t{1} << i;
  }
  if (!axes) return;
  t->array = reduce_sum(t->array.get(), axes, false, &d);
  t->labels = left;
}

// Makes axes [first, first + count) of an array one axis: true when their strides allow it.
bool merge_axes(const NDArrayObj* a, int first, int count, int64_t* length, int64_t* stride) {
  *length = 1;
  *stride = 0;
  int64_t expect = 0;
  for (int i = first + count; i-- > first;) {
    if (a->shape[i] == 1) continue;
    if (*length == 1) *stride = a->strides[i];
    else if (a->strides[i] != expect) return false;
    *length *= a->shape[i];
    expect = a->strides[i] * a->shape[i];
  }
  return true;
}

int64_t length_of(const Term& t, Label l) {
  int at = t.labels.find(l);
  return at < 0 ? 1 : t.array->shape[at];
}

void push_all(Labels* to, const Labels& from) {
  for (int i = 0; i < from.count; ++i) to->push(from.at[i]);
}

// The product of two terms with the labels in `keep`, the others summed over.
Term contract(Term a, Term b, const Labels& keep, DType d) {
  // What only one side has and nobody wants is summed before; so is what the other side has at length one only.
  Labels a_keep = keep, b_keep = keep;
  for (int i = 0; i < b.labels.count; ++i)
    if (!a_keep.has(b.labels.at[i])) a_keep.push(b.labels.at[i]);
  for (int i = 0; i < a.labels.count; ++i)
    if (!b_keep.has(a.labels.at[i])) b_keep.push(a.labels.at[i]);
  sum_away(&a, a_keep, d);
  sum_away(&b, b_keep, d);

  Labels batch, rows, columns, summed;
  for (int i = 0; i < a.labels.count; ++i) {
    Label l = a.labels.at[i];
    bool in_b = b.labels.has(l), wanted = keep.has(l);
    if (in_b) {
      int64_t x = length_of(a, l), y = length_of(b, l);
      if (x != y && x != 1 && y != 1) {
        fail_value("operands could not be broadcast together with remapped shapes: label '",
                   l < kEllipsisLabel ? std::string(1, static_cast<char>(l)) : std::string("..."), "' has lengths ", x, " and ", y);
      }
      (wanted ? batch : summed).push(l);
    } else {
      rows.push(l);
    }
  }
  for (int i = 0; i < b.labels.count; ++i)
    if (!a.labels.has(b.labels.at[i])) columns.push(b.labels.at[i]);

  Term out;
  push_all(&out.labels, batch);
  push_all(&out.labels, rows);
  push_all(&out.labels, columns);
  if (summed.count == 0) {
    static const Ufunc& multiply = ufunc("multiply");
    NDArray x = arranged(a, out.labels), y = arranged(b, out.labels);
    out.array = call_binary(multiply, any_of(x.get()), any_of(y.get()));
    return out;
  }

  Labels left, right;
  push_all(&left, batch);
  push_all(&left, rows);
  push_all(&left, summed);
  push_all(&right, batch);
  push_all(&right, summed);
  push_all(&right, columns);
  NDArray x = arranged(a, left), y = arranged(b, right);
  // Summed labels of length one on one side broadcast along the other's.
  for (int i = 0; i < summed.count; ++i) {
    int64_t p = x->shape[batch.count + rows.count + i], q = y->shape[batch.count + i];
    if (p == q) continue;
    NDArrayObj* shorter = p == 1 ? x.get() : y.get();
    int at = p == 1 ? batch.count + rows.count + i : batch.count + i;
    shorter->shape[at] = std::max(p, q);
    shorter->strides[at] = 0;
    shorter->size = product(shorter->dims());
    set_contiguity(shorter);
  }
  int64_t n, k, m, k2, a_row, a_col, b_row, b_col;
  if (!merge_axes(x.get(), batch.count, rows.count, &n, &a_row) ||
      !merge_axes(x.get(), batch.count + rows.count, summed.count, &k, &a_col)) {
    x = copy(x.get());
    merge_axes(x.get(), batch.count, rows.count, &n, &a_row);
    merge_axes(x.get(), batch.count + rows.count, summed.count, &k, &a_col);
  }
  if (!merge_axes(y.get(), batch.count, summed.count, &k2, &b_row) ||
      !merge_axes(y.get(), batch.count + summed.count, columns.count, &m, &b_col)) {
    y = copy(y.get());
    merge_axes(y.get(), batch.count, summed.count, &k2, &b_row);
    merge_axes(y.get(), batch.count + summed.count, columns.count, &m, &b_col);
  }
  ShapeBuf shape;
  int64_t strides[3][kMaxDims];
  const int64_t isz = itemsize(d);
  for (int i = 0; i < batch.count; ++i) {
    shape.push(std::max(x->shape[i], y->shape[i]));
    strides[0][i] = x->shape[i] == 1 ? 0 : x->strides[i] * isz;
    strides[1][i] = y->shape[i] == 1 ? 0 : y->strides[i] * isz;
  }
  for (int i = 0; i < batch.count; ++i)
    if (x->shape[i] == 0 || y->shape[i] == 0) shape[i] = 0;
  ShapeBuf stack = shape;
  for (int i = 0; i < rows.count; ++i) shape.push(x->shape[batch.count + i]);
  for (int i = 0; i < columns.count; ++i) shape.push(y->shape[batch.count + summed.count + i]);
  out.array = k == 0 ? zeros(shape, d) : empty(shape, d);
  if (k == 0 || out.array->size == 0) return out;
  int64_t step = n * m * isz;
  for (int i = batch.count; i-- > 0;) {
    strides[2][i] = step;
    step *= stack[i];
  }
  MatrixProduct p{x->bytes(), y->bytes(), out.array->bytes(), n, k, m, a_row * isz, a_col * isz, b_row * isz, b_col * isz, m * isz};
  if (batch.count == 0) multiply_matrices(d, p);
  else multiply_stacks(d, p, stack, strides[0], strides[1], strides[2]);
  return out;
}

// ---- The operator -------------------------------------------------------------------------------------------

struct Subscripts {
  std::vector<std::string_view> inputs;
  std::string_view output;
  bool explicit_output = false;
};

Subscripts split(std::string_view text) {
  Subscripts s;
  size_t arrow = text.find("->");
  if (arrow != std::string_view::npos) {
    s.explicit_output = true;
    s.output = text.substr(arrow + 2);
    text = text.substr(0, arrow);
  } else if (text.find('-') != std::string_view::npos || text.find('>') != std::string_view::npos) {
    fail_value("einstein sum subscript string does not contain proper '->' output specified");
  }
  for (size_t start = 0;;) {
    size_t comma = text.find(',', start);
    s.inputs.push_back(text.substr(start, comma - start));
    if (comma == std::string_view::npos) break;
    start = comma + 1;
  }
  return s;
}

Labels output_labels(const Subscripts& s, const Labels* inputs, size_t count, int spread) {
  Labels out;
  if (!s.explicit_output) {
    // Letters that appear once, in alphabetical order, after the ellipsis dimensions.
    int seen[256] = {};
    for (size_t i = 0; i < count; ++i)
      for (int k = 0; k < inputs[i].count; ++k) ++seen[inputs[i].at[k]];
    for (int k = spread; k-- > 0;) out.push(static_cast<Label>(kEllipsisLabel + k));
    for (int c = 0; c < kEllipsisLabel; ++c)
      if (seen[c] == 1) out.push(static_cast<Label>(c));
    return out;
  }
  for (size_t i = 0; i < s.output.size(); ++i) {
    char c = s.output[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (s.output.substr(i, 3) != "...")
        fail_value("einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in the output");
      for (int k = spread; k-- > 0;) out.push(static_cast<Label>(kEllipsisLabel + k));
      i += 2;
      continue;
    }
    if (!std::isalpha(static_cast<unsigned char>(c))) fail_character(c);
    auto l = static_cast<Label>(c);
    if (out.has(l)) fail_value("einstein sum subscripts string includes output subscript '", c, "' multiple times");
    bool known = false;
    for (size_t j = 0; j < count && !known; ++j) known = inputs[j].has(l);
    if (!known) fail_value("einstein sum subscripts string included output subscript '", c, "' which never appeared in an input");
    out.push(l);
  }
  for (int k = 0; k < spread; ++k) {
    if (!out.has(static_cast<Label>(kEllipsisLabel + k)))
      fail_value("output has fewer dimensions than the ellipsis ('...') broadcasts: output subscripts must contain '...'");
  }
  return out;
}

// (*operands, out, dtype, order, casting, optimize); the first operand is the subscripts string
void einsum_body(Frame& f) {
  auto items = f.list(0);
  std::string_view text;
  if (items.empty()) fail_value("must specify the einstein sum subscripts string and at least one operand, or at least one operand and its corresponding subscripts list");
  if (!as_string(items[0], &text)) fail_fallback("operands with lists of subscripts");
  items = items.subspan(1);
  if (items.empty()) fail_value("must provide at least an operand and a subscripts string");
  Subscripts s = split(text);
  if (s.inputs.size() != items.size()) {
    fail_value(s.inputs.size() > items.size() ? "more operands are named in the einstein sum subscripts string than provided: "
                                              : "fewer operands are named in the einstein sum subscripts string than provided: ",
               s.inputs.size(), " named, ", items.size(), " given");
  }
  Casting casting;
  if (!casting_from_name(f.str(4), &casting)) fail_value("casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got '", f.str(4), "')");

  constexpr size_t kFew = 8;
  if (items.size() > kFew) fail_fallback("many operands");
  NDArrayObj* arrays[kFew];
  Labels labels[kFew];
  int spread = 0;
  DType d = DType::kBool;
  for (size_t i = 0; i < items.size(); ++i) {
    arrays[i] = f.to_array(items[i]);
    int ellipsis;
    labels[i] = operand_labels(s.inputs[i], arrays[i], static_cast<int>(i), &ellipsis);
    spread = std::max(spread, ellipsis);
    d = i ? promote_types(d, arrays[i]->dt) : arrays[i]->dt;
  }
  Labels out = output_labels(s, labels, items.size(), spread);
  d = f.dtype(2, d);
  Term term;
  for (size_t i = 0; i < items.size(); ++i) {
    if (arrays[i]->dt != d && !can_cast(arrays[i]->dt, d, casting))
      fail_type("Iterator operand ", i, " dtype could not be cast from dtype('", name(arrays[i]->dt), "') to dtype('", name(d), "') according to the rule '", casting_name(casting), "'");
    Term next = make_term(arrays[i], labels[i]);
    if (arrays[i]->dt != d) next.array = astype(next.array.get(), d);
    if (i == 0) {
      term = std::move(next);
      continue;
    }
    // Labels still needed: those of the output and of operands to come.
    Labels keep = out;
    for (size_t j = i + 1; j < items.size(); ++j)
      for (int k = 0; k < labels[j].count; ++k)
        if (!keep.has(labels[j].at[k])) keep.push(labels[j].at[k]);
    term = contract(std::move(term), std::move(next), keep, d);
  }
  sum_away(&term, out, d);
  NDArray result = arranged(term, out);
  NDArrayObj* to = f.out(1);
  if (!to && items.size() == 1 && term.array.get() == arrays[0] && out.count == arrays[0]->ndim) return f.ret(std::move(result));
  f.ret_or_write(std::move(result), to, casting == Casting::kSafe ? Casting::kSameKind : casting);
}

}  // namespace

void register_einsum(Registry& r) {
  r.def({.name = "einsum",
         .signature = "(*operands: Arrays, out: Out = None, dtype: DType = None, order: str = 'K', casting: str = 'safe', "
                      "optimize: Any = False)",
         .doc = "Sum of products over indices: einsum('ij,jk->ik', a, b) is a matrix product. A repeated letter within one "
                "operand takes a diagonal, a letter that the output lacks is summed over, '...' broadcasts.",
         .body = einsum_body, .checks_fp = true});
}

}  // namespace isthmus
