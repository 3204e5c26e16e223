#include "rotary.h"

#include <cmath>

#include "item.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

template <bool wide, class T>
DEVICE void rotate(const Rotate<T>& a) {
  constexpr int n = chunk_size<T>;
  const int half = a.head_size / 2;
  const unsigned chunks = static_cast<unsigned>(chunks_of<T>(half)), each = chunks * a.heads;
  const unsigned item = item_index();
  const int64_t row = item / each;
  if (row >= a.rows) return;
  const int head = static_cast<int>(item % each / chunks), first = static_cast<int>(item % chunks) * n;
  const int count = half - first;
  T* const low = a.x[row] + head * a.head_size + first;
  const float* const turns = a.turns + row * a.head_size + first;

  float x[n], y[n], cosine[n], sine[n];
  load<wide>(x, low, count);
  load<wide>(y, low + half, count);
  load<wide>(cosine, turns, count);
  load<wide>(sine, turns + half, count);
  for (int j = 0; j < n; ++j) {
    const float turned = x[j] * cosine[j] - y[j] * (a.direction * sine[j]);
    y[j] = y[j] * cosine[j] + x[j] * (a.direction * sine[j]);
    x[j] = turned;
  }
  store<wide>(low, x, count);
  store<wide>(low + half, y, count);
}

}  // namespace

/** Angles are double, because float cannot hold positions times frequencies. */
PALESTRA_KERNEL(rotary_turns_f32, RotaryTurns, rows_threads) {
  const unsigned half = static_cast<unsigned>(a.head_size) / 2, item = item_index();
  const int64_t row = item / half;
  const unsigned pair = item % half;
  if (row >= a.rows) return;
  const double angle = static_cast<double>(a.positions[row]) * static_cast<double>(a.frequencies[pair]);
  float* const turns = a.turns + row * a.head_size + pair;
  turns[0] = static_cast<float>(cos(angle));
  turns[half] = static_cast<float>(sin(angle));
}

PALESTRA_KERNEL(rotate_bf16, Rotate<bf16>, rows_threads) { a.wide ? rotate<true>(a) : rotate<false>(a); }
PALESTRA_KERNEL(rotate_f32, Rotate<float>, rows_threads) { a.wide ? rotate<true>(a) : rotate<false>(a); }

}  // namespace palestra::cuda
