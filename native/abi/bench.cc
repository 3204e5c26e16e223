#include "objects.h"
#include "timing/timed-op.h"

using namespace palestra;

int32_t palestra_engine_time(palestra_engine* engine, const palestra_timing* timing, double* seconds) {
  return guarded([&] {
    const palestra_timing checked = *timing;
    check(checked);
    const auto object = engines().get(engine);
    const auto measure = [=](size_t) { *seconds = object->backend().time(checked); };
    object->run(Lane::train, std::make_shared<std::atomic<bool>>(false), nullptr, nullptr,
                [&](Done done) { return std::make_shared<Parts>(1, measure, std::move(done)); });
  });
}
