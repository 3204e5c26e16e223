#include "paged-attention.h"

#include <cmath>
#include <string>

#include "../kernels/paged-attention/paged-attention.h"
#include "../launch/by-type.h"
#include "paged-batch.h"

namespace palestra::cuda {
namespace {

template <class T>
PageLayout layout_of(const Heads& heads, KeyValueFormat format) {
  return {heads.size, format == KeyValueFormat::fp8 ? 1 : static_cast<int>(sizeof(T))};
}

template <class T>
PagedAttentionArguments<T> arguments_of(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) {
  const CudaPagedBatch& batch = CudaPagedBatch::of(store);
  PagedAttentionArguments<T> a{};
  a.out = out;
  a.qkv = qkv.data;
  a.stride = qkv.stride;
  a.plan = batch.plan();
  a.pages = static_cast<const char*>(store.pages);
  a.page_bytes = static_cast<int64_t>(paged_bytes<T>(heads, batch.format()));
  a.partial_out = batch.partial_out();
  a.partial_sums = batch.partial_sums();
  a.scale = static_cast<float>(1 / (std::log(2.0) * std::sqrt(static_cast<double>(heads.size))));
  a.rows = batch.rows();
  a.query_heads = heads.query;
  a.kv_heads = heads.kv;
  a.head_size = heads.size;
  a.is_fp8 = batch.format() == KeyValueFormat::fp8;
  return a;
}

}  // namespace

template <class T>
size_t paged_bytes(const Heads& heads, KeyValueFormat format) {
  return static_cast<size_t>(heads.kv) * layout_of<T>(heads, format).head_bytes();
}

template <class T>
void paged_attention(Launcher& launcher, T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) {
  const CudaPagedBatch& batch = CudaPagedBatch::of(store);
  const PagedAttentionArguments<T> a = arguments_of(out, qkv, heads, store);
  if (a.rows == 0) return;
  const unsigned warps = static_cast<unsigned>(a.rows) * heads.query;
  const Grid by_row{(warps + block_warps - 1) / block_warps};
  const bool has_chunks = are_rows_aligned(qkv.data, qkv.stride * sizeof(T)) && are_aligned(out, a.pages);
  if (!has_tiles<T>(heads) || !has_chunks) {
    const char* const kernel = by_type<T>("paged_attention_plain_bf16", "paged_attention_plain_f32");
    return launcher.launch(kernel, by_row, paged_attention_threads, 0, a);
  }
  const std::string size = std::to_string(heads.size) + "_bf16";
  const std::string kernel = (a.is_fp8 ? "paged_attention_fp8_" : "paged_attention_") + size;
  const size_t shared_bytes = size_t{block_warps} * PagedPipeline{heads.size, a.is_fp8}.warp_bytes();
  if (batch.blocks() > 0) {
    launcher.launch(kernel.c_str(), {static_cast<unsigned>(batch.blocks())}, paged_attention_threads, shared_bytes, a);
  }
  if (batch.is_split()) launcher.launch(("paged_merge_" + size).c_str(), by_row, paged_attention_threads, 0, a);
}

template size_t paged_bytes<bf16>(const Heads&, KeyValueFormat);
template size_t paged_bytes<float>(const Heads&, KeyValueFormat);
template void paged_attention(Launcher&, bf16*, Rows<const bf16>, const Heads&, const PagedStore&);
template void paged_attention(Launcher&, float*, Rows<const float>, const Heads&, const PagedStore&);

}  // namespace palestra::cuda
