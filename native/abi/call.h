#pragma once
#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "../core/failure.h"

namespace palestra {

/** What crosses the C ABI in place of an exception. */
struct Outcome {
  Code code = Code::ok;
  std::string message;

  /** Null: all went well. Never throws: a message that finds no memory is left empty. */
  static Outcome of(std::exception_ptr failure) noexcept;
};

/** Keeps the outcome for `palestra_last_error` of this thread. @returns the code */
int32_t report(Outcome outcome) noexcept;

/** The body of every function of the C ABI. */
template <class Body>
int32_t guarded(Body&& body) noexcept {
  try {
    body();
    return 0;
  } catch (...) {
    return report(Outcome::of(std::current_exception()));
  }
}

/** Fails unless a pointer that the caller must give is there. */
template <class T>
T& required(T* pointer, const char* name) {
  if (!pointer) throw Failure(Code::invalid_argument, std::string("expected ") + name + ", but received null");
  return *pointer;
}

[[noreturn]] void refuse(const std::string& expected, const std::string& received);

}  // namespace palestra
