#pragma once
#include <cstddef>
#include <memory>

namespace palestra::simt {

/** A function on a stack of its own, which can stop in between. For one thread of the machine. */
class Fiber {
 public:
  explicit Fiber(size_t stack_bytes);
  ~Fiber();
  Fiber(Fiber&&) noexcept;

  /** Start of a stack of `stack_bytes`. */
  const char* stack() const;
  /** Makes the next `resume` begin `function(argument)`. */
  void begin(void (*function)(void*), void* argument);
  /** Continues the function until it stops or ends. @returns whether it can continue */
  bool resume();
  /** Called in a fiber: returns to the caller of `resume`. */
  static void stop();

 private:
  struct State;
  static void enter();
  std::unique_ptr<State> state_;
};

}  // namespace palestra::simt
