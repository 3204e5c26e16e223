#pragma once
#include <cstddef>
#include <string>

namespace palestra {

/**
 * Writes a file completely or not at all. The data goes to a temporary file in the same folder, which is flushed to
 * disk and then renamed. Until the rename, readers see the old file, even after a crash. All failures are `Code::io`.
 */
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  /** Removes the temporary file unless `commit` was called. */
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, size_t bytes);
  /** Renames the temporary file to its path. This must be the last call. */
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;
  void flush_folder() const;

  std::string path_;
  std::string temporary_;
  int file_ = -1;
};

}  // namespace palestra
