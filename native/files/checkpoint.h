#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../model/trainer/trainer.h"
#include "atomic-file.h"
#include "mapped-file.h"

namespace palestra {

/**
 * A trainer's state for its file, independent of the type of activations. All parts but the config are read and written
 * in place.
 */
struct Checkpointed {
  Stream& stream;
  const ModelConfig config;
  const LoraConfig lora;
  int64_t& version;
  int64_t& steps;
  std::vector<StateSpan> spans;
  /** Function to call after writing to `spans`. */
  std::function<void()> refresh;
};

template <class T>
Checkpointed checkpointed(Model<T>& model, Trainer<T>& trainer, const LoraConfig& lora) {
  return {model.ops(),     model.config(),  lora, model.version,
          trainer.steps(), trainer.state(), [&trainer] { trainer.refresh(); }};
}

/**
 * The file of a trainer, little-endian. The file begins with "PALESTRA", the format (u32) and the number of tensors
 * (u32). The config and the LoRA options follow as 4-byte words, each group with its count (u32) before it. The model's
 * version and the trainer's steps (i64) come next. Each tensor has an entry with its name (u32 length, bytes) and its
 * size in bytes (u64). Zeros fill the header up to a multiple of 8. The file ends with the tensors, and a checksum
 * (u64) of everything before it.
 */
class Checkpoint {
 protected:
  struct Part {
    void* data;
    size_t bytes;
    /** Offset of the tensor in bytes from the end of the header. */
    uint64_t offset;
  };

  explicit Checkpoint(Checkpointed of);
  /** Returns everything before the tensors, with the current counts. */
  std::string header() const;
  /** Adds a part of the file to the checksum. Reader and writer must add the same parts. */
  void hash(const void* data, size_t bytes);

  const Checkpointed of_;
  std::vector<Part> parts_;
  uint64_t state_bytes_ = 0;
  uint64_t checksum_ = 0x9e3779b97f4a7c15u;
};

/** Writes a checkpoint in parts of a few milliseconds. */
class CheckpointWriter : private Checkpoint {
 public:
  CheckpointWriter(const std::string& path, Checkpointed of);
  size_t parts() const { return parts_.size() + 1; }
  void part(size_t index);

 private:
  AtomicFile file_;
};

/**
 * Reads a checkpoint. A file that is truncated, altered or from another model fails with `Code::format` before anything
 * changes.
 */
class CheckpointReader : private Checkpoint {
 public:
  CheckpointReader(const std::string& path, Checkpointed of);
  size_t parts() const { return parts_.size() + 1; }
  void part(size_t index);

 private:
  void check_checksum() const;
  [[noreturn]] void refuse(const std::string& received) const;
  const uint8_t* data_of(const Part& part) const { return file_.data() + header_bytes_ + part.offset; }

  MappedFile file_;
  size_t header_bytes_;
  int64_t version_;
  int64_t steps_;
};

}  // namespace palestra
