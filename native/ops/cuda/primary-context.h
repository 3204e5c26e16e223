#pragma once
#include <cstdint>

#include "driver.h"

namespace palestra::cuda {

/**
 * The one context of a device that all users of a process share, held as long as this object lives. The device, its
 * memory, streams and recordings hold it, so they may be destroyed in any order.
 */
class PrimaryContext {
 public:
  PrimaryContext(const Driver& driver, CUdevice device);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  const Driver& driver() const { return driver_; }
  /**
   * Makes the context current on this thread, as the driver's calls require. Only a comparison if it already is:
   * nothing else sets contexts on the engine's threads.
   */
  void use() const;
  /** Like `use`, but never fails: returns whether the context is current on this thread. */
  bool try_use() const noexcept;

 private:
  const Driver& driver_;
  const CUdevice device_;
  /** Unique, unlike an address. */
  const uint64_t serial_;
  CUcontext context_ = nullptr;
};

}  // namespace palestra::cuda
