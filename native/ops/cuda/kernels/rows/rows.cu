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

/** `philox` of core/philox.h. */
DEVICE Words random_words(Words counter, uint32_t low, uint32_t high) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{0xD2511F53} * counter.of[0];
    const uint64_t odd = uint64_t{0xCD9E8D57} * counter.of[2];
    counter = {{static_cast<uint32_t>(odd >> 32) ^ counter.of[1] ^ low, static_cast<uint32_t>(odd),
                static_cast<uint32_t>(even >> 32) ^ counter.of[3] ^ high, static_cast<uint32_t>(even)}};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

template <bool wide, class T>
DEVICE void drop_rows(const DropRows<T>& a) {
  const Item i = chunk_item<T>(a.width);
  if (i.row >= a.rows) return;
  const Dropout& d = a.dropout;
  T* const to = a.y[i.row] + i.column;
  const int count = a.width - i.column;
  float x[chunk_size<T>], sum[chunk_size<T>] = {};
  load<wide>(x, a.x[i.row] + i.column, count);
  if (a.adds) load<wide>(sum, to, count);
  const float scale = 1 / (1 - d.rate);
  const auto position = static_cast<uint32_t>(d.positions[i.row]);
  for (int first = 0; first < chunk_size<T>; first += 4) {
    const auto block = static_cast<uint32_t>((i.column + first) / 4);
    const Words words = random_words({{block, position, d.sequences[i.row], d.map}}, d.key[0], d.key[1]);
    for (int j = 0; j < 4; ++j) {
      // The upper 24 bits as a number from 0 to below 1, as `uniform` of core/philox.h.
      const bool is_dropped = static_cast<float>(words.of[j] >> 8) * 0x1p-24f < d.rate;
      if (!is_dropped) sum[first + j] += x[first + j] * scale;
    }
  }
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

PALESTRA_KERNEL(drop_rows_bf16, DropRows<bf16>, rows_threads) { a.wide ? drop_rows<true>(a) : drop_rows<false>(a); }
PALESTRA_KERNEL(drop_rows_f32, DropRows<float>, rows_threads) { a.wide ? drop_rows<true>(a) : drop_rows<false>(a); }

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
