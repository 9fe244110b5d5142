// kernels/strided_loop.cc: the strided loop (see the header).
// SPDX-License-Identifier: Apache-2.0
#include "kernels/strided_loop.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "engine/engine.h"

namespace isthmus {
namespace {

// A loop nest in byte strides, outermost dimension first, operands in columns.
struct Plan {
  int ndim = 0;
  int nop = 0;
  int64_t shape[kMaxDims];
  int64_t strides[kMaxOperands + 1][kMaxDims];
};

// Orders dimensions so that the last one has the smallest steps (outputs decide before inputs),
// drops dimensions of length one and merges neighbours that form one run in every operand.
void collapse(Plan* p, int first_key) {
  int nd = 0;
  for (int d = 0; d < p->ndim; ++d) {
    if (p->shape[d] == 1) continue;
    if (nd != d) {
      p->shape[nd] = p->shape[d];
      for (int k = 0; k < p->nop; ++k) p->strides[k][nd] = p->strides[k][d];
    }
    ++nd;
  }
  p->ndim = nd;
  auto before = [&](int a, int b) {  // a should be outside b
    for (int j = 0; j < p->nop; ++j) {
      int k = (first_key + j) % p->nop;
      int64_t sa = std::abs(p->strides[k][a]), sb = std::abs(p->strides[k][b]);
      if (sa == 0 || sb == 0 || sa == sb) continue;
      return sa > sb;
    }
    return true;
  };
  for (int i = 1; i < nd; ++i) {  // insertion sort: mostly sorted, few dimensions
    for (int j = i; j > 0 && !before(j - 1, j); --j) {
      std::swap(p->shape[j - 1], p->shape[j]);
      for (int k = 0; k < p->nop; ++k) std::swap(p->strides[k][j - 1], p->strides[k][j]);
    }
  }
  int last = 0;
  for (int d = 1; d < nd; ++d) {
    bool merge = true;
    for (int k = 0; k < p->nop && merge; ++k)
      merge = p->strides[k][last] == p->strides[k][d] * p->shape[d];
    if (merge) {
      p->shape[last] *= p->shape[d];
      for (int k = 0; k < p->nop; ++k) p->strides[k][last] = p->strides[k][d];
    } else {
      ++last;
      p->shape[last] = p->shape[d];
      for (int k = 0; k < p->nop; ++k) p->strides[k][last] = p->strides[k][d];
    }
  }
  if (nd > 0) p->ndim = last + 1;
}

// Calls inner(ptrs) once for each position of the outer dimensions (all but the last `inner_dims`).
// The last of them is a plain loop; counters turn only outside it. `inner` must leave ptrs as they
// are.
template <class F>
void for_outer(const Plan& p, char** ptrs, int inner_dims, F&& inner) {
  const int outer = p.ndim - inner_dims;
  if (outer <= 0) {
    inner(ptrs);
    return;
  }
  const int last = outer - 1;
  const int64_t count = p.shape[last];
  int64_t step[kMaxOperands + 1];
  for (int k = 0; k < p.nop; ++k) step[k] = p.strides[k][last];
  int64_t index[kMaxDims];
  std::fill_n(index, last, 0);
  while (true) {
    for (int64_t i = 0; i < count; ++i) {
      inner(ptrs);
      for (int k = 0; k < p.nop; ++k) ptrs[k] += step[k];
    }
    if (last == 0) return;
    for (int k = 0; k < p.nop; ++k) ptrs[k] -= step[k] * count;
    int d = last - 1;
    for (; d >= 0; --d) {
      for (int k = 0; k < p.nop; ++k) ptrs[k] += p.strides[k][d];
      if (++index[d] < p.shape[d]) break;
      for (int k = 0; k < p.nop; ++k) ptrs[k] -= p.strides[k][d] * p.shape[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

// A short last dimension beside a long one: run along the long one instead, a block of it at a time
// so that the passes over the block stay in cache. Only for work whose order does not matter. The
// dimension to run along, or -1.
constexpr int64_t kShortRow = 8;
constexpr int64_t kBlockRows = 1024;
int longer_dimension(const Plan& p) {
  if (p.ndim < 2 || p.shape[p.ndim - 1] > kShortRow) return -1;
  int best = 0;
  for (int d = 1; d + 1 < p.ndim; ++d)
    if (p.shape[d] > p.shape[best]) best = d;
  return p.shape[best] >= 4 * p.shape[p.ndim - 1] ? best : -1;
}

constexpr intptr_t kChunk = 8192 / 8;  // elements that go through the cast buffers at a time

// Runs the inner loop over one row, converting through buffers where dtypes differ.
struct CastingRow {
  const Loop& loop;
  int nin, nop;
  CastFn in[kMaxOperands] = {};
  CastFn out[kMaxOperands] = {};
  int loop_isz[kMaxOperands] = {};
  alignas(16) char buffer[kMaxOperands][kChunk * 16];

  CastingRow(const Loop& l, int nin_, int nop_, const LoopOperand* ops)
      : loop(l), nin(nin_), nop(nop_) {
    for (int k = 0; k < nop; ++k) {
      loop_isz[k] = itemsize(ops[k].loop_dt);
      if (ops[k].dt == ops[k].loop_dt) continue;
      if (k < nin) in[k] = get_cast(ops[k].dt, ops[k].loop_dt);
      else out[k] = get_cast(ops[k].loop_dt, ops[k].dt);
    }
  }

  void run(char** ptrs, intptr_t n, const intptr_t* strides) {
    char* args[kMaxOperands];
    intptr_t steps[kMaxOperands];
    char* at[kMaxOperands];
    std::copy(ptrs, ptrs + nop, at);
    for (intptr_t done = 0; done < n; done += kChunk) {
      intptr_t m = std::min(kChunk, n - done);
      for (int k = 0; k < nop; ++k) {
        if (!in[k] && !out[k]) {
          args[k] = at[k];
          steps[k] = strides[k];
          continue;
        }
        args[k] = buffer[k];
        steps[k] = loop_isz[k];
        if (in[k]) {
          if (strides[k] == 0) {
            in[k](at[k], 0, buffer[k], 0, 1);
            steps[k] = 0;
          } else {
            in[k](at[k], strides[k], buffer[k], loop_isz[k], m);
          }
        }
      }
      loop.fn(args, &m, steps, loop.data);
      for (int k = nin; k < nop; ++k) {
        if (out[k]) out[k](buffer[k], loop_isz[k], at[k], strides[k], m);
      }
      for (int k = 0; k < nop; ++k) at[k] += strides[k] * m;
    }
  }
};

// Calls row(ptrs, n) for each run of true elements of the mask.
template <class F>
void masked_runs(char** ptrs, int nop, intptr_t n, const intptr_t* strides, const char* mask,
                 intptr_t mask_stride, F&& row) {
  char* at[kMaxOperands];
  intptr_t i = 0;
  while (i < n) {
    while (i < n && !mask[i * mask_stride]) ++i;
    intptr_t start = i;
    while (i < n && mask[i * mask_stride]) ++i;
    if (i == start) break;
    for (int k = 0; k < nop; ++k) at[k] = ptrs[k] + start * strides[k];
    row(at, i - start);
  }
}

}  // namespace

namespace {
inline Loop for_row(const Loop& loop, intptr_t n) {
  return n <= kSmallRow && loop.small ? Loop{loop.small, nullptr} : loop;
}

// Loops may use the pointers they are given as their own variables; SciPy's do.
inline void call_row(const Loop& loop, int nop, char** at, intptr_t n, const intptr_t* strides) {
  char* args[kMaxOperands];
  for (int k = 0; k < nop; ++k) args[k] = at[k];
  loop.fn(args, &n, strides, loop.data);
}
}  // namespace

void run_loop(const Loop& given, int nin, int nop, const LoopOperand* operands, Dims shape,
              const char* mask, const int64_t* mask_strides) {
  int64_t total = product(shape);
  if (total == 0) return;
  Plan p;
  p.ndim = static_cast<int>(shape.size());
  p.nop = nop + (mask ? 1 : 0);
  bool casts = false;
  char* ptrs[kMaxOperands + 1];
  for (int d = 0; d < p.ndim; ++d) p.shape[d] = shape[static_cast<size_t>(d)];
  for (int k = 0; k < nop; ++k) {
    int isz = itemsize(operands[k].dt);
    ptrs[k] = operands[k].data;
    casts |= operands[k].dt != operands[k].loop_dt;
    for (int d = 0; d < p.ndim; ++d) p.strides[k][d] = operands[k].strides[d] * isz;
  }
  if (mask) {
    ptrs[nop] = const_cast<char*>(mask);
    for (int d = 0; d < p.ndim; ++d) p.strides[nop][d] = mask_strides[d];
  }
  collapse(&p, nin < nop ? nin : 0);
  LongWork long_work(total);
  intptr_t n = p.ndim ? p.shape[p.ndim - 1] : 1;
  intptr_t strides[kMaxOperands + 1];
  for (int k = 0; k < p.nop; ++k) strides[k] = p.ndim ? p.strides[k][p.ndim - 1] : 0;

  const Loop loop = for_row(given, n);
  if (!casts && !mask) {
    if (int along = longer_dimension(p); along >= 0) {
      const int64_t rows = p.shape[along];
      // The built-in loop where there is one: some of NumPy's vectorised loops (isnan, signbit,
      // negative) are wrong for results that are not contiguous, which NumPy itself hardly ever
      // asks of them.
      const Loop turned = given.small ? Loop{given.small, nullptr} : given;
      intptr_t down[kMaxOperands];
      for (int k = 0; k < nop; ++k) down[k] = p.strides[k][along];
      --p.ndim;
      for (int d = along; d < p.ndim; ++d) {
        p.shape[d] = p.shape[d + 1];
        for (int k = 0; k < nop; ++k) p.strides[k][d] = p.strides[k][d + 1];
      }
      for (int64_t r = 0; r < rows; r += kBlockRows) {
        intptr_t m = std::min(kBlockRows, rows - r);
        char* at_block[kMaxOperands];
        for (int k = 0; k < nop; ++k) at_block[k] = ptrs[k] + r * down[k];
        for_outer(p, at_block, 0, [&](char** at) { call_row(turned, nop, at, m, down); });
      }
      return;
    }
    if (p.ndim <= 1) return loop.fn(ptrs, &n, strides, loop.data);
    for_outer(p, ptrs, 1, [&](char** at) { call_row(loop, nop, at, n, strides); });
    return;
  }
  if (!casts) {
    for_outer(p, ptrs, 1, [&](char** at) {
      masked_runs(at, nop, n, strides, at[nop], strides[nop],
                  [&](char** run, intptr_t m) { loop.fn(run, &m, strides, loop.data); });
    });
    return;
  }
  CastingRow row(loop, nin, nop, operands);
  for_outer(p, ptrs, 1, [&](char** at) {
    if (mask) {
      masked_runs(at, nop, n, strides, at[nop], strides[nop],
                  [&](char** run, intptr_t m) { row.run(run, m, strides); });
    } else {
      row.run(at, n, strides);
    }
  });
}

void run_reduce(const Loop& given, const LoopOperand& out, const LoopOperand& in, Dims shape,
                const char* mask, const int64_t* mask_strides) {
  int64_t total = product(shape);
  if (total == 0) return;
  Plan p;
  p.ndim = static_cast<int>(shape.size());
  p.nop = mask ? 3 : 2;
  int osz = itemsize(out.dt), isz = itemsize(in.dt);
  for (int d = 0; d < p.ndim; ++d) {
    p.shape[d] = shape[static_cast<size_t>(d)];
    p.strides[0][d] = out.strides[d] * osz;
    p.strides[1][d] = in.strides[d] * isz;
    if (mask) p.strides[2][d] = mask_strides[d];
  }
  collapse(&p, 1);
  LongWork long_work(total);
  intptr_t n = p.ndim ? p.shape[p.ndim - 1] : 1;
  intptr_t strides[3];
  for (int k = 0; k < p.nop; ++k) strides[k] = p.ndim ? p.strides[k][p.ndim - 1] : 0;
  char* ptrs[3] = {out.data, in.data, const_cast<char*>(mask)};
  const Loop loop = for_row(given, n);
  CastFn cast = in.dt == in.loop_dt ? nullptr : get_cast(in.dt, in.loop_dt);
  const int lsz = itemsize(in.loop_dt);
  alignas(16) char buffer[kChunk * 16];
  auto row = [&](char** at, intptr_t count) {
    if (!cast) {
      char* args[3] = {at[0], at[1], at[0]};
      intptr_t steps[3] = {strides[0], strides[1], strides[0]};
      loop.fn(args, &count, steps, loop.data);
      return;
    }
    char *o = at[0], *i = at[1];
    intptr_t steps[3] = {strides[0], lsz, strides[0]};
    for (intptr_t done = 0; done < count; done += kChunk) {
      intptr_t m = std::min(kChunk, count - done);
      cast(i, strides[1], buffer, lsz, m);
      char* args[3] = {o, buffer, o};
      loop.fn(args, &m, steps, loop.data);
      o += strides[0] * m;
      i += strides[1] * m;
    }
  };
  for_outer(p, ptrs, 1, [&](char** at) {
    if (mask) masked_runs(at, 2, n, strides, at[2], strides[2], row);
    else row(at, n);
  });
}

namespace {

// Transposes a K by K block through a buffer: whole runs are read from each column and written to
// each row.
template <class T, int K>
inline void transpose_block(char* dst, int64_t dst_row, const char* src, int64_t src_col) {
  T in[K][K], out[K];
  for (int c = 0; c < K; ++c) std::memcpy(in[c], src + c * src_col, sizeof(T) * K);
  for (int r = 0; r < K; ++r) {
    for (int c = 0; c < K; ++c) out[c] = in[c][r];
    std::memcpy(dst + r * dst_row, out, sizeof(T) * K);
  }
}

// Transposing copy of one dtype size: dst rows are contiguous, src columns are. Tiles keep both in
// cache.
template <class T>
void copy_tiles(char* dst, int64_t dst_row, const char* src, int64_t src_col, int64_t rows,
                int64_t cols) {
  // dst[r][c] at dst + r*dst_row + c*sizeof(T); src[r][c] at src + r*sizeof(T) + c*src_col
  constexpr int64_t kSize = sizeof(T), kBlock = kSize == 1 || kSize == 8 ? 8 : 16;
  // Wide elements that fit the second cache are fastest without the buffer.
  const bool blocks = kSize < 8 || (kSize == 8 && rows * cols > (1 << 16));
  const int64_t tile_rows = blocks ? 64 : 8;
  for (int64_t r0 = 0; r0 < rows; r0 += tile_rows) {
    const int64_t r1 = std::min(rows, r0 + tile_rows);
    for (int64_t c0 = 0; c0 < cols; c0 += kBlock) {
      int64_t r = r0;
      const char* from = src + c0 * src_col;
      char* to = dst + c0 * kSize;
      if (c0 + kBlock <= cols) {
        if constexpr (kSize <= 8) {
          for (; blocks && r + kBlock <= r1; r += kBlock)
            transpose_block<T, kBlock>(to + r * dst_row, dst_row, from + r * kSize, src_col);
        }
        for (; r < r1; ++r)
          for (int64_t c = 0; c < kBlock; ++c)
            std::memcpy(to + r * dst_row + c * kSize, from + r * kSize + c * src_col, kSize);
      } else {
        for (; r < r1; ++r)
          for (int64_t c = 0; c < cols - c0; ++c)
            std::memcpy(to + r * dst_row + c * kSize, from + r * kSize + c * src_col, kSize);
      }
    }
  }
}

struct Pair128 {
  uint64_t lo, hi;
};

void copy_tiles_of(int isz, char* dst, int64_t dst_row, const char* src, int64_t src_col,
                   int64_t rows, int64_t cols) {
  switch (isz) {
    case 1: return copy_tiles<uint8_t>(dst, dst_row, src, src_col, rows, cols);
    case 2: return copy_tiles<uint16_t>(dst, dst_row, src, src_col, rows, cols);
    case 4: return copy_tiles<uint32_t>(dst, dst_row, src, src_col, rows, cols);
    case 8: return copy_tiles<uint64_t>(dst, dst_row, src, src_col, rows, cols);
    default: return copy_tiles<Pair128>(dst, dst_row, src, src_col, rows, cols);
  }
}

}  // namespace

void copy_strided(char* dst, const int64_t* dst_strides, DType dst_dt, const char* src,
                  const int64_t* src_strides, DType src_dt, Dims shape) {
  int64_t total = product(shape);
  if (total == 0) return;
  Plan p;
  p.ndim = static_cast<int>(shape.size());
  p.nop = 2;
  int dsz = itemsize(dst_dt), ssz = itemsize(src_dt);
  for (int d = 0; d < p.ndim; ++d) {
    p.shape[d] = shape[static_cast<size_t>(d)];
    p.strides[0][d] = dst_strides[d] * dsz;
    p.strides[1][d] = src_strides[d] * ssz;
  }
  collapse(&p, 0);
  LongWork long_work(total);
  char* ptrs[2] = {dst, const_cast<char*>(src)};
  intptr_t n = p.ndim ? p.shape[p.ndim - 1] : 1;
  intptr_t ds = p.ndim ? p.strides[0][p.ndim - 1] : dsz,
           ss = p.ndim ? p.strides[1][p.ndim - 1] : ssz;
  if (dst_dt == src_dt) {
    if (ds == dsz && ss == ssz) {
      for_outer(p, ptrs, 1,
                [&](char** at) { std::memcpy(at[0], at[1], static_cast<size_t>(n * dsz)); });
      return;
    }
    if (p.ndim >= 2 && ds == dsz) {
      int j = p.ndim - 2;
      while (j >= 0 && p.strides[1][j] != ssz) --j;
      if (j >= 0 && p.shape[j] >= 4 && n >= 4) {
        int64_t rows = p.shape[j], row_step = p.strides[0][j];
        for (int d = j; d + 2 < p.ndim; ++d) {  // take dimension j out of the outer nest
          p.shape[d] = p.shape[d + 1];
          for (int k = 0; k < 2; ++k) p.strides[k][d] = p.strides[k][d + 1];
        }
        p.ndim -= 1;
        for_outer(p, ptrs, 1,
                  [&](char** at) { copy_tiles_of(dsz, at[0], row_step, at[1], ss, rows, n); });
        return;
      }
    }
  }
  CastFn fn = get_cast(src_dt, dst_dt);
  for_outer(p, ptrs, 1, [&](char** at) { fn(at[1], ss, at[0], ds, n); });
}

void copy_into(NDArrayObj* dst, const NDArrayObj* src) {
  if (dst->dt == src->dt && ((dst->c_contiguous() && src->c_contiguous()) ||
                             (dst->f_contiguous() && src->f_contiguous()))) {
    if (dst->size > 0) {
      LongWork long_work(dst->size);
      std::memmove(dst->data, src->data, dst->nbytes());
    }
    return;
  }
  copy_strided(dst->bytes(), dst->strides, dst->dt, src->bytes(), src->strides, src->dt,
               dst->dims());
}

void assign(NDArrayObj* dst, const NDArrayObj* src) {
  if (src->ndim == 0) {
    alignas(16) char value[16];
    cast_one(src->dt, src->data, dst->dt, value);
    fill(dst, value);
    return;
  }
  if (same_dims(dst->dims(), src->dims()) && !may_overlap(dst, src)) return copy_into(dst, src);
  Dims from = src->dims();
  const int64_t* strides = src->strides;
  // Leading axes of length one may be dropped, as NumPy does on assignment.
  while (from.size() > static_cast<size_t>(dst->ndim) && from[0] == 1) {
    from = from.subspan(1);
    ++strides;
  }
  bool fits = from.size() <= static_cast<size_t>(dst->ndim);
  for (size_t i = 0; fits && i < from.size(); ++i) {
    int64_t d = dst->shape[static_cast<size_t>(dst->ndim) - from.size() + i];
    fits = from[i] == d || from[i] == 1;
  }
  if (!fits) {
    fail_value("could not broadcast input array from shape ", shape_str(src->shape, src->ndim),
               " into shape ", shape_str(dst->shape, dst->ndim));
  }
  NDArray temporary;
  const char* data = src->bytes();
  int64_t wide[kMaxDims];
  if (may_overlap(dst, src)) {
    temporary = copy(src);
    data = temporary->bytes();
    strides = temporary->strides + (static_cast<size_t>(src->ndim) - from.size());
  }
  broadcast_strides(from, {strides, from.size()}, dst->dims(), wide);
  copy_strided(dst->bytes(), dst->strides, dst->dt, data, wide, src->dt, dst->dims());
}

void cast_one(DType from, const void* src, DType to, void* dst) {
  if (from == to) {
    std::memcpy(dst, src, static_cast<size_t>(itemsize(to)));
    return;
  }
  get_cast(from, to)(static_cast<const char*>(src), 0, static_cast<char*>(dst), 0, 1);
}

void fill(NDArrayObj* dst, const void* value) {
  int isz = dst->isz();
  int64_t zero[kMaxDims] = {};
  if (dst->c_contiguous() || dst->f_contiguous()) {
    LongWork long_work(dst->size);
    if (isz == 1) {
      std::memset(dst->data, *static_cast<const unsigned char*>(value),
                  static_cast<size_t>(dst->size));
      return;
    }
    auto run = [&]<class T>(T v) {
      std::memcpy(&v, value, sizeof(T));
      std::fill_n(static_cast<T*>(dst->data), dst->size, v);
    };
    switch (isz) {
      case 2: return run(uint16_t{});
      case 4: return run(uint32_t{});
      case 8: return run(uint64_t{});
      default: return run(Pair128{});
    }
  }
  copy_strided(dst->bytes(), dst->strides, dst->dt, static_cast<const char*>(value), zero, dst->dt,
               dst->dims());
}

}  // namespace isthmus
