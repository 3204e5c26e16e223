// Attention computed directly from its definition, with float sums, for any head. A warp has a row and a head, and a
// lane has every 32nd element of the head. This kernel is the reference for the flash kernels, and runs for shapes that
// they do not support.
#include "plain-attention.h"

#include <cmath>

#include "../simt/simt.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

constexpr int elements_of_lane = plain_attention_largest_head / warp_size;

/** A head's vector of a row, spread over a warp. Elements from `size` on are zero. */
struct Vector {
  float own[elements_of_lane];

  DEVICE void add(float factor, const Vector& other) {
    for (int i = 0; i < elements_of_lane; ++i) own[i] += factor * other.own[i];
  }
  DEVICE void multiply(float factor) {
    for (int i = 0; i < elements_of_lane; ++i) own[i] *= factor;
  }
};

template <class T>
DEVICE Vector load(const T* from, int size) {
  Vector result;
  for (int i = 0; i < elements_of_lane; ++i) {
    const int d = lane_index() + i * warp_size;
    result.own[i] = d < size ? as_float(from[d]) : 0;
  }
  return result;
}

template <class T>
DEVICE void store(T* to, const Vector& vector, int size) {
  for (int i = 0; i < elements_of_lane; ++i) {
    const int d = lane_index() + i * warp_size;
    if (d < size) to[d] = from_float<T>(vector.own[i]);
  }
}

/** Warp. */
DEVICE float dot(const Vector& a, const Vector& b) {
  float sum = 0;
  for (int i = 0; i < elements_of_lane; ++i) sum += a.own[i] * b.own[i];
  return warp_sum(sum);
}

/** Returns the segment of a row. Warp. */
DEVICE int segment_of(const int32_t* starts, int segments, int row) {
  int last = 0;
  for (int s = lane_index(); s < segments; s += warp_size) {
    if (starts[s] <= row) last = s;
  }
  return warp_max(last);
}

/** Offset of head `head` of the row, counted through queries, keys and values. */
template <class T>
DEVICE const T* head_of(const PackedHeads<T>& in, int row, int head) {
  return in.qkv + int64_t{row} * in.stride + head * in.size;
}

template <class T>
DEVICE void forward(const AttentionForward<T>& a) {
  const PackedHeads<T>& in = a.in;
  const int row = static_cast<int>(blockIdx.x) * plain_attention_rows + warp_index();
  const int head = static_cast<int>(blockIdx.y);
  if (row >= in.rows) return;
  const int first = in.starts[segment_of(in.starts, in.segments, row)];
  const int key_head = in.query_heads + head / (in.query_heads / in.kv_heads), value_head = key_head + in.kv_heads;
  const Vector query = load(head_of(in, row, head), in.size);
  Vector sum = {};
  float highest = -INFINITY, weight = 0;
  for (int other = first; other <= row; ++other) {
    const float score = in.scale * dot(query, load(head_of(in, other, key_head), in.size));
    const float higher = score > highest ? score : highest;
    const float kept = expf(highest - higher), own = expf(score - higher);
    sum.multiply(kept);
    sum.add(own, load(head_of(in, other, value_head), in.size));
    weight = weight * kept + own;
    highest = higher;
  }
  sum.multiply(1 / weight);
  store(a.out + (static_cast<int64_t>(row) * in.query_heads + head) * in.size, sum, in.size);
  if (a.log_sum && lane_index() == 0) {
    a.log_sum[static_cast<int64_t>(row) * in.query_heads + head] = highest + logf(weight);
  }
}

/** A query's data for gradients. With key k and value v, P = exp(scale q k - log_sum), dS = P (dO v - D). */
struct Query {
  Vector q;
  Vector dout;
  float log_sum;
  /** Mean D = dO O. */
  float mean;
};

/** Warp. */
template <class T>
DEVICE Query load_query(const AttentionGradient<T>& a, int row, int head) {
  const int64_t index = static_cast<int64_t>(row) * a.in.query_heads + head;
  const Vector out = load(a.out + index * a.in.size, a.in.size);
  Query query = {load(head_of(a.in, row, head), a.in.size), load(a.dout + index * a.in.size, a.in.size),
                 a.log_sum[index], 0};
  query.mean = dot(query.dout, out);
  return query;
}

template <class T>
DEVICE void query_gradient(const AttentionGradient<T>& a) {
  const PackedHeads<T>& in = a.in;
  const int row = static_cast<int>(blockIdx.x) * plain_attention_rows + warp_index();
  const int head = static_cast<int>(blockIdx.y);
  if (row >= in.rows) return;
  const int first = in.starts[segment_of(in.starts, in.segments, row)];
  const int key_head = in.query_heads + head / (in.query_heads / in.kv_heads), value_head = key_head + in.kv_heads;
  const Query query = load_query(a, row, head);
  Vector dq = {};
  for (int other = first; other <= row; ++other) {
    const Vector key = load(head_of(in, other, key_head), in.size);
    const float p = expf(in.scale * dot(query.q, key) - query.log_sum);
    dq.add(p * (dot(query.dout, load(head_of(in, other, value_head), in.size)) - query.mean), key);
  }
  dq.multiply(in.scale);
  store(a.dqkv + int64_t{row} * a.dqkv_stride + head * in.size, dq, in.size);
}

template <class T>
DEVICE void key_gradient(const AttentionGradient<T>& a) {
  const PackedHeads<T>& in = a.in;
  const int row = static_cast<int>(blockIdx.x) * plain_attention_rows + warp_index();
  const int kv_head = static_cast<int>(blockIdx.y);
  if (row >= in.rows) return;
  const int end = in.starts[segment_of(in.starts, in.segments, row) + 1];
  const int group = in.query_heads / in.kv_heads;
  const int key_head = in.query_heads + kv_head, value_head = key_head + in.kv_heads;
  const Vector key = load(head_of(in, row, key_head), in.size), value = load(head_of(in, row, value_head), in.size);
  Vector dk = {}, dv = {};
  for (int head = kv_head * group; head < (kv_head + 1) * group; ++head) {
    for (int other = row; other < end; ++other) {
      const Query query = load_query(a, other, head);
      const float p = expf(in.scale * dot(query.q, key) - query.log_sum);
      dv.add(p, query.dout);
      dk.add(p * (dot(query.dout, value) - query.mean), query.q);
    }
  }
  dk.multiply(in.scale);
  store(a.dqkv + int64_t{row} * a.dqkv_stride + key_head * in.size, dk, in.size);
  store(a.dqkv + int64_t{row} * a.dqkv_stride + value_head * in.size, dv, in.size);
}

}  // namespace

PALESTRA_KERNEL(plain_attention_bf16, AttentionForward<bf16>, plain_attention_threads) { forward(a); }
PALESTRA_KERNEL(plain_attention_f32, AttentionForward<float>, plain_attention_threads) { forward(a); }
PALESTRA_KERNEL(plain_query_gradient_bf16, AttentionGradient<bf16>, plain_attention_threads) { query_gradient(a); }
PALESTRA_KERNEL(plain_query_gradient_f32, AttentionGradient<float>, plain_attention_threads) { query_gradient(a); }
PALESTRA_KERNEL(plain_key_gradient_bf16, AttentionGradient<bf16>, plain_attention_threads) { key_gradient(a); }
PALESTRA_KERNEL(plain_key_gradient_f32, AttentionGradient<float>, plain_attention_threads) { key_gradient(a); }

}  // namespace palestra::cuda
