#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace palestra {

/** A file mapped into memory, read-only. The system loads a page when it is touched. */
class MappedFile {
 public:
  /** Maps a file. Fails with `Code::io`. The data of an empty file is null. */
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const uint8_t* data() const { return data_; }
  uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  const uint8_t* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace palestra
