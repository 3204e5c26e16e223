#include "mapped-file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../core/failure.h"

namespace palestra {

namespace {

Failure cannot_read(const std::string& path, int error) {
  return Failure(Code::io, "expected to read " + path + ", but received: " + std::strerror(error));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw cannot_read(path, errno);
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    close(file);
    throw cannot_read(path, error);
  }
  size_ = static_cast<uint64_t>(status.st_size);
  void* data = size_ == 0 ? nullptr : mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  const int error = errno;
  close(file);
  if (data == MAP_FAILED) throw cannot_read(path, error);
  data_ = static_cast<const uint8_t*>(data);
  if (data_) madvise(data, size_, MADV_SEQUENTIAL);
}

MappedFile::~MappedFile() {
  if (data_) munmap(const_cast<uint8_t*>(data_), size_);
}

}  // namespace palestra
