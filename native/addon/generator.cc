#include <vector>

#include "elsewhere.h"
#include "held.h"
#include "pending.h"

namespace palestra::addon {

namespace {

/** Collects the events of steps until JavaScript's thread takes all events in one call. */
class Sink : public std::enable_shared_from_this<Sink> {
 public:
  Sink(napi_env env, std::shared_ptr<CompletionQueue> completions, napi_value callback)
      : completions_(std::move(completions)), callback_(env, callback) {}

  /** A `palestra_events` that stores the events in the sink. */
  static void receive(void* sink, const palestra_event* events, int32_t count, const palestra_top_token* tops) {
    static_cast<Sink*>(sink)->gather(events, count, tops);
  }

 private:
  void gather(const palestra_event* events, int32_t count, const palestra_top_token* tops) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const bool is_first = waiting_.empty();
      waiting_.insert(waiting_.end(), events, events + count);
      size_t top_count = 0;
      for (int32_t i = 0; i < count; ++i) top_count += static_cast<size_t>(events[i].top_count);
      waiting_tops_.insert(waiting_tops_.end(), tops, tops + top_count);
      if (!is_first) return;
    }
    completions_->post([self = shared_from_this()](napi_env env) { self->pass_on(env); });
  }

  void pass_on(napi_env env) {
    std::vector<palestra_event> events;
    std::vector<palestra_top_token> tops;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      events.swap(waiting_);
      tops.swap(waiting_tops_);
    }
    double *names, *versions;
    int32_t *tokens, *finishes;
    float *logprobs, *model_logprobs;
    const size_t count = events.size();
    const napi_value columns[] = {new_array(env, count, &names),    new_array(env, count, &tokens),
                                  new_array(env, count, &finishes), new_array(env, count, &logprobs),
                                  new_array(env, count, &model_logprobs), new_array(env, count, &versions),
                                  tops.empty() ? undefined(env) : tops_of(env, events, tops)};
    for (size_t i = 0; i < count; ++i) {
      names[i] = static_cast<double>(events[i].sequence);
      tokens[i] = events[i].token;
      finishes[i] = events[i].finish;
      logprobs[i] = events[i].logprob;
      model_logprobs[i] = events[i].model_logprob;
      versions[i] = static_cast<double>(events[i].version);
    }
    check(napi_call_function(env, undefined(env), callback_.value(), std::size(columns), columns, nullptr));
  }

  /** Returns the number of top tokens of each event, and all top tokens, in columns. */
  static napi_value tops_of(napi_env env, const std::vector<palestra_event>& events,
                            const std::vector<palestra_top_token>& tops) {
    int32_t *counts, *tokens;
    float* logprobs;
    const Object columns = Object(env)
                               .set("counts", new_array(env, events.size(), &counts))
                               .set("tokens", new_array(env, tops.size(), &tokens))
                               .set("logprobs", new_array(env, tops.size(), &logprobs));
    for (size_t i = 0; i < events.size(); ++i) counts[i] = events[i].top_count;
    for (size_t i = 0; i < tops.size(); ++i) {
      tokens[i] = tops[i].token;
      logprobs[i] = tops[i].logprob;
    }
    return columns;
  }

  std::shared_ptr<CompletionQueue> completions_;
  Kept callback_;
  std::mutex mutex_;
  std::vector<palestra_event> waiting_;
  /** Top tokens of the waiting events, in the order of the events. */
  std::vector<palestra_top_token> waiting_tops_;
};

struct HeldGenerator {
  palestra_generator* handle;
  std::shared_ptr<CompletionQueue> completions;
  std::shared_ptr<Sink> sink;

  static HeldGenerator& of(napi_env env, napi_value external) {
    void* data;
    check(napi_get_value_external(env, external, &data));
    return *static_cast<HeldGenerator*>(data);
  }
};

napi_value hold_generator(napi_env env, std::unique_ptr<HeldGenerator> own) {
  const auto forget = [](napi_env, void* data, void*) {
    const std::unique_ptr<HeldGenerator> last(static_cast<HeldGenerator*>(data));
    palestra_generator_close(last->handle);
  };
  napi_value external;
  if (napi_create_external(env, own.get(), forget, nullptr, &external) != napi_ok) {
    palestra_generator_close(own->handle);
    throw NapiFailure{napi_generic_failure};
  }
  own.release();
  return external;
}

napi_value create(napi_env env, const Arguments& arguments) {
  const auto model = held<palestra_model>(env, arguments[0]);
  palestra_trainer* const adapters = trainer_or_null(env, arguments[1]);
  const napi_value given = arguments[2];
  palestra_generator_options options{};
  options.max_sequences = integer(env, field(env, given, "maxSequences"));
  options.max_rows = integer(env, field(env, given, "maxRows"));
  options.kv_bytes = static_cast<uint64_t>(number(env, field(env, given, "kvBytes")));
  options.weights = integer(env, field(env, given, "weights"));
  options.keys_values = integer(env, field(env, given, "keysValues"));
  const auto sink = std::make_shared<Sink>(env, model.completions, arguments[3]);
  const auto generator = std::make_shared<palestra_generator*>(nullptr);
  return elsewhere(
      env,
      [=] {
        return palestra_generator_create(model.handle, adapters, &options, Sink::receive, sink.get(), generator.get());
      },
      [=](napi_env later) {
        return hold_generator(later, std::make_unique<HeldGenerator>(HeldGenerator{*generator, model.completions, sink}));
      });
}

napi_value set_vocabulary(napi_env env, const Arguments& arguments) {
  check_call(palestra_generator_set_vocabulary(HeldGenerator::of(env, arguments[0]).handle,
                                               array<uint8_t>(env, arguments[1]), array<uint64_t>(env, arguments[2]),
                                               array<uint8_t>(env, arguments[3])));
  return undefined(env);
}

/** A request together with the texts to which it points. */
struct OwnedRequest {
  palestra_request request{};
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
  std::vector<int32_t> sizes;

  OwnedRequest(napi_env env, napi_value given) {
    const auto real = [&](const char* name) { return static_cast<float>(number(env, field(env, given, name))); };
    const TypedArray tokens = typed_array(env, field(env, given, "tokens"), napi_int32_array);
    const TypedArray stops = typed_array(env, field(env, given, "stopTokens"), napi_int32_array);
    request.tokens = static_cast<int32_t*>(tokens.data);
    request.token_count = static_cast<int32_t>(tokens.length);
    request.max_new_tokens = integer(env, field(env, given, "maxNewTokens"));
    request.temperature = real("temperature");
    request.top_k = integer(env, field(env, given, "topK"));
    request.top_p = real("topP");
    request.min_p = real("minP");
    request.seed = big_integer(env, field(env, given, "seed"));
    request.stream = big_integer(env, field(env, given, "stream"));
    request.stop_tokens = static_cast<int32_t*>(stops.data);
    request.stop_token_count = static_cast<int32_t>(stops.length);
    request.allowed = array<uint32_t>(env, field(env, given, "allowed"));
    const TypedArray grammar = typed_array(env, field(env, given, "grammar"), napi_int32_array);
    request.grammar = grammar.length > 0 ? static_cast<int32_t*>(grammar.data) : nullptr;
    request.grammar_count = static_cast<int32_t>(grammar.length);
    set_penalties(env, given);
    request.top_tokens = integer(env, field(env, given, "topTokens"));
    set_stop_strings(env, field(env, given, "stopStrings"));
  }

 private:
  void set_penalties(napi_env env, napi_value given) {
    const auto real = [&](const char* name) { return static_cast<float>(number(env, field(env, given, name))); };
    request.presence_penalty = real("presencePenalty");
    request.frequency_penalty = real("frequencyPenalty");
    request.repetition_penalty = real("repetitionPenalty");
    const TypedArray tokens = typed_array(env, field(env, given, "biasTokens"), napi_int32_array);
    request.bias_tokens = static_cast<int32_t*>(tokens.data);
    request.biases = array<float>(env, field(env, given, "biases"));
    request.bias_count = static_cast<int32_t>(tokens.length);
  }
  void set_stop_strings(napi_env env, napi_value given) {
    for (uint32_t i = 0; i < length(env, given); ++i) texts.push_back(text(env, element(env, given, i)));
    for (const auto& text : texts) {
      pointers.push_back(text.data());
      sizes.push_back(static_cast<int32_t>(text.size()));
    }
    request.stop_strings = pointers.data();
    request.stop_string_bytes = sizes.data();
    request.stop_string_count = static_cast<int32_t>(texts.size());
  }
};

napi_value submit(napi_env env, const Arguments& arguments) {
  const OwnedRequest owned(env, arguments[1]);
  const int32_t count = integer(env, arguments[2]);
  std::vector<uint64_t> names(static_cast<size_t>(count));
  palestra_generator* const generator = HeldGenerator::of(env, arguments[0]).handle;
  check_call(palestra_generator_submit(generator, &owned.request, count, names.data()));
  double* data;
  const napi_value result = new_array(env, names.size(), &data);
  for (size_t i = 0; i < names.size(); ++i) data[i] = static_cast<double>(names[i]);
  return result;
}

napi_value extend(napi_env env, const Arguments& arguments) {
  const OwnedRequest owned(env, arguments[2]);
  check_call(palestra_generator_extend(HeldGenerator::of(env, arguments[0]).handle,
                                       static_cast<uint64_t>(number(env, arguments[1])), &owned.request));
  return undefined(env);
}

template <int32_t (*call)(palestra_generator*, uint64_t)>
napi_value with_sequence(napi_env env, const Arguments& arguments) {
  check_call(call(HeldGenerator::of(env, arguments[0]).handle, static_cast<uint64_t>(number(env, arguments[1]))));
  return undefined(env);
}

template <int32_t (*call)(palestra_generator*)>
napi_value alone(napi_env env, const Arguments& arguments) {
  check_call(call(HeldGenerator::of(env, arguments[0]).handle));
  return undefined(env);
}

napi_value pause(napi_env env, const Arguments& arguments) {
  const auto& generator = HeldGenerator::of(env, arguments[0]);
  return promise_of(env, generator.completions, number(env, arguments[1]), undefined, [&](void* user) {
    return palestra_generator_pause(generator.handle, Pending::done, user);
  });
}

napi_value update(napi_env env, const Arguments& arguments) {
  const auto& generator = HeldGenerator::of(env, arguments[0]);
  const int32_t on_update = integer(env, arguments[1]);
  return promise_of(env, generator.completions, number(env, arguments[2]), undefined, [&](void* user) {
    return palestra_generator_update(generator.handle, on_update, Pending::done, user);
  });
}

napi_value failure(napi_env env, const Arguments& arguments) {
  int32_t code;
  check_call(palestra_generator_failure(HeldGenerator::of(env, arguments[0]).handle, &code));
  return error_of(env, code, palestra_last_error());
}

napi_value describe(napi_env env, const Arguments& arguments) {
  palestra_generator_statistics s;
  check_call(palestra_generator_describe(HeldGenerator::of(env, arguments[0]).handle, &s));
  return Object(env)
      .set("steps", static_cast<double>(s.steps))
      .set("decodedTokens", static_cast<double>(s.decoded_tokens))
      .set("prefilledTokens", static_cast<double>(s.prefilled_tokens))
      .set("sharedTokens", static_cast<double>(s.shared_tokens))
      .set("preemptions", static_cast<double>(s.preemptions))
      .set("pages", static_cast<double>(s.pages))
      .set("freePages", static_cast<double>(s.free_pages))
      .set("running", static_cast<double>(s.running))
      .set("waiting", static_cast<double>(s.waiting))
      .set("kept", static_cast<double>(s.kept))
      .set("version", static_cast<double>(s.version));
}

}  // namespace

void export_generator(napi_env env, napi_value exports) {
  add_export<create>(env, exports, "createGenerator");
  add_export<set_vocabulary>(env, exports, "setVocabulary");
  add_export<submit>(env, exports, "submit");
  add_export<extend>(env, exports, "extend");
  add_export<with_sequence<palestra_generator_abort>>(env, exports, "abort");
  add_export<with_sequence<palestra_generator_release>>(env, exports, "release");
  add_export<pause>(env, exports, "pause");
  add_export<alone<palestra_generator_resume>>(env, exports, "resume");
  add_export<update>(env, exports, "update");
  add_export<describe>(env, exports, "describeGenerator");
  add_export<failure>(env, exports, "generatorFailure");
  add_export<alone<palestra_generator_close>>(env, exports, "closeGenerator");
}

}  // namespace palestra::addon
