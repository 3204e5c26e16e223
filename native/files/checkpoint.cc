#include "checkpoint.h"

#include <algorithm>
#include <cstring>

#include "../core/failure.h"
#include "load.h"

namespace palestra {

namespace {

constexpr char magic[] = "PALESTRA";
constexpr uint32_t format = 1;
constexpr size_t part_bytes = 1 << 22;

template <class T>
void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
uint32_t word_of(T value) {
  static_assert(sizeof value <= 4, "options are written as 4-byte words");
  uint32_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

std::vector<uint32_t> words_of(const ModelConfig& c, const LoraConfig& lora) {
  return {word_of(c.vocab_size),
          word_of(c.hidden_size),
          word_of(c.intermediate_size),
          word_of(c.num_hidden_layers),
          word_of(c.num_attention_heads),
          word_of(c.num_key_value_heads),
          word_of(c.head_dim),
          word_of(c.max_position_embeddings),
          word_of(c.rms_norm_eps),
          word_of(c.rope_theta),
          word_of(c.rope_scaling),
          word_of(c.rope_factor),
          word_of(c.rope_low_freq_factor),
          word_of(c.rope_high_freq_factor),
          word_of(c.rope_original_max_position_embeddings),
          word_of(c.tie_word_embeddings),
          word_of(c.qkv_bias),
          word_of(c.qk_norm),
          word_of(c.value_head),
          word_of(lora.rank),
          word_of(lora.alpha),
          word_of(lora.targets)};
}

size_t counts_offset(const std::vector<uint32_t>& words) { return 8 + 4 + 4 + 4 + 4 * words.size(); }

}  // namespace

Checkpoint::Checkpoint(Checkpointed of) : of_(std::move(of)) {
  for (const auto& span : of_.spans) {
    for (size_t start = 0; start < span.bytes; start += part_bytes) {
      const size_t bytes = std::min(part_bytes, span.bytes - start);
      parts_.push_back({static_cast<char*>(span.data) + start, bytes, state_bytes_});
      state_bytes_ += bytes;
    }
  }
}

std::string Checkpoint::header() const {
  std::string text(magic);
  put(text, format);
  put(text, static_cast<uint32_t>(of_.spans.size()));
  const auto words = words_of(of_.config, of_.lora);
  put(text, static_cast<uint32_t>(words.size()));
  for (const uint32_t word : words) put(text, word);
  put(text, of_.version);
  put(text, of_.steps);
  for (const auto& span : of_.spans) {
    put(text, static_cast<uint32_t>(span.name.size()));
    text += span.name;
    put(text, static_cast<uint64_t>(span.bytes));
  }
  text.resize((text.size() + 7) / 8 * 8);
  return text;
}

void Checkpoint::hash(const void* data, size_t bytes) {
  auto* next = static_cast<const char*>(data);
  const auto mix = [this](uint64_t word) {
    checksum_ = (checksum_ ^ word) * 0xbf58476d1ce4e5b9u;
    checksum_ ^= checksum_ >> 29;
  };
  for (; bytes >= 8; next += 8, bytes -= 8) {
    uint64_t word;
    std::memcpy(&word, next, 8);
    mix(word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, next, bytes);
  mix(rest ^ (uint64_t{bytes} << 56));
}

CheckpointWriter::CheckpointWriter(const std::string& path, Checkpointed of)
    : Checkpoint(std::move(of)), file_(path) {
  const std::string start = header();
  hash(start.data(), start.size());
  file_.write(start.data(), start.size());
}

void CheckpointWriter::part(size_t index) {
  if (index == parts_.size()) {
    file_.write(&checksum_, sizeof checksum_);
    return file_.commit();
  }
  const Part& part = parts_[index];
  std::vector<char> values(part.bytes);
  of_.stream.download(values.data(), part.data, part.bytes);
  hash(values.data(), part.bytes);
  file_.write(values.data(), part.bytes);
}

CheckpointReader::CheckpointReader(const std::string& path, Checkpointed of)
    : Checkpoint(std::move(of)), file_(path) {
  std::string expected = header();
  header_bytes_ = expected.size();
  if (file_.size() < 12 || std::memcmp(file_.data(), magic, 8) != 0) refuse("a file that is no checkpoint");
  const auto found = load<uint32_t>(file_.data() + 8);
  if (found != format) {
    refuse("a checkpoint of format " + std::to_string(found) + ", but this build reads " + std::to_string(format));
  }
  const uint64_t size = header_bytes_ + state_bytes_ + sizeof checksum_;
  if (file_.size() < header_bytes_) refuse("a truncated file, or a checkpoint of another model or trainer");

  const size_t counts = counts_offset(words_of(of_.config, of_.lora));
  version_ = load<int64_t>(file_.data() + counts);
  steps_ = load<int64_t>(file_.data() + counts + 8);
  std::memcpy(expected.data() + counts, file_.data() + counts, 16);
  if (std::memcmp(expected.data(), file_.data(), header_bytes_) != 0) refuse("a checkpoint of another model or trainer");
  if (file_.size() != size) {
    refuse("a file of " + std::to_string(file_.size()) + " bytes in place of " + std::to_string(size));
  }
  hash(file_.data(), header_bytes_);
}

void CheckpointReader::part(size_t index) {
  if (index < parts_.size()) return hash(data_of(parts_[index]), parts_[index].bytes);
  check_checksum();
  // All uploads are in one part, so that no cancellation leaves a trainer half loaded.
  for (const Part& part : parts_) of_.stream.upload(part.data, data_of(part), part.bytes);
  of_.refresh();
  of_.version = version_;
  of_.steps = steps_;
}

void CheckpointReader::check_checksum() const {
  const auto expected = load<uint64_t>(file_.data() + file_.size() - sizeof checksum_);
  if (checksum_ != expected) refuse("a checkpoint with a wrong checksum");
}

void CheckpointReader::refuse(const std::string& received) const {
  throw Failure(Code::format,
                "expected a checkpoint of this trainer in " + file_.path() + ", but received " + received);
}

}  // namespace palestra
