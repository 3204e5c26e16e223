#include "rows.h"

#include "item.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

template <bool wide, class T>
DEVICE void gather_rows(const GatherRows<T>& a) {
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  const Words chunk = load_chunk<wide>(a.x[a.indices[i.row]] + i.column, a.width - i.column);
  store_chunk<wide>(a.y[i.row] + i.column, chunk, a.width - i.column);
}

template <bool wide, class T>
DEVICE void scatter_rows(const ScatterRows<T>& a) {
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  T* const to = a.x[a.indices[i.row]] + i.column;
  const int count = a.width - i.column;
  float sum[chunk_size<T>], more[chunk_size<T>];
  load<wide>(sum, to, count);
  load<wide>(more, a.y[i.row] + i.column, count);
  for (int j = 0; j < chunk_size<T>; ++j) sum[j] += more[j];
  store<wide>(to, sum, count);
}

template <bool wide, class T>
DEVICE void scale_rows(const ScaleRows<T>& a) {
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  T* const to = a.x[i.row] + i.column;
  const int count = a.width - i.column;
  float x[chunk_size<T>];
  load<wide>(x, to, count);
  for (int j = 0; j < chunk_size<T>; ++j) x[j] *= a.factor;
  store<wide>(to, x, count);
}

template <bool wide, class T>
DEVICE void repeat_row(const RepeatRow<T>& a) {
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  T* const to = a.y[i.row] + i.column;
  const int count = a.width - i.column;
  float sum[chunk_size<T>] = {}, more[chunk_size<T>];
  if (a.adds) load<wide>(sum, to, count);
  load<wide>(more, a.row + i.column, count);
  for (int j = 0; j < chunk_size<T>; ++j) sum[j] += more[j];
  store<wide>(to, sum, count);
}

template <bool wide, class T>
DEVICE void round_values(const RoundValues<T>& a, int64_t first, int count) {
  float values[neighbours];
  load<wide>(values, a.from + first, count);
  store<wide>(a.to + first, values, count);
}

template <bool wide>
DEVICE void add_values(const AddValues& a, int64_t first, int count) {
  float sum[neighbours], more[neighbours];
  load<wide>(sum, a.to + first, count);
  load<wide>(more, a.from + first, count);
  for (int j = 0; j < neighbours; ++j) sum[j] += more[j];
  store<wide>(a.to + first, sum, count);
}

template <class T>
DEVICE void round_values(const RoundValues<T>& a) {
  const Neighbours own = neighbours_of_thread(a.n);
  if (own.count <= 0) return;
  a.aligned && own.count == neighbours ? round_values<true>(a, own.first, own.count)
                                       : round_values<false>(a, own.first, own.count);
}

}  // namespace

PALESTRA_KERNEL(gather_rows_bf16, GatherRows<bf16>, rows_threads) {
  a.wide ? gather_rows<true>(a) : gather_rows<false>(a);
}
PALESTRA_KERNEL(gather_rows_f32, GatherRows<float>, rows_threads) {
  a.wide ? gather_rows<true>(a) : gather_rows<false>(a);
}

PALESTRA_KERNEL(scatter_rows_bf16, ScatterRows<bf16>, rows_threads) {
  a.wide ? scatter_rows<true>(a) : scatter_rows<false>(a);
}
PALESTRA_KERNEL(scatter_rows_f32, ScatterRows<float>, rows_threads) {
  a.wide ? scatter_rows<true>(a) : scatter_rows<false>(a);
}

PALESTRA_KERNEL(scale_rows_bf16, ScaleRows<bf16>, rows_threads) { a.wide ? scale_rows<true>(a) : scale_rows<false>(a); }
PALESTRA_KERNEL(scale_rows_f32, ScaleRows<float>, rows_threads) { a.wide ? scale_rows<true>(a) : scale_rows<false>(a); }

PALESTRA_KERNEL(repeat_row_bf16, RepeatRow<bf16>, rows_threads) { a.wide ? repeat_row<true>(a) : repeat_row<false>(a); }
PALESTRA_KERNEL(repeat_row_f32, RepeatRow<float>, rows_threads) { a.wide ? repeat_row<true>(a) : repeat_row<false>(a); }

PALESTRA_KERNEL(round_values_bf16, RoundValues<bf16>, rows_threads) { round_values(a); }
PALESTRA_KERNEL(round_values_f32, RoundValues<float>, rows_threads) { round_values(a); }

PALESTRA_KERNEL(add_values_f32, AddValues, rows_threads) {
  const Neighbours own = neighbours_of_thread(a.n);
  if (own.count <= 0) return;
  a.aligned && own.count == neighbours ? add_values<true>(a, own.first, own.count)
                                       : add_values<false>(a, own.first, own.count);
}

}  // namespace palestra::cuda
