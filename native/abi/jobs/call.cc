#include "call.h"

#include "../../engine.h"

namespace palestra {

namespace {
thread_local std::string last_error;
}

Outcome Outcome::of(std::exception_ptr failure) noexcept {
  if (!failure) return {};
  try {
    try {
      std::rethrow_exception(failure);
    } catch (const Failure& known) {
      return {known.code(), known.what()};
    } catch (const std::bad_alloc&) {
      return {Code::out_of_memory, "expected memory from the operating system, but it had none left"};
    } catch (const std::exception& unknown) {
      return {Code::internal, unknown.what()};
    } catch (...) {
      return {Code::internal, "an exception of an unknown type"};
    }
  } catch (...) {
    return {Code::out_of_memory, {}};
  }
}

int32_t report(Outcome outcome) noexcept {
  last_error = std::move(outcome.message);
  return static_cast<int32_t>(outcome.code);
}

void refuse(const std::string& expected, const std::string& received) {
  throw Failure(Code::invalid_argument, "expected " + expected + ", but received " + received);
}

}  // namespace palestra

const char* palestra_last_error(void) { return palestra::last_error.c_str(); }
