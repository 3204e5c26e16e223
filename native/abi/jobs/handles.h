#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "../../core/failure.h"

namespace palestra {

/**
 * Callers of the C ABI hold numbers in the shape of pointers, unique in the process. An invalid or closed handle is
 * recognized without touching memory.
 */
template <class Handle, class Object>
class Handles {
 public:
  /** @param noun the noun for messages: "engine" */
  explicit Handles(const char* noun) : noun_(noun) {}

  Handle* add(std::shared_ptr<Object> object) {
    std::lock_guard<std::mutex> lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return reinterpret_cast<Handle*>(last_);
  }

  /** Returns the object of a handle. Fails with `Code::closed` for a handle that is not open. */
  std::shared_ptr<Object> get(Handle* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    return find(handle)->second;
  }

  std::shared_ptr<Object> remove(Handle* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = find(handle);
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  auto find(Handle* handle) {
    const auto found = objects_.find(reinterpret_cast<uintptr_t>(handle));
    if (found == objects_.end()) {
      throw Failure(Code::closed, "The " + std::string(noun_) + " is closed.");
    }
    return found;
  }

  const char* noun_;
  std::mutex mutex_;
  uintptr_t last_ = 0;
  std::unordered_map<uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace palestra
