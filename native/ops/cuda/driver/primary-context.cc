#include "primary-context.h"

#include <atomic>

namespace palestra::cuda {

namespace {

std::atomic<uint64_t> last_serial{0};
thread_local uint64_t current_serial = 0;

}  // namespace

PrimaryContext::PrimaryContext(const Driver& driver, CUdevice device)
    : driver_(driver), device_(device), serial_(++last_serial) {
  driver_.check(driver_.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

PrimaryContext::~PrimaryContext() { driver_.cuDevicePrimaryCtxRelease_v2(device_); }

void PrimaryContext::use() const {
  if (current_serial == serial_) return;
  driver_.check(driver_.cuCtxSetCurrent(context_), "cuCtxSetCurrent");
  current_serial = serial_;
}

bool PrimaryContext::try_use() const noexcept {
  if (current_serial == serial_) return true;
  if (driver_.cuCtxSetCurrent(context_) != CUDA_SUCCESS) return false;
  current_serial = serial_;
  return true;
}

}  // namespace palestra::cuda
