#pragma once
#include <cstdint>
#include <string>

#include "mapped-file.h"

namespace palestra {

/** How the values of a tensor are stored. The order is part of the C ABI. */
enum class StoredType : int32_t {
  f32 = 0,
  bf16 = 1,
  f16 = 2,
  f64 = 3,
  // GGUF's blocks of 32 values of a row: a scale (and a minimum), then the values in 4 or 8 bits.
  q4_0 = 16,
  q4_1 = 17,
  q8_0 = 18,
};

/** Where a tensor lies in a file: row-major, little-endian. */
struct TensorSource {
  std::string name;
  std::string path;
  uint64_t offset;
  uint64_t bytes;
  StoredType type;
  int rows;
  int columns;
  /** n: rows are those of n heads, whose two halves are interleaved, as GGUF has Llama's queries and keys; 0: none. */
  int interleaved_heads;

  /** Fails with `Code::format` where type, shape, bytes and the file's size do not fit each other. */
  void check(uint64_t file_size) const;
  uint64_t row_bytes() const;
  /** The row of the model that a stored row is: (head, i, half) is stored where the model has (head, half, i). */
  int model_row(int stored_row) const;
};

/** Decodes the `columns` values of a stored row. Fails with `Code::not_finite` and the tensor's name. */
void read_row(float* row, const TensorSource& source, const MappedFile& file, int stored_row);

}  // namespace palestra
