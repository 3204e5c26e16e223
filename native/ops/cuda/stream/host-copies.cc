#include "host-copies.h"

#include <algorithm>
#include <cstring>

namespace palestra::cuda {

PinnedMemory::PinnedMemory(std::shared_ptr<const PrimaryContext> context, size_t bytes) : context_(std::move(context)) {
  context_->use();
  context_->driver().check(context_->driver().cuMemHostAlloc(&data_, bytes, 0), "cuMemHostAlloc");
}

PinnedMemory::~PinnedMemory() {
  if (context_->try_use()) context_->driver().cuMemFreeHost(data_);
}

HostCopies::HostCopies(std::shared_ptr<const PrimaryContext> context, CUstream stream)
    : context_(context),
      stream_(stream),
      ring_(context, segments * segment_bytes),
      landing_(context, landings * segment_bytes) {
  for (size_t i = 0; i < segments; ++i) left_.emplace_back(context);
  for (int i = 0; i < landings; ++i) landed_.emplace_back(context);
}

void HostCopies::next_segment() {
  left_[segment_].record(stream_);
  segment_ = (segment_ + 1) % segments;
  filled_ = 0;
  left_[segment_].wait();
}

void HostCopies::upload(void* device, const void* host, size_t bytes) {
  const auto* from = static_cast<const char*>(host);
  auto to = reinterpret_cast<CUdeviceptr>(device);
  while (bytes > 0) {
    const size_t piece = std::min(bytes, segment_bytes);
    if (filled_ + piece > segment_bytes) next_segment();
    char* const staged = ring_.data() + segment_ * segment_bytes + filled_;
    std::memcpy(staged, from, piece);
    context_->driver().check(context_->driver().cuMemcpyHtoDAsync_v2(to, staged, piece, stream_), "cuMemcpyHtoDAsync");
    filled_ += piece;
    from += piece;
    to += piece;
    bytes -= piece;
  }
}

void HostCopies::download(void* host, const void* device, size_t bytes) {
  const auto piece_at = [&](size_t begin) { return std::min(bytes - begin, segment_bytes); };
  const auto landing_at = [&](size_t begin) { return begin / segment_bytes % landings; };
  const auto ask = [&](size_t begin) {
    char* const to = landing_.data() + landing_at(begin) * segment_bytes;
    const auto from = reinterpret_cast<CUdeviceptr>(device) + begin;
    context_->driver().check(context_->driver().cuMemcpyDtoHAsync_v2(to, from, piece_at(begin), stream_),
                             "cuMemcpyDtoHAsync");
    landed_[landing_at(begin)].record(stream_);
  };
  for (size_t asked = 0, got = 0; got < bytes; got += segment_bytes) {
    for (; asked < std::min(bytes, got + landings * segment_bytes); asked += segment_bytes) ask(asked);
    landed_[landing_at(got)].wait();
    std::memcpy(static_cast<char*>(host) + got, landing_.data() + landing_at(got) * segment_bytes, piece_at(got));
  }
}

}  // namespace palestra::cuda
