#pragma once
#include <cstdint>

#include "driver.h"

namespace palestra::cuda {

/**
 * The one context of a device that all users of a process share, held as long as this object lives. The device, its
 * memory, streams and recordings hold the context, so they may be destroyed in any order.
 */
class PrimaryContext {
 public:
  PrimaryContext(const Driver& driver, CUdevice device);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  const Driver& driver() const { return driver_; }
  /**
   * Makes the context current on this thread, as the driver's calls require. If the context is already current, the
   * call only compares: no other code sets contexts on the engine's threads.
   */
  void use() const;
  /** Like `use`, but never fails. Returns whether the context is current on this thread. */
  bool try_use() const noexcept;

 private:
  const Driver& driver_;
  const CUdevice device_;
  /** Number of the context. Unlike an address, the number is unique. */
  const uint64_t serial_;
  CUcontext context_ = nullptr;
};

}  // namespace palestra::cuda
