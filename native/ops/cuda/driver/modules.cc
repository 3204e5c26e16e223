#include "modules.h"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "../../../core/failure.h"
#include "environment.h"

namespace palestra::cuda {

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::vector<std::string> fatbins(const std::string& folder) {
  std::vector<std::string> files;
  DIR* const directory = opendir(folder.c_str());
  if (!directory) return files;
  while (const dirent* entry = readdir(directory)) {
    if (ends_with(entry->d_name, ".fatbin")) files.push_back(folder + "/" + entry->d_name);
  }
  closedir(directory);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string Modules::usual_folder() {
  if (std::string chosen = variable("ENGINE_KERNELS"); !chosen.empty()) return chosen;
  Dl_info here = {};
  // The address of a function of this library reveals the library's file.
  dladdr(reinterpret_cast<void*>(&Modules::usual_folder), &here);
  char* const path = realpath(here.dli_fname ? here.dli_fname : "", nullptr);
  const std::string file = path ? path : "./";
  std::free(path);
  return file.substr(0, file.rfind('/')) + "/kernels";
}

std::vector<std::string> Modules::files(const std::string& folder, const Driver& driver) {
  std::vector<std::string> files = fatbins(folder);
  if (files.empty()) {
    throw Failure(Code::device, "expected kernels (*.fatbin) in " + folder +
                                    ", but received none: they are built where nvcc is found");
  }
  int major = 0;
  std::ifstream(folder + "/cuda-version") >> major;
  if (major * 1000 > driver.version() / 1000 * 1000) {
    throw Failure(Code::device, "expected a driver for CUDA " + std::to_string(major) +
                                    ", as the kernels are, but received one for CUDA " +
                                    std::to_string(driver.version() / 1000) + "." +
                                    std::to_string(driver.version() % 1000 / 10));
  }
  return files;
}

Modules::Modules(std::shared_ptr<const PrimaryContext> context, const std::string& folder)
    : context_(std::move(context)) {
  context_->use();
  try {
    for (const std::string& file : files(folder, context_->driver())) load(file);
    if (modules_.empty()) {
      throw Failure(Code::device, "expected kernels for this device in " + folder + ", but received none");
    }
  } catch (...) {
    unload();
    throw;
  }
}

Modules::~Modules() { unload(); }

void Modules::load(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> image((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) throw Failure(Code::io, "expected to read " + file + ", but received an error");
  image.push_back(0);  // The image has its own length or, as PTX, ends with a zero.
  CUmodule module = nullptr;
  const CUresult result = context_->driver().cuModuleLoadData(&module, image.data());
  // Kernels that use instructions of another architecture are skipped.
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU) return;
  if (result != CUDA_SUCCESS) context_->driver().fail(result, ("cuModuleLoadData of " + file).c_str());
  modules_.push_back(module);
}

void Modules::unload() noexcept {
  if (!context_->try_use()) return;
  for (CUmodule module : modules_) context_->driver().cuModuleUnload(module);
}

CUfunction Modules::find(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = functions_.find(name);
  if (known != functions_.end()) return known->second;
  return functions_.emplace(name, look_up(name)).first->second;
}

CUfunction Modules::look_up(const std::string& name) const {
  context_->use();
  for (CUmodule module : modules_) {
    CUfunction function = nullptr;
    const CUresult result = context_->driver().cuModuleGetFunction(&function, module, name.c_str());
    if (result == CUDA_SUCCESS) return function;
    if (result != CUDA_ERROR_NOT_FOUND) context_->driver().fail(result, ("cuModuleGetFunction of " + name).c_str());
  }
  return nullptr;
}

}  // namespace palestra::cuda
