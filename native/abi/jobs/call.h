#pragma once
#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "../../core/failure.h"

namespace palestra {

/** The result of a call, which crosses the C ABI instead of an exception. */
struct Outcome {
  Code code = Code::ok;
  std::string message;

  /**
   * Makes an outcome of an exception. Null means success. Never throws. If memory for the message is lacking, the
   * message is empty.
   */
  static Outcome of(std::exception_ptr failure) noexcept;
};

/** Stores the outcome for `palestra_last_error` of this thread. @returns the code of the outcome */
int32_t report(Outcome outcome) noexcept;

/** Runs the body of a function of the C ABI. */
template <class Body>
int32_t guarded(Body&& body) noexcept {
  try {
    body();
    return 0;
  } catch (...) {
    return report(Outcome::of(std::current_exception()));
  }
}

[[noreturn]] void refuse(const std::string& expected, const std::string& received);

}  // namespace palestra
