#include "job.h"

namespace palestra {

void Recipient::tell(Outcome outcome) noexcept {
  if (done_) {
    done_(user_, static_cast<int32_t>(outcome.code), outcome.code == Code::ok ? nullptr : outcome.message.c_str());
    return;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  outcome_ = std::move(outcome);
  is_told_ = true;
  told_.notify_all();
}

void Recipient::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  told_.wait(lock, [&] { return is_told_; });
  if (outcome_.code != Code::ok) throw Failure(outcome_.code, std::move(outcome_.message));
}

bool Job::advance() {
  if (*closed_) throw Failure(Code::closed, "The object was closed before its work was done.");
  if (!work_) work_ = begin_([this](std::exception_ptr failure) { failure_ = failure; });
  return work_->advance();
}

void Job::finish(std::exception_ptr failure) noexcept {
  failure_ = failure;
  if (work_) work_->finish(failure);
  work_.reset();
  begin_ = nullptr;
  recipient_->tell(Outcome::of(failure_));
}

bool Parts::advance() {
  if (next_ < count_) part_(next_++);
  return next_ < count_;
}

void Parts::finish(std::exception_ptr failure) noexcept { done_(failure); }

}  // namespace palestra
