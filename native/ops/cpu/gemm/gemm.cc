#include "gemm.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "../../../core/failure.h"
#include "gemm-kernels.h"
#include "gemm-tiling.h"

namespace palestra {

namespace {

/** Limit of the packed part of a factor. The packed parts of both factors stay in the last-level cache. */
constexpr int64_t packed_a_bytes = 2 << 20;
constexpr int64_t packed_b_bytes = 4 << 20;
/** Limit of the packed depth of k, a multiple of the units of all kernels. */
constexpr int packed_depth = 2048;

/** Offset of element (row, column) of a factor, and the factor from that element on. */
template <class T>
Factor<T> from(const Factor<T>& factor, int row, int column) {
  const int64_t offset = factor.transposed ? column * factor.stride + row : row * factor.stride + column;
  return {factor.data + offset, factor.stride, factor.transposed};
}

template <class T>
int units_of(const GemmKernels<T>& kernels, int k) {
  return ceil_divide(k, kernels.depth);
}

template <class T>
void clear(Rows<T> c, int m, int n) {
  for (int i = 0; i < m; ++i) std::fill(c[i], c[i] + n, T{});
}

/** Number of lines of a factor packed at a time. */
int lines_at_a_time(int64_t most_bytes, int k, size_t value_bytes, int width) {
  const int64_t lines = most_bytes / (k * static_cast<int64_t>(value_bytes));
  return static_cast<int>(std::max<int64_t>(lines / width, 1) * width);
}

}  // namespace

template <>
const GemmKernels<float>& gemm_kernels(InstructionSet isa, bool bf16) {
#if defined(__x86_64__)
  if (isa >= InstructionSet::amx_bf16 && bf16) return gemm_amx_bf16;
  if (isa >= InstructionSet::avx512_bf16 && bf16) return gemm_avx512_bf16;
  if (isa >= InstructionSet::avx512 && !bf16) return gemm_avx512;
  if (isa >= InstructionSet::avx2) return bf16 ? gemm_avx2_bf16 : gemm_avx2;
#endif
  (void)isa;
  return bf16 ? gemm_scalar_bf16 : gemm_scalar;
}

template <>
const GemmKernels<double>& gemm_kernels(InstructionSet, bool) {
  return gemm_scalar_double;
}

template <class T>
struct Gemm<T>::State {
  /** A factor as `multiply` reads it: panels or, for a, plain rows. */
  struct Operand {
    const uint8_t* data;
    int64_t stride;  // in units
    size_t unit_bytes;
    bool packed;
  };

  /** The part of a product over at most `packed_depth` values of k. */
  struct Part {
    Rows<T> c;
    Factor<T> a;
    Factor<T> b;
    int m;
    int n;
    int depth;
    bool add;
  };

  Memory& memory;
  ThreadPool& pool;
  const GemmKernels<T>& plain;
  const GemmKernels<T>& rounded;
  bool bf16;
  Buffer<uint8_t> a_panels{}, b_panels{};

  const GemmKernels<T>& of(Dtype dtype) const;
  const GemmKernels<T>& default_kernels() const { return bf16 ? rounded : plain; }
  uint8_t* reserve(Buffer<uint8_t>& buffer, size_t bytes);
  Operand pack_a(const GemmKernels<T>& kernels, const Factor<T>& a, int m, int k, int height);
  Operand pack_b(const GemmKernels<T>& kernels, const Factor<T>& b, int n, int k);
  void multiply(const GemmKernels<T>& kernels, Rows<T> c, const Operand& a, const Operand& b, int m, int n, int k,
                int height, bool add);
  void multiply_part(const Part& part);
};

template <class T>
const GemmKernels<T>& Gemm<T>::State::of(Dtype dtype) const {
  if (sizeof(T) == sizeof(double) || dtype == Dtype::f32) return plain;
  if (dtype == Dtype::bf16) return rounded;
  throw Failure(Code::invalid_argument, "expected packed weights of f32 or bf16 but received type " +
                                            std::to_string(static_cast<int>(dtype)));
}

/** Scratch memory that only grows, up to the limit of packed values. */
template <class T>
uint8_t* Gemm<T>::State::reserve(Buffer<uint8_t>& buffer, size_t bytes) {
  if (buffer.size() < bytes) {
    buffer = Buffer<uint8_t>();
    buffer = Buffer<uint8_t>(memory, bytes, "packed factors of a matrix product");
  }
  return buffer.data();
}

/** Rows lie along k unless a is transposed. */
template <class T>
typename Gemm<T>::State::Operand Gemm<T>::State::pack_a(const GemmKernels<T>& kernels, const Factor<T>& a, int m, int k,
                                                        int height) {
  if (kernels.takes_rows && !a.transposed)
    return {reinterpret_cast<const uint8_t*>(a.data), a.stride, kernels.a_unit_bytes, false};
  const int64_t stride = static_cast<int64_t>(units_of(kernels, k)) * height;
  const int panels = ceil_divide(m, height);
  uint8_t* data = reserve(a_panels, panels * stride * kernels.a_unit_bytes);
  const int together = panels_of_tile(panels, int64_t{k} * height, pool.threads());
  pool.run(ceil_divide(panels, together), [&](int tile) {
    const int first = tile * together * height;
    const int count = std::min(together * height, m - first);
    kernels.pack_a(data + tile * together * stride * kernels.a_unit_bytes,
                   {from(a, first, 0).data, a.stride, !a.transposed, count, k}, height);
  });
  return {data, stride, kernels.a_unit_bytes, true};
}

/** Columns lie along k when b is transposed. */
template <class T>
typename Gemm<T>::State::Operand Gemm<T>::State::pack_b(const GemmKernels<T>& kernels, const Factor<T>& b, int n,
                                                        int k) {
  const int64_t stride = static_cast<int64_t>(units_of(kernels, k)) * kernels.columns;
  const int panels = ceil_divide(n, kernels.columns);
  uint8_t* data = reserve(b_panels, panels * stride * kernels.b_unit_bytes);
  const int together = panels_of_tile(panels, int64_t{k} * kernels.columns, pool.threads());
  pool.run(ceil_divide(panels, together), [&](int tile) {
    const int first = tile * together * kernels.columns;
    const int count = std::min(together * kernels.columns, n - first);
    kernels.pack_b(data + tile * together * stride * kernels.b_unit_bytes,
                   {from(b, 0, first).data, b.stride, b.transposed, count, k});
  });
  return {data, stride, kernels.b_unit_bytes, true};
}

/** Computes c (m, n) = or += a b, cut into tiles of c. Each tile goes through k in blocks that fit the caches. */
template <class T>
void Gemm<T>::State::multiply(const GemmKernels<T>& kernels, Rows<T> c, const Operand& a, const Operand& b, int m,
                              int n, int k, int height, bool add) {
  const int units = units_of(kernels, k);
  const int panel_bytes = static_cast<int>(kernels.columns * kernels.b_unit_bytes);
  const GemmTile tile_sizes{height, kernels.columns, panel_bytes, kernels.cached_units, kernels.speed};
  const GemmTiling tiles = tile_product({m, n, k, units}, tile_sizes, pool.threads());
  const int row_blocks = ceil_divide(m, tiles.rows);
  const int column_blocks = ceil_divide(n, tiles.columns);

  pool.run(row_blocks * column_blocks, [&](int tile) {
    const int row = tile % row_blocks * tiles.rows;
    const int column = tile / row_blocks * tiles.columns;
    const int column_end = std::min(column + tiles.columns, n);
    GemmBlock<T> block;
    block.a_height = height;
    block.a_packed = a.packed;
    block.a_stride = a.stride;
    block.b_stride = b.stride;
    block.c_stride = c.stride;
    block.rows = std::min(tiles.rows, m - row);
    block.units_ahead = tiles.units_ahead;
    const int64_t a_first = a.packed ? row / height * a.stride : row * a.stride;
    for (int j = column; j < column_end; j += tiles.columns_at_once) {
      const int64_t b_first = j / kernels.columns * b.stride;
      block.c = c[row] + j;
      block.columns = std::min(tiles.columns_at_once, column_end - j);
      for (int u = 0; u < units; u += tiles.units_at_once) {
        block.a = a.data + (a_first + u * (a.packed ? height : 1)) * a.unit_bytes;
        block.b = b.data + (b_first + u * kernels.columns) * b.unit_bytes;
        block.units = std::min(tiles.units_at_once, units - u);
        block.add = add || u > 0;
        kernels.multiply(block);
      }
    }
  });
}

/**
 * Packs as many lines of both factors as fit the limits, and multiplies them. If neither factor fits, one of them is
 * packed again for each part of the other one: the factor that costs less.
 */
template <class T>
void Gemm<T>::State::multiply_part(const Part& part) {
  const auto& [c, a, b, m, n, depth, add] = part;
  const GemmKernels<T>& kernels = default_kernels();
  const bool packs_a = a.transposed || !kernels.takes_rows;
  const int packed_rows = lines_at_a_time(packed_a_bytes, depth, kernels.a_unit_bytes / kernels.depth, kernels.rows);
  const int most_rows = packs_a ? packed_rows : m;
  const int most_columns =
      lines_at_a_time(packed_b_bytes, depth, kernels.b_unit_bytes / kernels.depth, kernels.columns);
  const int row_parts = ceil_divide(m, most_rows), column_parts = ceil_divide(n, most_columns);
  const bool by_columns = int64_t{column_parts - 1} * m < int64_t{row_parts - 1} * n;

  Operand packed_a{}, packed_b{};
  int row = -1, column = -1, height = 0;
  for (int t = 0; t < row_parts * column_parts; ++t) {
    const int i = (by_columns ? t % row_parts : t / column_parts) * most_rows;
    const int j = (by_columns ? t / row_parts : t % column_parts) * most_columns;
    const int rows = std::min(most_rows, m - i), columns = std::min(most_columns, n - j);
    if (i != row) {
      height = height_for(rows, kernels.rows);
      packed_a = pack_a(kernels, from(a, i, 0), rows, depth, height);
    }
    if (j != column) packed_b = pack_b(kernels, from(b, 0, j), columns, depth);
    row = i;
    column = j;
    multiply(kernels, {c[i] + j, c.stride}, packed_a, packed_b, rows, columns, depth, height, add);
  }
}

template <class T>
Gemm<T>::Gemm(Memory& memory, ThreadPool& pool, InstructionSet isa, bool bf16)
    : state_(new State{memory, pool, gemm_kernels<T>(isa, false), gemm_kernels<T>(isa, true), bf16}) {}

template <class T>
Gemm<T>::~Gemm() = default;

template <class T>
void Gemm<T>::run(Rows<T> c, Factor<T> a, Factor<T> b, int m, int n, int k, Into into) {
  if (m <= 0 || n <= 0) return;
  if (k <= 0) {
    if (into == Into::assign) clear(c, m, n);
    return;
  }
  for (int p = 0; p < k; p += packed_depth) {
    const int depth = std::min(packed_depth, k - p);
    state_->multiply_part({c, from(a, 0, p), from(b, p, 0), m, n, depth, into == Into::add || p > 0});
  }
}

template <class T>
size_t Gemm<T>::packed_bytes(int n, int k, Dtype dtype) const {
  const GemmKernels<T>& kernels = state_->of(dtype);
  return static_cast<size_t>(round_up(n, kernels.columns)) * units_of(kernels, k) * kernels.b_unit_bytes;
}

template <class T>
void Gemm<T>::pack(void* packed, const T* w, int64_t stride, int n, int k, Dtype dtype) {
  const GemmKernels<T>& kernels = state_->of(dtype);
  const size_t panel_bytes = packed_bytes(1, k, dtype);
  state_->pool.run(ceil_divide(n, kernels.columns), [&](int panel) {
    const int first = panel * kernels.columns;
    kernels.pack_b(static_cast<uint8_t*>(packed) + panel * panel_bytes,
                   {w + first * stride, stride, true, std::min(kernels.columns, n - first), k});
  });
}

template <class T>
void Gemm<T>::run_packed(Rows<T> c, Rows<const T> a, const void* packed, Dtype dtype, int m, int n, int k, Into into) {
  if (m <= 0 || n <= 0) return;
  if (k <= 0) {
    if (into == Into::assign) clear(c, m, n);
    return;
  }
  const GemmKernels<T>& kernels = state_->of(dtype);
  const int64_t stride = static_cast<int64_t>(units_of(kernels, k)) * kernels.columns;
  const typename State::Operand b{static_cast<const uint8_t*>(packed), stride, kernels.b_unit_bytes, true};
  const int packed_rows = lines_at_a_time(packed_a_bytes, k, kernels.a_unit_bytes / kernels.depth, kernels.rows);
  const int most_rows = kernels.takes_rows ? m : std::min(m, packed_rows);
  for (int i = 0; i < m; i += most_rows) {
    const int rows = std::min(most_rows, m - i);
    const int height = height_for(rows, kernels.rows);
    const auto a_part = state_->pack_a(kernels, {a[i], a.stride}, rows, k, height);
    state_->multiply(kernels, {c[i], c.stride}, a_part, b, rows, n, k, height, into == Into::add);
  }
}

template <class T>
void Gemm<T>::unpack_row(T* row, const void* packed, Dtype dtype, int, int k, int index) const {
  const GemmKernels<T>& kernels = state_->of(dtype);
  const auto* panel = static_cast<const uint8_t*>(packed) + index / kernels.columns * packed_bytes(1, k, dtype);
  kernels.unpack_b(row, panel, index % kernels.columns, k);
}

template <class T>
const char* Gemm<T>::path() const {
  return state_->default_kernels().name;
}

template class Gemm<float>;
template class Gemm<double>;

}  // namespace palestra
