#include "../kernels/gemm/gemm.h"
#include "gemm.h"

namespace palestra::cuda {

template <>
struct Gemm<float>::State {
  Launcher& launcher;

  void run(const FloatGemmArguments& a) {
    if (a.m == 0 || a.n == 0) return;
    const Grid grid = {static_cast<unsigned>(gemm_parts(a.n, float_gemm_columns)),
                       static_cast<unsigned>(gemm_parts(a.m, float_gemm_rows))};
    launcher.launch("gemm_f32", grid, float_gemm_threads, float_gemm_shared_bytes, a);
  }
};

template <>
Gemm<float>::Gemm(Launcher& launcher, Memory&, int) : state_(new State{launcher}) {}

template <>
Gemm<float>::~Gemm() = default;

template <>
void Gemm<float>::linear(Rows<float> y, Rows<const float> x, const Weight& w, const float* bias, int rows, Into into) {
  const FloatFactor left = {x.data, x.stride, 1}, right = {static_cast<const float*>(w.data), w.in, 1};
  state_->run({left, right, y.data, y.stride, bias, rows, w.out, w.in, into == Into::add});
}

template <>
void Gemm<float>::logits(Rows<float> y, Rows<const float> x, const Weight& w, int rows) {
  linear(y, x, w, nullptr, rows, Into::assign);
}

template <>
void Gemm<float>::linear_input_gradient(Rows<float> dx, Rows<const float> dy, const Weight& w, int rows, Into into) {
  const FloatFactor left = {dy.data, dy.stride, 1}, right = {static_cast<const float*>(w.data), 1, w.in};
  state_->run({left, right, dx.data, dx.stride, nullptr, rows, w.in, w.out, into == Into::add});
}

template <>
void Gemm<float>::linear_weight_gradient(float* dw, Rows<const float> dy, Rows<const float> x, int out, int in,
                                         int rows) {
  const FloatFactor left = {dy.data, 1, dy.stride}, right = {x.data, 1, x.stride};
  state_->run({left, right, dw, in, nullptr, out, in, rows, true});
}

template <>
void Gemm<float>::use_wgmma(Stream&, TensorMapEncoder) {}

template <>
std::string Gemm<float>::path() const {
  return "own float";
}

}  // namespace palestra::cuda
