#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "primary-context.h"

namespace palestra::cuda {

/** The kernels of a folder: each *.fatbin that has code for the device, loaded. */
class Modules {
 public:
  /** $ENGINE_KERNELS, else `kernels` beside the library that this code is in. */
  static std::string usual_folder();
  /**
   * Fails with `Code::device` where the folder has none, or they are made by a newer CUDA than the driver knows, as its
   * file `cuda-version` says.
   * @returns the files, in the order of their names
   */
  static std::vector<std::string> files(const std::string& folder, const Driver& driver);

  /** Fails where a file does not load, or none has code for the device. */
  Modules(std::shared_ptr<const PrimaryContext> context, const std::string& folder);
  ~Modules();
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  /** Null where no module has it. Thread-safe. */
  CUfunction find(const std::string& name);

 private:
  void load(const std::string& file);
  void unload() noexcept;
  CUfunction look_up(const std::string& name) const;

  const std::shared_ptr<const PrimaryContext> context_;
  std::vector<CUmodule> modules_;
  std::mutex mutex_;
  std::unordered_map<std::string, CUfunction> functions_;
};

}  // namespace palestra::cuda
