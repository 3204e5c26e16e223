import type { FastifyBaseLogger } from "fastify";
import type { GymObserver } from "../../episodes/gym-options.js";
import { errorTable } from "../../errors.js";

/** Returns an observer that logs failures for the operator and passes all events on to `observer`. */
export function logged(observer: GymObserver, log: FastifyBaseLogger): GymObserver {
  return {
    onStep: (environment, durationMs) => observer.onStep(environment, durationMs),
    onCreate: (environment) => observer.onCreate(environment),
    onScored: (environment, count) => observer.onScored(environment, count),
    onLapse: (environment) => observer.onLapse(environment),
    onYield: (environment) => observer.onYield(environment),
    onQuota: (quota, holder) => observer.onQuota(quota, holder),
    onFailure(environment, code) {
      log.warn({ environment, code, class: errorTable[code].class }, "an episode failed");
      observer.onFailure(environment, code);
    },
    onHostLost(cause) {
      log.warn({ cause }, "a host ended and is replaced");
      observer.onHostLost(cause);
    },
    onStray(detail) {
      log.warn({ detail }, "an environment threw outside of any call");
      observer.onStray(detail);
    },
    onInstanceLost(environment, error) {
      log.warn({ environment, code: error.code, cause: error.message }, "an instance is lost");
      observer.onInstanceLost(environment, error);
    },
    onRoom(refusal) {
      if (refusal) log.warn({ code: refusal.code, cause: refusal.message }, "new episodes are refused");
      else log.info("new episodes are accepted again");
      observer.onRoom(refusal);
    },
    onLogFailure(cause) {
      if (cause !== null) log.error({ cause }, "the episode log cannot be written");
      else log.info("the episode log is written again");
      observer.onLogFailure(cause);
    },
    onFleetTrouble(cause) {
      if (cause !== null) log.error({ cause }, "the fleet needs an operator");
      else log.info("the fleet needs no operator any more");
      observer.onFleetTrouble(cause);
    },
    onUseUnshared(cause) {
      if (cause !== null) log.warn({ cause }, "the use of tokens at other gyms is unknown and is not counted");
      else log.info("the use of tokens at other gyms is counted again");
      observer.onUseUnshared(cause);
    },
    onRemoved(episodes) {
      log.info({ episodes }, "old episodes were removed from the log");
      observer.onRemoved(episodes);
    },
  };
}
