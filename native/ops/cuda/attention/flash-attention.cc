#include "flash-attention.h"

#include <cmath>
#include <string>

#include "../../../core/failure.h"
#include "../driver/environment.h"
#include "../kernels/attention/flash-hopper.h"
#include "../kernels/attention/plain-attention.h"
#include "../launch/by-type.h"

namespace palestra::cuda {
namespace {

template <class T>
PackedHeads<T> packed_heads(Rows<const T> qkv, const Heads& heads, const Segments& segments) {
  PackedHeads<T> packed = {};
  packed.qkv = qkv.data;
  packed.stride = static_cast<int>(qkv.stride);
  packed.rows = segments.rows;
  packed.query_heads = heads.query;
  packed.kv_heads = heads.kv;
  packed.size = heads.size;
  packed.segments = segments.count;
  packed.starts = segments.starts;
  packed.scale = 1 / std::sqrt(static_cast<float>(heads.size));
  packed.log2_scale = packed.scale * flash_log2_e;
  return packed;
}

bool has_flash(const AttentionForward<bf16>& a) {
  const int size = a.in.size;
  return (size == 64 || size == 128) && are_rows_aligned(a.in.qkv, a.in.stride * 2) && is_aligned(a.out);
}

bool has_flash(const AttentionGradient<bf16>& a) {
  return has_flash(AttentionForward<bf16>{a.in, const_cast<bf16*>(a.out), nullptr}) && is_aligned(a.dout) &&
         are_rows_aligned(a.dqkv, a.dqkv_stride * 2);
}

std::string named(const char* kernel, int size) { return std::string(kernel) + "_" + std::to_string(size) + "_bf16"; }

Grid plain_grid(int rows, int heads) {
  return {static_cast<unsigned>((rows + plain_attention_rows - 1) / plain_attention_rows),
          static_cast<unsigned>(heads)};
}

template <class T>
Grid flash_grid(const PackedHeads<T>& in, int heads, int tile_rows, int kv_heads = 1) {
  return {static_cast<unsigned>(heads), static_cast<unsigned>(kv_heads),
          static_cast<unsigned>(flash_tile_numbers(in.rows, in.segments, tile_rows))};
}

/** Calls `launch` with the block of a head size, of the template for any size. */
template <template <int> class Block, class Launch>
void with_block(int size, const Launch& launch) {
  if (size == 64) {
    launch(Block<64>());
  } else {
    launch(Block<128>());
  }
}

/** Grows a buffer to at least `size` elements. Growing loses the content. */
template <class T>
T* reserve(Buffer<T>& buffer, Memory& memory, size_t size, const char* what) {
  if (buffer.size() < size) {
    buffer = Buffer<T>();
    buffer = Buffer<T>(memory, size, what);
  }
  return buffer.data();
}

}  // namespace

template <class T>
void FlashAttention::forward(T* out, float* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) {
  if (segments.rows == 0) return;
  const AttentionForward<T> a = {packed_heads(qkv, heads, segments), out, log_sum};
  if constexpr (std::is_same_v<T, bf16>) {
    if (has_flash(a)) return flash_forward(a);
  }
  launcher_.launch(by_type<T>("plain_attention_bf16", "plain_attention_f32"), plain_grid(segments.rows, heads.query),
                   plain_attention_threads, 0, a);
}

void FlashAttention::flash_forward(const AttentionForward<bf16>& a) {
  const PackedHeads<bf16>& in = a.in;
  if (wgmma_of(in.size).forward) {
    with_block<FlashHopperForwards>(in.size, [&](auto block) {
      launcher_.launch(named("flash_hopper_forward", in.size).c_str(), flash_grid(in, in.query_heads, block.held_rows),
                       block.threads, block.shared_bytes, FlashHopperForward{a, trouble_});
    });
    return;
  }
  launcher_.launch(named("flash_forward", in.size).c_str(), flash_grid(in, in.query_heads, flash_query_rows),
                   flash_threads, flash_forward_bytes(in.size), a);
}

template <class T>
void FlashAttention::gradient(Rows<T> dqkv, const T* dout, const T* out, const float* log_sum, Rows<const T> qkv,
                              const Heads& heads, const Segments& segments) {
  if (segments.rows == 0) return;
  const AttentionGradient<T> a = {packed_heads(qkv, heads, segments), dqkv.data, static_cast<int>(dqkv.stride),
                                  dout, out, log_sum};
  if constexpr (std::is_same_v<T, bf16>) {
    if (has_flash(a)) return flash_gradient(a);
  }
  launcher_.launch(by_type<T>("plain_query_gradient_bf16", "plain_query_gradient_f32"),
                   plain_grid(segments.rows, heads.query), plain_attention_threads, 0, a);
  launcher_.launch(by_type<T>("plain_key_gradient_bf16", "plain_key_gradient_f32"),
                   plain_grid(segments.rows, heads.kv), plain_attention_threads, 0, a);
}

/**
 * D is computed first. After D, blocks of queries compute dQ, and blocks of keys compute dK and dV. Both recompute S
 * and dP, so no block waits for another.
 */
void FlashAttention::flash_gradient(const AttentionGradient<bf16>& gradient) {
  const PackedHeads<bf16>& in = gradient.in;
  const int parts = flash_key_parts(in.query_heads, in.kv_heads);
  FlashHopperGradient a = {{gradient, nullptr, parts, in.query_heads / in.kv_heads / parts, nullptr}, trouble_};
  a.statistics = reserve(statistics_, memory_,
                         size_t{1} * in.query_heads * flash_statistics_rows(in.rows, in.segments),
                         "statistics of attention's queries");
  if (parts > 1) {
    a.partial = reserve(partial_, memory_, size_t{2} * parts * in.rows * in.kv_heads * in.size,
                        "gradients of keys and values by query head");
  }
  const int held = flash_held_rows(in.size);
  const FlashGradient& plain = a;
  const auto launch = [&](const char* kernel, Grid grid, int shared_bytes) {
    launcher_.launch(named(kernel, in.size).c_str(), grid, flash_threads, shared_bytes, plain);
  };
  launch("flash_statistics", flash_grid(in, in.query_heads, held), 0);
  if (wgmma_of(in.size).query_gradient) {
    with_block<FlashHopperQueries>(in.size, [&](auto block) {
      launcher_.launch(named("flash_hopper_query_gradient", in.size).c_str(),
                       flash_grid(in, in.query_heads, block.held_rows), block.threads, block.shared_bytes, a);
    });
  } else {
    launch("flash_query_gradient", flash_grid(in, in.query_heads, held), flash_gradient_bytes(in.size));
  }
  if (wgmma_of(in.size).key_gradient) {
    with_block<FlashHopperKeys>(in.size, [&](auto block) {
      launcher_.launch(named("flash_hopper_key_gradient", in.size).c_str(),
                       flash_grid(in, parts, block.held_rows, in.kv_heads), block.threads, block.shared_bytes, a);
    });
  } else {
    launch("flash_key_gradient", flash_grid(in, parts, held, in.kv_heads), flash_key_gradient_bytes(in.size));
  }
  if (parts > 1) {
    launcher_.launch("flash_key_sum_bf16", {static_cast<unsigned>(flash_key_sum_blocks(in.rows, in.kv_heads, in.size))},
                     flash_threads, 0, plain);
  }
}

void FlashAttention::use_wgmma(int head_size, const FlashHopperUse& use, int* trouble) {
  wgmma_of(head_size) = use;
  trouble_ = trouble;
}

void FlashAttention::use_wgmma(Stream& stream) {
  if (is_off("ENGINE_WGMMA")) return;
  const auto run = [&](const FlashTrialRun& given, const FlashHopperUse& use) {
    const int64_t width = given.heads.width();
    use_wgmma(given.heads.size, use, given.trouble);
    forward<bf16>(given.out, given.log_sum, {given.qkv, width}, given.heads, given.segments);
    gradient<bf16>({given.dqkv, width}, given.dout, given.out, given.log_sum, {given.qkv, width}, given.heads,
                   given.segments);
  };
  try {
    std::string wrong;
    for (const int size : {64, 128}) {
      const FlashTrial trial = try_flash_hopper(size, stream, run);
      use_wgmma(size, trial.right, nullptr);
      if (!trial.what.empty()) wrong += (wrong.empty() ? "" : ", ") + trial.what;
    }
    path_ = wrong.empty() ? "attention by wgmma" : "attention by wgmma in part: " + wrong;
  } catch (const Failure& failure) {
    throw Failure(failure.code(), std::string("trial of attention by wgmma: ") + failure.what() +
                                      "; with ENGINE_WGMMA=0 in its environment the engine does without");
  }
}

template void FlashAttention::forward(bf16*, float*, Rows<const bf16>, const Heads&, const Segments&);
template void FlashAttention::forward(float*, float*, Rows<const float>, const Heads&, const Segments&);
template void FlashAttention::gradient(Rows<bf16>, const bf16*, const bf16*, const float*, Rows<const bf16>,
                                       const Heads&, const Segments&);
template void FlashAttention::gradient(Rows<float>, const float*, const float*, const float*, Rows<const float>,
                                       const Heads&, const Segments&);

}  // namespace palestra::cuda
