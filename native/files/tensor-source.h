#pragma once
#include <cstdint>
#include <string>

#include "mapped-file.h"

namespace palestra {

/** Storage formats of tensors. The numbers are part of the C ABI. */
enum class StoredType : int32_t {
  f32 = 0,
  bf16 = 1,
  f16 = 2,
  f64 = 3,
  // Blocks of GGUF. A block stores 32 values of a row as a scale (and a minimum), followed by the values in 4 or 8
  // bits.
  q4_0 = 16,
  q4_1 = 17,
  q8_0 = 18,
};

/** Location of a tensor in a file: row-major, little-endian. */
struct TensorSource {
  std::string name;
  std::string path;
  uint64_t offset;
  uint64_t bytes;
  StoredType type;
  int rows;
  int columns;
  /** Number of heads whose two halves are interleaved, as in Llama's queries and keys in GGUF. 0: not interleaved. */
  int interleaved_heads;

  /** Fails with `Code::format` when type, shape, size and the file's size contradict each other. */
  void check(uint64_t file_size) const;
  uint64_t row_bytes() const;
  /** Returns the model's row for a stored row. The row stored at (head, i, half) is the model's row (head, half, i). */
  int model_row(int stored_row) const;
};

/** Decodes the `columns` values of a stored row. Fails with `Code::not_finite` and the tensor's name. */
void read_row(float* row, const TensorSource& source, const MappedFile& file, int stored_row);

}  // namespace palestra
