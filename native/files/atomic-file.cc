#include "atomic-file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "../core/failure.h"

namespace palestra {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  // mkstemp, so that two processes that write the same file do not write into each other's.
  const std::string pattern = path_ + ".XXXXXX";
  std::vector<char> name(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
  file_ = mkstemp(name.data());
  if (file_ < 0) fail("create");
  temporary_ = name.data();
  fcntl(file_, F_SETFD, FD_CLOEXEC);
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file_, 0666 & ~mask);
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

/** Without it a crash may lose the rename, though never tear the file. */
void AtomicFile::flush_folder() const {
  const size_t slash = path_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path_.substr(0, std::max<size_t>(slash, 1));
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) fail("open the folder of");
  // Some file systems cannot flush a folder and say so with EINVAL: they have nothing more to give.
  const bool flushed = fsync(file) == 0 || errno == EINVAL;
  close(file);
  if (!flushed) fail("flush the folder of");
}

void AtomicFile::fail(const char* doing) const {
  throw Failure(Code::io, std::string("expected to ") + doing + " " + path_ + ", but received: " + std::strerror(errno));
}

}  // namespace palestra
