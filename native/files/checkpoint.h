#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../model/trainer.h"
#include "atomic-file.h"
#include "mapped-file.h"

namespace palestra {

/** A trainer as its file has it, whatever the type of activations: all but the config is read and written in place. */
struct Checkpointed {
  Stream& stream;
  const ModelConfig config;
  const LoraConfig lora;
  int64_t& version;
  int64_t& steps;
  std::vector<StateSpan> spans;
  /** Has to follow where `spans` were written. */
  std::function<void()> refresh;
};

template <class T>
Checkpointed checkpointed(Model<T>& model, Trainer<T>& trainer, const LoraConfig& lora) {
  return {model.ops(),     model.config(),  lora, model.version,
          trainer.steps(), trainer.state(), [&trainer] { trainer.refresh(); }};
}

/**
 * The file of a trainer, little-endian: "PALESTRA", format (u32), tensors (u32); the config and the LoRA options as
 * 4-byte words, a u32 count before them; the model's version and the trainer's steps (i64); of each tensor its name
 * (u32 length, bytes) and bytes (u64); zeros up to a multiple of 8; the tensors; a checksum (u64) of all before it.
 */
class Checkpoint {
 protected:
  struct Part {
    void* data;
    size_t bytes;
    /** In the file, from the end of the header. */
    uint64_t offset;
  };

  explicit Checkpoint(Checkpointed of);
  /** All before the arrays, with the counts as they are now. */
  std::string header() const;
  /** Adds a stretch of the file; both sides add the same stretches. */
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
 * Reads one back. What is truncated, altered or of another model fails with `Code::format`, before anything is changed.
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
