#pragma once
#include <exception>
#include <string>
#include <utility>

namespace palestra {

/** What can go wrong, as callers of the C ABI tell it apart. The order is part of the ABI: append only. */
enum class Code {
  ok = 0,
  /** The caller's: a value that does not fit, told as "expected ... but received ...". */
  invalid_argument = 1,
  /** More memory than the budget holds; the message has what was asked and what was free. */
  out_of_memory = 2,
  /** A file that is not there or cannot be read or written. */
  io = 3,
  /** A file that is there and is not what it says: truncated, a wrong shape, an unknown type. */
  format = 4,
  /** NaN or infinity where numbers have to be finite. */
  not_finite = 5,
  /** Ended by the caller. */
  cancelled = 6,
  /** Used after close. */
  closed = 7,
  /** A bug of the engine. */
  internal = 8,
  /** A device that was asked for and cannot be used, or whose driver told an error. */
  device = 9,
};

/** The one exception of the core. It never passes the C ABI: there it becomes a code and a message. */
class Failure : public std::exception {
 public:
  Failure(Code code, std::string message) : code_(code), message_(std::move(message)) {}
  Code code() const noexcept { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Code code_;
  std::string message_;
};

}  // namespace palestra
