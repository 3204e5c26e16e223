#include "tensor-source.h"

#include <cmath>
#include <cstring>

#include "../core/failure.h"
#include "../core/half.h"
#include "load.h"

namespace palestra {

namespace {

constexpr int block_values = 32;

struct Layout {
  int values;
  int bytes;
};

/** Number of values and of bytes in the smallest unit. */
Layout layout_of(StoredType type, const std::string& name) {
  switch (type) {
    case StoredType::f32: return {1, 4};
    case StoredType::bf16: return {1, 2};
    case StoredType::f16: return {1, 2};
    case StoredType::f64: return {1, 8};
    case StoredType::q4_0: return {block_values, 2 + 16};
    case StoredType::q4_1: return {block_values, 4 + 16};
    case StoredType::q8_0: return {block_values, 2 + 32};
  }
  throw Failure(Code::format, "expected a known type of tensor " + name + ", but received " +
                                  std::to_string(static_cast<int>(type)));
}

template <class T>
void decode_plain(float* row, const uint8_t* from, int columns) {
  for (int i = 0; i < columns; ++i) row[i] = to_float(load<T>(from + sizeof(T) * i));
}

float half_at(const uint8_t* from) { return to_float(load<f16>(from)); }

/** The low half of byte j is value j of a block, and the high half is value j + 16. */
void decode_q4(float* row, const uint8_t* from, int columns, bool with_minimum) {
  const int head = with_minimum ? 4 : 2;
  for (int block = 0; block < columns / block_values; ++block, row += block_values, from += head + 16) {
    const float scale = half_at(from);
    const float minimum = with_minimum ? half_at(from + 2) : -8 * scale;
    for (int j = 0; j < 16; ++j) {
      row[j] = static_cast<float>(from[head + j] & 15) * scale + minimum;
      row[j + 16] = static_cast<float>(from[head + j] >> 4) * scale + minimum;
    }
  }
}

void decode_q8(float* row, const uint8_t* from, int columns) {
  for (int block = 0; block < columns / block_values; ++block, row += block_values, from += 34) {
    const float scale = half_at(from);
    for (int j = 0; j < block_values; ++j) row[j] = static_cast<float>(static_cast<int8_t>(from[2 + j])) * scale;
  }
}

void decode(float* row, const uint8_t* from, StoredType type, int columns) {
  switch (type) {
    case StoredType::f32: std::memcpy(row, from, sizeof(float) * columns); return;
    case StoredType::bf16: decode_plain<bf16>(row, from, columns); return;
    case StoredType::f16: decode_plain<f16>(row, from, columns); return;
    case StoredType::f64:
      for (int i = 0; i < columns; ++i) row[i] = static_cast<float>(load<double>(from + 8 * i));
      return;
    case StoredType::q4_0: decode_q4(row, from, columns, false); return;
    case StoredType::q4_1: decode_q4(row, from, columns, true); return;
    case StoredType::q8_0: decode_q8(row, from, columns); return;
  }
}

}  // namespace

uint64_t TensorSource::row_bytes() const {
  const Layout layout = layout_of(type, name);
  return static_cast<uint64_t>(columns / layout.values) * layout.bytes;
}

void TensorSource::check(uint64_t file_size) const {
  const auto refuse = [&](const std::string& expected, const std::string& received) {
    throw Failure(Code::format,
                  "expected " + expected + " of tensor " + name + " in " + path + ", but received " + received);
  };
  const std::string shape = "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
  if (rows < 1 || columns < 1) refuse("a shape of at least one row and column", shape);
  const Layout layout = layout_of(type, name);
  if (columns % layout.values != 0) refuse("rows of whole blocks of " + std::to_string(layout.values), shape);
  const uint64_t needed = row_bytes() * static_cast<uint64_t>(rows);
  if (bytes != needed) refuse(std::to_string(needed) + " bytes for the shape " + shape, std::to_string(bytes));
  if (offset > file_size || bytes > file_size - offset) {
    refuse("bytes up to " + std::to_string(offset + bytes), "a file of " + std::to_string(file_size) + " bytes");
  }
  if (interleaved_heads < 0 || (interleaved_heads > 0 && rows % (2 * interleaved_heads) != 0)) {
    refuse("an even number of rows for each of " + std::to_string(interleaved_heads) + " heads", shape);
  }
}

int TensorSource::model_row(int stored_row) const {
  if (interleaved_heads == 0) return stored_row;
  const int head_size = rows / interleaved_heads;
  const int head = stored_row / head_size;
  const int within = stored_row % head_size;
  return head * head_size + (within % 2) * (head_size / 2) + within / 2;
}

void read_row(float* row, const TensorSource& source, const MappedFile& file, int stored_row) {
  decode(row, file.data() + source.offset + source.row_bytes() * static_cast<uint64_t>(stored_row), source.type,
         source.columns);
  for (int i = 0; i < source.columns; ++i) {
    if (std::isfinite(row[i])) continue;
    throw Failure(Code::not_finite, "expected finite numbers in tensor " + source.name + ", but received " +
                                        std::to_string(row[i]) + " at (" +
                                        std::to_string(source.model_row(stored_row)) + ", " + std::to_string(i) + ")");
  }
}

}  // namespace palestra
