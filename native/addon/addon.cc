/** The exports of `palestra.node`. native/addon/addon.ts declares their types. */
#include "held.h"

NAPI_MODULE_INIT() {
  using namespace palestra::addon;
  try {
    export_engine(env, exports);
    export_model(env, exports);
    export_trainer(env, exports);
    export_generator(env, exports);
  } catch (...) {
    rethrow(env);
  }
  return exports;
}
