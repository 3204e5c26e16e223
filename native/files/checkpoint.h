#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../model/trainer.h"
#include "atomic-file.h"
#include "mapped-file.h"

namespace palestra {

/**
 * The file of a trainer, little-endian: "PALESTRA", format (u32), arrays (u32); the config and the LoRA options as
 * 4-byte words, a u32 count before them; the model's version and the trainer's steps (i64); of each array its name (u32
 * length, bytes) and size (u64); zeros up to a multiple of 8; the arrays as floats; a checksum (u64) of all before it.
 */
class Checkpoint {
 protected:
  struct Part {
    const NamedArray* array;
    size_t start;
    size_t size;
  };

  Checkpoint(Ops<float>& ops, Model<float>& model, TrainerArrays trainer);
  /** All before the arrays, with the counts as they are now. */
  std::string header() const;
  /** Adds a stretch of the file; both sides add the same stretches. */
  void hash(const void* data, size_t bytes);

  Ops<float>& ops_;
  Model<float>& model_;
  TrainerArrays trainer_;
  std::vector<NamedArray> arrays_;
  std::vector<Part> parts_;
  uint64_t checksum_ = 0x9e3779b97f4a7c15u;
};

/** Writes a checkpoint in parts of a few milliseconds. */
class CheckpointWriter : private Checkpoint {
 public:
  CheckpointWriter(const std::string& path, Ops<float>& ops, Model<float>& model, TrainerArrays trainer);
  size_t parts() const { return parts_.size() + 1; }
  void part(size_t index);

 private:
  AtomicFile file_;
};

/**
 * Reads one back. What is truncated, altered or of another model fails with `Code::format` while nothing is changed yet.
 */
class CheckpointReader : private Checkpoint {
 public:
  CheckpointReader(const std::string& path, Ops<float>& ops, Model<float>& model, TrainerArrays trainer);
  size_t parts() const { return parts_.size() + 1; }
  void part(size_t index);

 private:
  void check_checksum() const;
  [[noreturn]] void refuse(const std::string& received) const;
  const uint8_t* data_of(size_t part) const;

  MappedFile file_;
  size_t header_bytes_;
  int64_t version_;
  int64_t steps_;
};

}  // namespace palestra
