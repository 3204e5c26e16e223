#include "changes.h"

namespace palestra::cuda {

void CudaLogitChanges::change(Stream& stream, Launcher& launcher, float* logits, int vocabulary,
                              const std::vector<LogitChange>& changes) {
  staged_.clear();
  for (const LogitChange& each : changes) {
    staged_.push_back({int64_t{each.row} * vocabulary + each.token, each.divisor, each.addend});
  }
  if (changes_.size() < staged_.size()) {
    changes_ = {};
    kept_ = {};
    // Sequences grow by a token per step, so the memory grows in larger steps.
    const size_t room = 2 * staged_.size();
    changes_ = Buffer<ChangedLogit>(memory_, room, "changes of logits");
    kept_ = Buffer<float>(memory_, room, "logits before changes");
  }
  stream.upload(changes_.data(), staged_.data(), staged_.size() * sizeof(ChangedLogit));
  launch(launcher, logits, false);
}

void CudaLogitChanges::restore(Launcher& launcher, float* logits) { launch(launcher, logits, true); }

void CudaLogitChanges::launch(Launcher& launcher, float* logits, bool restores) {
  if (staged_.empty()) return;
  const auto count = static_cast<unsigned>(staged_.size());
  launcher.launch("change_logits_f32", {(count + change_threads - 1) / change_threads}, change_threads, 0,
                  ChangeLogits{logits, kept_.data(), changes_.data(), static_cast<int>(count), restores});
}

}  // namespace palestra::cuda
