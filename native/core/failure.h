#pragma once
#include <exception>
#include <string>
#include <utility>

namespace palestra {

/**
 * Kinds of failure that the callers of the C ABI distinguish. The order is part of the ABI, so append new kinds only.
 */
enum class Code {
  ok = 0,
  /** A wrong value from the caller. The message says "expected ... but received ...". */
  invalid_argument = 1,
  /** A request beyond the memory budget. The message has the requested and the free amount. */
  out_of_memory = 2,
  /** A file that does not exist, or cannot be read or written. */
  io = 3,
  /** A file with wrong content: truncated, a wrong shape, an unknown type. */
  format = 4,
  /** NaN or infinity in a number that must be finite. */
  not_finite = 5,
  /** Work cancelled by the caller. */
  cancelled = 6,
  /** A call after close. */
  closed = 7,
  /** A bug in the engine. */
  internal = 8,
  /** A requested device that cannot be used, or whose driver reported an error. */
  device = 9,
};

/** The only exception of the core. The C ABI turns it into a code and a message. */
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
