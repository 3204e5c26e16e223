#include "held.h"

namespace palestra::addon {

namespace {

napi_value create(napi_env env, const Arguments& arguments) {
  const napi_value given = arguments[0];
  const std::string device = text(env, field(env, given, "device"));
  const napi_value most = field(env, given, "instructionSet");
  const std::string instruction_set = is_null(env, most) ? "" : text(env, most);
  palestra_engine_options options{};
  options.device = device.c_str();
  options.threads = integer(env, field(env, given, "threads"));
  options.memory_bytes = static_cast<uint64_t>(number(env, field(env, given, "memoryBytes")));
  options.dtype = integer(env, field(env, given, "dtype"));
  options.train_share = number(env, field(env, given, "trainShare"));
  options.generate_share = number(env, field(env, given, "generateShare"));
  options.deterministic = boolean(env, field(env, given, "deterministic"));
  options.instruction_set = instruction_set.empty() ? nullptr : instruction_set.c_str();

  palestra_engine* engine;
  check_call(palestra_engine_create(&options, &engine));
  std::shared_ptr<CompletionQueue> completions;
  try {
    completions = CompletionQueue::open(env, engine);
  } catch (...) {
    palestra_engine_close(engine);
    throw;
  }
  const auto forget = [](napi_env later, void* data, void*) {
    const std::unique_ptr<HeldEngine> last(static_cast<HeldEngine*>(data));
    last->completions->close_now(later);
  };
  auto own = std::make_unique<HeldEngine>(HeldEngine{engine, completions});
  napi_value external;
  check(napi_create_external(env, own.get(), forget, nullptr, &external));
  own.release();
  return external;
}

napi_value describe(napi_env env, const Arguments& arguments) {
  palestra_engine_info info;
  check_call(palestra_engine_describe(held<palestra_engine>(env, arguments[0]).handle, &info));
  return Object(env)
      .set("device", info.device)
      .set("instructionSet", info.instruction_set)
      .set("gemm", info.gemm)
      .set("noCuda", info.no_cuda)
      .set("noGraphs", info.no_graphs)
      .set("dtype", info.dtype == 2 ? "bf16" : "f32")
      .set("threads", static_cast<double>(info.threads))
      .set("memoryBudget", static_cast<double>(info.memory_budget))
      .set("memoryUsed", static_cast<double>(info.memory_used))
      .set("memoryHighest", static_cast<double>(info.memory_highest))
      .set("trainSeconds", info.train_seconds)
      .set("generateSeconds", info.generate_seconds);
}

napi_value set_shares(napi_env env, const Arguments& arguments) {
  check_call(palestra_engine_set_shares(held<palestra_engine>(env, arguments[0]).handle, number(env, arguments[1]),
                                        number(env, arguments[2])));
  return undefined(env);
}

napi_value close(napi_env env, const Arguments& arguments) {
  return held<palestra_engine>(env, arguments[0]).completions->close(env);
}

napi_value cancel(napi_env env, const Arguments& arguments) {
  held<palestra_engine>(env, arguments[0]).completions->cancel(number(env, arguments[1]));
  return undefined(env);
}

/** Running sequences keep the process alive, as promises do. */
napi_value keep_alive(napi_env env, const Arguments& arguments) {
  held<palestra_engine>(env, arguments[0]).completions->hold(env, integer(env, arguments[1]));
  return undefined(env);
}

}  // namespace

void export_engine(napi_env env, napi_value exports) {
  add_export<create>(env, exports, "createEngine");
  add_export<describe>(env, exports, "describeEngine");
  add_export<set_shares>(env, exports, "setShares");
  add_export<close>(env, exports, "closeEngine");
  add_export<cancel>(env, exports, "cancel");
  add_export<keep_alive>(env, exports, "keepAlive");
}

}  // namespace palestra::addon
