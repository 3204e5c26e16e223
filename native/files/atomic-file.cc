#include "atomic-file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "../core/failure.h"

namespace palestra {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  static std::atomic<unsigned> count{0};
  // A unique name, so that two writers of one file do not write into each other's temporary file. mkstemp would make a
  // file that only its owner can read. To get the usual mode, mkstemp would need the umask, which cannot be read
  // without changing it for all threads.
  std::string name;
  do {
    name = path_ + "." + std::to_string(getpid()) + "-" + std::to_string(count++);
    file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) fail("create");
  temporary_ = std::move(name);
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, size_t bytes) {
  auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file_, next, std::min<size_t>(bytes, size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    next += written;
    bytes -= static_cast<size_t>(written);
  }
}

void AtomicFile::commit() {
  if (fsync(file_) != 0) fail("flush");
  const int result = close(std::exchange(file_, -1));
  if (result != 0) fail("close");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
  temporary_.clear();
  flush_folder();
}

/** Flushes the folder. A crash before this flush may lose the rename, but never leaves a partly written file. */
void AtomicFile::flush_folder() const {
  const size_t slash = path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path_.substr(0, std::max<size_t>(slash, 1));
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) fail("open the folder of");
  // Some file systems cannot flush a folder and return EINVAL, which the writer can only ignore.
  const bool flushed = fsync(file) == 0 || errno == EINVAL;
  close(file);
  if (!flushed) fail("flush the folder of");
}

void AtomicFile::fail(const char* doing) const {
  throw Failure(Code::io,
                std::string("expected to ") + doing + " " + path_ + ", but received: " + std::strerror(errno));
}

}  // namespace palestra
