// The engine's use of cuBLAS: the search for the library, and the three layouts, on an emulated cuBLAS.
#include "ops/cuda/cublas/cublas.h"

#include <random>

#include "core/half.h"
#include "emulated-cuda-test.h"

namespace palestra::cuda {
namespace {

class CublasTest : public EmulatedCuda {
 protected:
  void SetUp() override {
    EmulatedCuda::SetUp();
    std::filesystem::create_symlink(EMULATED_CUBLAS, folder_ / "libcublas.so.13");
    std::filesystem::create_symlink(EMULATED_CUBLAS, folder_ / "libcublasLt.so.13");
    setenv("ENGINE_CUBLAS_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("ENGINE_CUBLAS_DIR");
    EmulatedCuda::TearDown();
  }

  /** Runs in a process of its own, which has no cuBLAS yet. */
  static void say_what_is_found() {
    std::string why_not;
    const CublasLibrary* const library = CublasLibrary::find(*Driver::find(), &why_not);
    std::fprintf(stderr, "[%s]\n", library ? library->file().c_str() : why_not.c_str());
    std::exit(0);
  }
};

std::vector<bf16> random_values(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<bf16> values(n);
  for (bf16& value : values) value = to_bf16(static_cast<float>(random() % 17) - 8);
  return values;
}

/** Rows of numbers on a device, each a little longer than the used part. Small integers, so that sums are exact. */
template <class T>
struct Matrix {
  Matrix(CudaStream& stream, std::vector<T> host_values, int64_t row_stride)
      : values(std::move(host_values)), stride(row_stride), device(stream.memory(), values.size(), "matrix") {
    stream.upload(device.data(), values.data(), device.bytes());
  }
  Rows<T> rows() { return {device.data(), stride}; }
  Rows<const T> const_rows() { return {device.data(), stride}; }
  float at(int64_t row, int64_t column) const {
    if constexpr (std::is_same_v<T, float>) return values[row * stride + column];
    else return to_float(values[row * stride + column]);
  }
  void fetch(CudaStream& stream) { stream.download(values.data(), device.data(), device.bytes()); }

  std::vector<T> values;
  int64_t stride;
  Buffer<T> device;
};

constexpr int rows = 5, in = 7, out = 3, pad = 2;

struct Fixture {
  Fixture()
      : gemm(CublasGemm::find(rig.stream, &why_not)),
        x(rig.stream, random_values(rows * (in + pad), 1), in + pad),
        w(rig.stream, random_values(out * in, 2), in),
        dy(rig.stream, random_values(rows * (out + pad), 3), out + pad) {}
  Weight weight() { return {w.device.data(), out, in, Dtype::bf16, false}; }

  Rig rig;
  std::string why_not;
  std::unique_ptr<CublasGemm> gemm;
  Matrix<bf16> x, w, dy;
};

TEST_F(CublasTest, MultipliesByTheWeight) {
  Fixture f;
  ASSERT_TRUE(f.gemm) << f.why_not;
  EXPECT_EQ(f.gemm->version(), 130100);
  EXPECT_EQ(f.gemm->file(), (folder_ / "libcublas.so.13").string());
  Matrix<bf16> y(f.rig.stream, random_values(rows * (out + pad), 4), out + pad);
  Matrix<float> logits(f.rig.stream, std::vector<float>(rows * out, 0.5f), out);
  const Matrix<bf16> before(f.rig.stream, y.values, y.stride);
  f.gemm->linear(y.rows(), f.x.const_rows(), f.weight(), rows, Into::add);
  f.gemm->linear(logits.rows(), f.x.const_rows(), f.weight(), rows, Into::assign);
  y.fetch(f.rig.stream);
  logits.fetch(f.rig.stream);
  for (int r = 0; r < rows; ++r) {
    for (int o = 0; o < out; ++o) {
      float sum = 0;
      for (int i = 0; i < in; ++i) sum += f.x.at(r, i) * f.w.at(o, i);
      EXPECT_EQ(logits.at(r, o), sum);
      EXPECT_EQ(y.at(r, o), to_float(to_bf16(sum + before.at(r, o))));
    }
    for (int p = out; p < out + pad; ++p) EXPECT_EQ(y.at(r, p), before.at(r, p));
  }
}

TEST_F(CublasTest, GivesTheGradientOfTheInput) {
  Fixture f;
  ASSERT_TRUE(f.gemm) << f.why_not;
  Matrix<bf16> dx(f.rig.stream, random_values(rows * (in + pad), 4), in + pad);
  f.gemm->input_gradient(dx.rows(), f.dy.const_rows(), f.weight(), rows, Into::assign);
  dx.fetch(f.rig.stream);
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < in; ++i) {
      float sum = 0;
      for (int o = 0; o < out; ++o) sum += f.dy.at(r, o) * f.w.at(o, i);
      EXPECT_EQ(dx.at(r, i), to_float(to_bf16(sum)));
    }
  }
}

TEST_F(CublasTest, AddsTheGradientOfTheWeight) {
  Fixture f;
  ASSERT_TRUE(f.gemm) << f.why_not;
  Matrix<float> dw(f.rig.stream, std::vector<float>(out * in, 100), in);
  f.gemm->weight_gradient(dw.device.data(), f.dy.const_rows(), f.x.const_rows(), out, in, rows);
  f.gemm->weight_gradient(dw.device.data(), f.dy.const_rows(), f.x.const_rows(), out, in, 0);
  dw.fetch(f.rig.stream);
  for (int o = 0; o < out; ++o) {
    for (int i = 0; i < in; ++i) {
      float sum = 100;
      for (int r = 0; r < rows; ++r) sum += f.dy.at(r, o) * f.x.at(r, i);
      EXPECT_EQ(dw.at(o, i), sum);
    }
  }
}

TEST_F(CublasTest, RunsInTheOrderOfItsStream) {
  Fixture f;
  ASSERT_TRUE(f.gemm) << f.why_not;
  Matrix<float> y(f.rig.stream, std::vector<float>(rows * out, 1), out);
  f.rig.stream.zero(y.device.data(), y.device.bytes());
  f.gemm->linear(y.rows(), f.x.const_rows(), f.weight(), rows, Into::add);
  f.rig.stream.zero(f.x.device.data(), f.x.device.bytes());
  y.fetch(f.rig.stream);
  EXPECT_NE(y.at(0, 0), 0);
}

TEST_F(CublasTest, RefusesWeightsThatItCannotRead) {
  Fixture f;
  ASSERT_TRUE(f.gemm) << f.why_not;
  Weight packed = f.weight();
  packed.packed = true;
  Matrix<bf16> y(f.rig.stream, random_values(rows * out, 4), out);
  EXPECT_EQ(failure_of(Code::internal,
                       [&] { f.gemm->linear(y.rows(), f.x.const_rows(), packed, rows, Into::assign); }),
            "expected a row-major weight of bf16 for cuBLAS, but received another");
  Matrix<bf16> narrow(f.rig.stream, random_values(rows * out, 4), out - 1);
  EXPECT_EQ(failure_of(Code::device,
                       [&] { f.gemm->linear(narrow.rows(), f.x.const_rows(), f.weight(), rows, Into::assign); }),
            "expected cublasGemmEx to succeed, but received status 7");
}

TEST_F(CublasTest, LoadsTheNewestOfTheFolder) {
  const auto with_an_older = [&] {
    std::filesystem::create_symlink(EMULATED_CUBLAS, folder_ / "libcublas.so.12");
    std::filesystem::create_symlink(EMULATED_CUBLAS, folder_ / "libcublasLt.so.12");
    say_what_is_found();
  };
  EXPECT_EXIT(with_an_older(), testing::ExitedWithCode(0), "\\[.*libcublas.so.13\\]");
  const auto with_an_older_alone = [&] {
    for (const char* name : {"libcublas.so", "libcublasLt.so"}) {
      std::filesystem::rename(folder_ / (std::string(name) + ".13"), folder_ / (std::string(name) + ".12"));
    }
    say_what_is_found();
  };
  EXPECT_EXIT(with_an_older_alone(), testing::ExitedWithCode(0), "\\[.*libcublas.so.12\\]");
}

TEST_F(CublasTest, LoadsNoneThatIsNewerThanTheDriver) {
  const auto with_driver = [&](const char* version) {
    set("VERSION", version);
    say_what_is_found();
  };
  EXPECT_EXIT(with_driver("12080"), testing::ExitedWithCode(0), "\\[expected cuBLAS, but received none\\]");
  EXPECT_EXIT(with_driver("14000"), testing::ExitedWithCode(0), "\\[.*libcublas.so.13\\]");
}

TEST_F(CublasTest, IsNotUsedWhenItDoesNotStart) {
  setenv("EMULATED_CUBLAS_STATUS", "3", 1);
  Rig rig;
  std::string why_not;
  EXPECT_EQ(CublasGemm::find(rig.stream, &why_not), nullptr);
  EXPECT_EQ(why_not, (folder_ / "libcublas.so.13").string() +
                         ": expected cublasCreate to succeed, but received status 3");
  unsetenv("EMULATED_CUBLAS_STATUS");
  EXPECT_NE(CublasGemm::find(rig.stream, &why_not), nullptr);
}

TEST_F(CublasTest, IsSearchedInThePackagesOfPython) {
  for (const char* usual : {"libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so"}) {
    if (dlopen(usual, RTLD_LAZY)) GTEST_SKIP() << "expected a machine without cuBLAS, but received " << usual;
  }
  const std::filesystem::path packages = folder_ / "lib/python3.11/site-packages/nvidia/cu13/lib";
  std::filesystem::create_directories(packages);
  for (const char* name : {"libcublas.so.13", "libcublasLt.so.13"}) {
    std::filesystem::rename(folder_ / name, packages / name);
  }
  const auto with_python = [&] {
    std::filesystem::create_directories(folder_ / "bin");
    std::filesystem::create_symlink("/bin/sh", folder_ / "bin/python3");
    setenv("PATH", ("/nowhere:" + (folder_ / "bin").string() + ":/usr/bin").c_str(), 1);
    unsetenv("ENGINE_CUBLAS_DIR");
    say_what_is_found();
  };
  EXPECT_EXIT(with_python(), testing::ExitedWithCode(0), "\\[.*/site-packages/nvidia/cu13/lib/libcublas.so.13\\]");
}

TEST_F(CublasTest, SaysWhyItIsMissing) {
  const auto with_folder = [](const std::string& path) {
    setenv("ENGINE_CUBLAS_DIR", path.c_str(), 1);
    say_what_is_found();
  };
  EXPECT_EXIT(with_folder("/nowhere"), testing::ExitedWithCode(0), "\\[expected cuBLAS, but received none\\]");
  const auto without_its_half = [&] {
    std::filesystem::remove(folder_ / "libcublasLt.so.13");
    say_what_is_found();
  };
  EXPECT_EXIT(without_its_half(), testing::ExitedWithCode(0),
              "\\[expected cuBLAS, but received none: .*libcublasLt.so.13: cannot open");
  const auto of_another_kind = [&] {
    std::filesystem::remove(folder_ / "libcublas.so.13");
    std::filesystem::create_symlink(EMULATED_CUDA, folder_ / "libcublas.so.13");
    say_what_is_found();
  };
  EXPECT_EXIT(of_another_kind(), testing::ExitedWithCode(0),
              "\\[expected cuBLAS, but received none: .*libcublas.so.13 lacks cublasCreate_v2\\]");
}

}  // namespace
}  // namespace palestra::cuda
