#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "primary-context.h"

namespace palestra::cuda {

/** The kernels of a folder, loaded from all *.fatbin files with code for the device. */
class Modules {
 public:
  /** Returns $ENGINE_KERNELS, else the folder `kernels` beside this library. */
  static std::string usual_folder();
  /**
   * Fails with `Code::device` when the folder has no kernels, or when its file `cuda-version` names a CUDA that is
   * newer than the driver's.
   *
   * @returns the files, sorted by name
   */
  static std::vector<std::string> files(const std::string& folder, const Driver& driver);

  /** Loads the files. Fails when a file does not load, or no file has code for the device. */
  Modules(std::shared_ptr<const PrimaryContext> context, const std::string& folder);
  ~Modules();
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  /** Returns a kernel, or null when no module has it. Thread-safe. */
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
