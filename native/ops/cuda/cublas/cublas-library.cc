#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <mutex>
#include <sstream>
#include <vector>

#include "../../../core/failure.h"
#include "../driver/environment.h"
#include "cublas.h"

namespace palestra::cuda {

namespace {

/** The oldest release that has all the functions used here. */
constexpr int oldest_release = 12;

/** Returns the folders of NVIDIA's packages beside the first python3 on the path. */
std::vector<std::string> package_folders() {
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    if (access((folder + "/python3").c_str(), X_OK) != 0) continue;
    std::vector<std::string> found;
    glob_t matches = {};
    const std::string pattern = folder + "/../lib/python3*/*-packages/nvidia/*/lib";
    if (glob(pattern.c_str(), 0, nullptr, &matches) == 0) {
      found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
    }
    globfree(&matches);
    return found;
  }
  return {};
}

/** Returns the folders in the order of trial. An empty name means the system's library path. */
std::vector<std::string> folders() {
  const std::string chosen = variable("ENGINE_CUBLAS_DIR");
  if (!chosen.empty()) return {chosen};
  std::vector<std::string> all = {"", "/usr/local/cuda/lib64"};
  for (const std::string& folder : package_folders()) all.push_back(folder);
  return all;
}

struct Unload {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Unload>;

Library open_library(const std::string& file, int scope) { return Library(dlopen(file.c_str(), RTLD_NOW | scope)); }

}  // namespace

const CublasLibrary* CublasLibrary::find(const Driver& driver, std::string* why_not) {
  static std::mutex mutex;
  static const CublasLibrary* found = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (found) return found;
  std::string first_reason;
  for (const std::string& folder : folders()) {
    for (int release = driver.version() / 1000; release >= oldest_release; --release) {
      const std::string name = "libcublas.so." + std::to_string(release);
      const std::string file = folder.empty() ? name : folder + "/" + name;
      if (!folder.empty() && access(file.c_str(), R_OK) != 0) continue;
      std::string reason;
      found = load(file, &reason);
      if (found) return found;
      if (first_reason.empty()) first_reason = reason;
    }
  }
  if (why_not) *why_not = "expected cuBLAS, but received none" + (first_reason.empty() ? "" : ": " + first_reason);
  return nullptr;
}

const CublasLibrary* CublasLibrary::load(const std::string& file, std::string* why_not) {
  // cublasLt must be of the same release as cuBLAS, and cuBLAS loads it by its bare name. Loading cublasLt first
  // ensures that the releases match.
  const size_t end = file.rfind("libcublas.so") + std::string("libcublas").size();
  Library half = open_library(file.substr(0, end) + "Lt" + file.substr(end), RTLD_GLOBAL);
  Library library = half ? open_library(file, RTLD_LOCAL) : nullptr;
  if (!library) {
    *why_not = dlerror();
    return nullptr;
  }
  auto loaded = std::unique_ptr<CublasLibrary>(new CublasLibrary(file));
#define PALESTRA_LOAD(name, parameters)                                                       \
  loaded->name = reinterpret_cast<cublasStatus_t(*) parameters>(dlsym(library.get(), #name)); \
  if (!loaded->name) {                                                                        \
    *why_not = file + " lacks " #name;                                                        \
    return nullptr;                                                                           \
  }
  PALESTRA_CUBLAS_FUNCTIONS(PALESTRA_LOAD)
#undef PALESTRA_LOAD
  half.release();
  library.release();
  return loaded.release();
}

void CublasLibrary::check(cublasStatus_t status, const char* call) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Failure(Code::device,
                std::string("expected ") + call + " to succeed, but received status " + std::to_string(status));
}

}  // namespace palestra::cuda
