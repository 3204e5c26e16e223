#pragma once
#include <cstddef>
#include <string>

namespace palestra {

/**
 * Writes a file that is there as a whole or not at all: to a new file beside it, which is flushed to the disk and then
 * takes its place. Whoever reads meanwhile, or after a crash, finds the old one. All failures are `Code::io`.
 */
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  /** Without `commit` the new file is removed. */
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, size_t bytes);
  /** At the end: makes it the file of that path. */
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;
  void flush_folder() const;

  std::string path_;
  std::string temporary_;
  int file_ = -1;
};

}  // namespace palestra
