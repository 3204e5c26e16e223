#include "prepare-heads.h"

#include <string>
#include <type_traits>

#include "../kernels/paged-attention/prepare-heads.h"
#include "../launch/by-type.h"
#include "paged-attention.h"
#include "paged-batch.h"

namespace palestra::cuda {
namespace {

template <class T>
PrepareHeadsArguments<T> arguments_of(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                                      const PagedStore* store) {
  PrepareHeadsArguments<T> a{};
  a.qkv = qkv.data;
  a.stride = qkv.stride;
  a.query_norm = how.query_norm;
  a.key_norm = how.key_norm;
  a.turns = how.turns;
  a.query_rstd = how.query_rstd;
  a.key_rstd = how.key_rstd;
  a.epsilon = how.epsilon;
  a.rows = rows;
  a.query_heads = heads.query;
  a.kv_heads = heads.kv;
  a.head_size = heads.size;
  if (store) {
    const CudaPagedBatch& batch = CudaPagedBatch::of(*store);
    a.plan = batch.plan().rows;
    a.pages = static_cast<char*>(store->pages);
    a.page_bytes = static_cast<int64_t>(paged_bytes<T>(heads, batch.format()));
    a.is_fp8 = batch.format() == KeyValueFormat::fp8;
  }
  return a;
}

}  // namespace

template <class T>
void prepare_heads(Launcher& launcher, Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                   const PagedStore* store) {
  if (rows == 0) return;
  const PrepareHeadsArguments<T> a = arguments_of(qkv, how, heads, rows, store);
  // Whether rows, norms and turns allow reads of four elements.
  const bool has_fours = is_aligned(qkv.data, 8) && qkv.stride % 4 == 0 && is_aligned(how.query_norm, 8) &&
                         is_aligned(how.key_norm, 8) && is_aligned(how.turns);
  const bool is_plain = !has_tiles<T>(heads) || !has_fours;
  const std::string kernel =
      std::string("prepare_heads_") + (is_plain ? "plain" : std::to_string(heads.size)) + by_type<T>("_bf16", "_f32");
  const int64_t vectors = int64_t{rows} * (heads.query + (store ? 2 : 1) * heads.kv);
  const int of_block = prepared_heads(heads.size, is_plain);
  launcher.launch(kernel.c_str(), {static_cast<unsigned>((vectors + of_block - 1) / of_block)}, prepare_heads_threads,
                  0, a);
}

template void prepare_heads(Launcher&, Rows<bf16>, const HeadPreparation<bf16>&, const Heads&, int, const PagedStore*);
template void prepare_heads(Launcher&, Rows<float>, const HeadPreparation<float>&, const Heads&, int,
                            const PagedStore*);

}  // namespace palestra::cuda
