#pragma once
#include <cstdint>

#include "driver.h"

namespace palestra::cuda {

/**
 * The one context of a device that all of a process share, kept while anybody holds this. Held by the device, its
 * memory, streams and recordings alike, so that they may go in any order.
 */
class PrimaryContext {
 public:
  PrimaryContext(const Driver& driver, CUdevice device);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  const Driver& driver() const { return driver_; }
  /**
   * Makes it this thread's, as the driver's calls ask; a comparison where it is already: nobody else sets contexts on
   * the engine's threads.
   */
  void use() const;
  /** The same where nothing may fail: whether it is this thread's now. */
  bool try_use() const noexcept;

 private:
  const Driver& driver_;
  const CUdevice device_;
  /** Never given twice, as an address may be. */
  const uint64_t serial_;
  CUcontext context_ = nullptr;
};

}  // namespace palestra::cuda
