#include "products.h"

#include <type_traits>

#include "../../../core/failure.h"
#include "../rows/rows.h"
#include "tensor-map-encoder.h"

namespace palestra::cuda {

namespace {

template <class T>
constexpr bool is_bf16 = std::is_same<T, bf16>::value;

template <class T>
void check(const Weight& w) {
  if (w.dtype == dtype_of<T>) return;
  throw Failure(Code::internal, "expected a weight of the activations' type but received another");
}

}  // namespace

template <class T>
Products<T>::Products(CudaStream& stream, bool own_kernels)
    : stream_(stream), own_(stream, stream.memory(), stream.device().properties().shared_bytes) {
  if (own_kernels) {
    no_cublas_ = "own kernels were asked for";
  } else if (!is_bf16<T>) {
    no_cublas_ = "float is for proofs";
  } else {
    cublas_ = CublasGemm::find(stream, &no_cublas_);
  }
  // If cuBLAS computes the large products, Palestra's own kernels only compute few rows, which gain nothing from wgmma.
  CudaDevice& device = stream.device();
  if (!cublas_ && is_bf16<T> && device.has_kernel("gemm_hopper_linear_128x128_bf16")) {
    own_.use_wgmma(stream, tensor_map_encoder(device.driver()));
  }
}

template <class T>
void Products<T>::linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) {
  check<T>(w);
  if constexpr (is_bf16<T>) {
    if (is_for_cublas(rows, fewest_forward_rows)) {
      if (bias) repeat_row(stream_, y, bias, w.out, rows, into);
      return cublas_->linear(y, x, w, rows, bias ? Into::add : into);
    }
  }
  own_.linear(y, x, w, bias, rows, into);
}

template <class T>
void Products<T>::linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) {
  check<T>(w);
  if constexpr (is_bf16<T>) {
    if (is_for_cublas(rows, fewest_rows)) return cublas_->input_gradient(dx, dy, w, rows, into);
  }
  own_.linear_input_gradient(dx, dy, w, rows, into);
}

template <class T>
void Products<T>::linear_weight_gradient(float* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) {
  if constexpr (is_bf16<T>) {
    if (is_for_cublas(rows, fewest_rows)) return cublas_->weight_gradient(dw, dy, x, out, in, rows);
  }
  own_.linear_weight_gradient(dw, dy, x, out, in, rows);
}

template <class T>
void Products<T>::logits(float* logits, Rows<const T> x, const Weight& w, int rows) {
  check<T>(w);
  const Rows<float> y{logits, w.out};
  if constexpr (is_bf16<T>) {
    if (is_for_cublas(rows, fewest_forward_rows)) return cublas_->linear(y, x, w, rows, Into::assign);
  }
  own_.logits(y, x, w, rows);
}

template <class T>
std::string Products<T>::path() const {
  if (cublas_) return "cuBLAS " + std::to_string(cublas_->version()) + ", " + own_.path() + " for few rows";
  return own_.path() + " (no cuBLAS: " + no_cublas_ + ")";
}

template class Products<bf16>;
template class Products<float>;

}  // namespace palestra::cuda
