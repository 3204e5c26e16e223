#pragma once
#include <cstddef>
#include <memory>

namespace palestra::simt {

/** A stack of its own that runs a function and can stop in between. For one thread of the machine. */
class Fiber {
 public:
  explicit Fiber(size_t stack_bytes);
  ~Fiber();
  Fiber(Fiber&&) noexcept;

  /** `stack_bytes` from here on. */
  const char* stack() const;
  /** The next `resume` begins `function(argument)`. */
  void begin(void (*function)(void*), void* argument);
  /** Goes on until it stops or ends. @returns whether there is more */
  bool resume();
  /** Called in a fiber: back to who resumed it. */
  static void stop();

 private:
  struct State;
  static void enter();
  std::unique_ptr<State> state_;
};

}  // namespace palestra::simt
