// The host's part of wgmma: tensor maps, launches, the trial and its consequences. The kernels have no emulation; a
// plain loop that reads through the maps stands in for them.
#include "ops/cuda/gemm/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/failure.h"
#include "emulator/simt-emulated.h"
#include "host-stream.h"
#include "ops/cuda/kernels/gemm/gemm-result.h"

namespace palestra::cuda {
namespace {

enum class Fault { none, last_bits, values, never_ends, driver };

void encode(TensorMap& map, const TensorMapShape& shape) {
  static_assert(sizeof shape <= sizeof map);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(shape.data) % 16, 0u);
  EXPECT_EQ(shape.stride_bytes % 16, 0u);
  EXPECT_EQ(shape.box_width * sizeof(bf16), 128u);
  EXPECT_LE(shape.box_height, 256u);
  std::memcpy(&map, &shape, sizeof shape);
}

/** Emulates all kernels but those of wgmma. For these it computes what the arguments say, with or without a fault. */
class Hopper final : public Launcher {
 public:
  explicit Hopper(Fault fault) : fault_(fault) {}
  int multiprocessors() const override { return 4; }

  int products = 0;
  int most_blocks = 0;

 private:
  void launch_kernel(const char* name, Grid grid, int threads, size_t shared_bytes, const void* arguments) override {
    if (std::string(name).rfind("gemm_hopper_", 0) == 0) {
      most_blocks = std::max(most_blocks, static_cast<int>(grid.x));
      EXPECT_LE(shared_bytes, 227u << 10);
      return multiply(name, *static_cast<const HopperGemmArguments*>(arguments));
    }
    const simt::Kernel* kernel = simt::find_kernel(name);
    ASSERT_TRUE(kernel) << name;
    ASSERT_EQ(kernel->threads, threads) << name;
    simt::run_grid(*kernel, {grid.x, grid.y, grid.z}, shared_bytes, arguments, false);
  }

  /** (rows, depth) of a factor, 0 outside of it. */
  static std::vector<float> factor(const TensorMap& encoded, bool turned, int rows, int depth) {
    TensorMapShape map;
    std::memcpy(&map, &encoded, sizeof map);
    std::vector<float> values(rows * depth);
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < depth; ++k) {
        const auto x = static_cast<uint64_t>(turned ? row : k), y = static_cast<uint64_t>(turned ? k : row);
        if (x < map.width && y < map.height) values[row * depth + k] = to_float(map.data[y * map.stride_bytes / 2 + x]);
      }
    }
    return values;
  }

  /** Multiplies in the order of the emulated mma.sync, so that the bits can be equal. */
  void multiply(const std::string& name, const HopperGemmArguments& a) {
    ++products;
    if (fault_ == Fault::driver) throw Failure(Code::device, "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS");
    if (fault_ == Fault::never_ends) {
      *a.trouble = 1;
      return;
    }
    const bool weight = name.find("weight_gradient") != std::string::npos;
    const bool linear = name.find("linear") != std::string::npos;
    const GemmArguments& p = a.product;
    const int depth = gemm_parts(p.k, 16) * 16;
    const std::vector<float> left = factor(a.left, weight, p.m, depth), right = factor(a.right, !linear, p.n, depth);
    for (int i = 0; i < p.m; ++i) {
      for (int j = 0; j < p.n; ++j) {
        float sum = p.start.data ? gemm_element(p.start, i * p.start.stride + j) : 0, kept = 0;
        for (int k = 0; k < depth; k += 16) {
          if (k > 0 && k % (p.slice_steps * gemm_depth) == 0) kept += sum, sum = 0;
          float part = 0;
          for (int e = k; e < k + 16; ++e) part += left[i * depth + e] * right[j * depth + e];
          sum += part;
        }
        sum = kept + sum;
        if (p.bias) sum += to_float(p.bias[j]);
        if (fault_ == Fault::last_bits) sum *= 1 + 1e-5f;
        if (fault_ == Fault::values && weight) sum = -sum;
        gemm_store(p.result, i * p.result.stride + j, sum);
      }
    }
  }

  const Fault fault_;
};

struct Rig {
  explicit Rig(Fault fault) : launcher(fault), gemm(launcher, stream.memory(), 227 << 10) {}
  void try_wgmma() {
    gemm.use_wgmma(stream, encode);
    trial_products = launcher.products;
    launcher.products = 0;
  }

  /** Multiplies a row of ones by a weight of ones, which gives `in` in every column. Returns whether wgmma was used. */
  bool linear(int rows, int out, int in) {
    const std::vector<bf16> ones = aligned_ones(std::max(rows, out) * in);
    std::vector<bf16> y(rows * out);
    gemm.linear({y.data(), out}, {aligned(ones), in}, {aligned(ones), out, in, Dtype::bf16, false}, nullptr, rows,
                Into::assign);
    for (const bf16 value : y) EXPECT_EQ(to_float(value), in);
    return std::exchange(launcher.products, 0) > 0;
  }
  bool input_gradient(int rows, int out, int in) {
    const std::vector<bf16> ones = aligned_ones(std::max(rows, in) * out);
    std::vector<bf16> dx(rows * in);
    const Weight w = {aligned(ones), out, in, Dtype::bf16, false};
    gemm.linear_input_gradient({dx.data(), in}, {aligned(ones), out}, w, rows, Into::assign);
    for (const bf16 value : dx) EXPECT_EQ(to_float(value), out);
    return std::exchange(launcher.products, 0) > 0;
  }

  static std::vector<bf16> aligned_ones(int n) { return std::vector<bf16>(n + 8, to_bf16(1)); }
  static const bf16* aligned(const std::vector<bf16>& values) {
    return values.data() + (16 - reinterpret_cast<uintptr_t>(values.data()) % 16) % 16 / 2;
  }

  test::HostStream stream;
  Hopper launcher;
  Gemm<bf16> gemm;
  int trial_products = 0;
};

TEST(CudaGemmHopper, IsUsedWhenItsBitsAreTheSame) {
  Rig rig(Fault::none);
  rig.try_wgmma();
  EXPECT_EQ(rig.gemm.path(), "own wgmma");
  EXPECT_EQ(rig.trial_products, 10);
  EXPECT_EQ(rig.launcher.most_blocks, 3);
  EXPECT_TRUE(rig.linear(256, 512, 128));
  EXPECT_TRUE(rig.input_gradient(256, 128, 512));
  EXPECT_EQ(rig.launcher.most_blocks, 4);
  EXPECT_TRUE(rig.linear(384, 128, 2304));
  EXPECT_FALSE(rig.linear(1, 128, 128)) << "nothing to gain";
}

TEST(CudaGemmHopper, DoesOnlyGradientsWhenBitsDiffer) {
  Rig rig(Fault::last_bits);
  rig.try_wgmma();
  EXPECT_EQ(rig.gemm.path(), "own mma.sync, wgmma for gradients");
  EXPECT_FALSE(rig.linear(256, 512, 128));
  for (const int rows : {1, 17, 256}) {
    EXPECT_TRUE(rig.input_gradient(rows, 128, 128)) << rows;
    EXPECT_FALSE(rig.input_gradient(rows, 128, 120)) << rows;
  }
}

TEST(CudaGemmHopper, IsOffWhenItsTrialFails) {
  Rig wrong(Fault::values);
  wrong.try_wgmma();
  EXPECT_NE(wrong.gemm.path().find("own mma.sync (wgmma is off: gemm_hopper_weight_gradient_128x128_bf16 is off by 2"),
            std::string::npos)
      << wrong.gemm.path();
  EXPECT_FALSE(wrong.linear(256, 512, 128));

  Rig endless(Fault::never_ends);
  endless.try_wgmma();
  EXPECT_EQ(endless.gemm.path(), "own mma.sync (wgmma is off: gemm_hopper_linear_128x128_bf16 waited for ever)");
  EXPECT_EQ(endless.trial_products, 1);
}

TEST(CudaGemmHopper, SaysHowToTurnItOffAfterAFault) {
  Rig rig(Fault::driver);
  try {
    rig.try_wgmma();
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), Code::device);
    EXPECT_NE(std::string(failure.what()).find("ENGINE_WGMMA=0"), std::string::npos);
  }
  setenv("ENGINE_WGMMA", "0", 1);
  rig.try_wgmma();
  unsetenv("ENGINE_WGMMA");
  EXPECT_EQ(rig.gemm.path(), "own mma.sync");
}

struct Quad {
  float* values;  // (lanes, 4)
};

PALESTRA_KERNEL(gemm_test_transpose_quad, Quad, simt::warp_size) {
  float own[4];
  for (int j = 0; j < 4; ++j) own[j] = a.values[simt::lane_index() * 4 + j];
  transpose_quad(own);
  for (int j = 0; j < 4; ++j) a.values[simt::lane_index() * 4 + j] = own[j];
}

TEST(CudaGemmHopper, LanesExchangeStoredValues) {
  float values[128];
  for (int i = 0; i < 128; ++i) values[i] = static_cast<float>(i);
  const Quad arguments = {values};
  simt::run_grid(*simt::find_kernel("gemm_test_transpose_quad"), {1, 1, 1}, 0, &arguments, false);
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(values[lane * 4 + j], (lane / 4 * 4 + j) * 4 + lane % 4);
  }
}

}  // namespace
}  // namespace palestra::cuda
