#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

namespace palestra {

/**
 * The memory of a device, with a budget. An allocation beyond the budget fails with `Code::out_of_memory` before the
 * operating system is asked, since Linux grants more memory than it has and kills the process later. Thread-safe.
 */
class Memory {
 public:
  static constexpr size_t alignment = 256;

  explicit Memory(size_t budget_bytes) : budget_(budget_bytes) {}
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /**
   * Allocates memory. Returns null for 0 bytes.
   *
   * @param what the subject of a failure's message: "key-value pages", "optimizer state"
   */
  void* take(size_t bytes, const std::string& what);
  void give_back(void* data, size_t bytes) noexcept;

  size_t budget() const { return budget_; }
  size_t used() const { return used_.load(); }
  size_t highest_use() const { return highest_.load(); }

 protected:
  /** Returns aligned memory that is not zeroed, or null when no memory is left. May fail for another reason. */
  virtual void* allocate(size_t bytes) = 0;
  /** Returns the end of a failure's message when `allocate` finds no memory: ", of which ...". */
  virtual std::string shortage() { return ""; }
  virtual void release(void* data) noexcept = 0;

 private:
  const size_t budget_;
  std::atomic<size_t> used_{0};
  std::atomic<size_t> highest_{0};
};

/** Main memory. */
class HostMemory : public Memory {
 public:
  using Memory::Memory;
  /** Free bytes of this machine, or of the control group in which the process runs. */
  static size_t available();

 protected:
  void* allocate(size_t bytes) override;
  void release(void* data) noexcept override;
};

/** An owned, uninitialized array of `T` on a device. */
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Memory& memory, size_t size, const std::string& what)
      : memory_(&memory), data_(static_cast<T*>(memory.take(bytes_of(size), what))), size_(size) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (memory_) memory_->give_back(data_, size_ * sizeof(T));
  }

  T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  /** Returns the bytes of an array. If the product overflows, the result is more than any budget. */
  static size_t bytes_of(size_t size) {
    return size <= static_cast<size_t>(-1) / sizeof(T) ? size * sizeof(T) : static_cast<size_t>(-1);
  }
  void swap(Buffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  Memory* memory_ = nullptr;
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace palestra
