import type { FastifyBaseLogger } from "fastify";
import type { GymObserver } from "../../episodes/gym-options.js";
import { type GymError, shortened } from "../../errors.js";

/** Limit on the characters of the frames of an environment, which can have any length. */
const longestTrace = 4_000;

/** Returns an environment's error for the log, with the frames of its code as the stack. */
function factsOf({ code, failureClass, message, trace }: GymError): Record<string, unknown> {
  const stack = trace ? { err: { stack: shortened(trace, longestTrace) } } : {};
  return { code, class: failureClass, cause: message, ...stack };
}

/** Returns an observer that logs failures for the operator and passes all events on to `observer`. */
export function logged(observer: GymObserver, log: FastifyBaseLogger): GymObserver {
  return {
    ...unlogged(observer),
    onFailure(environment, error) {
      log.warn({ environment, ...factsOf(error) }, "an episode failed");
      observer.onFailure(environment, error);
    },
    onThrown(environment, error) {
      log.warn({ environment, ...factsOf(error) }, "an environment failed");
      observer.onThrown(environment, error);
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

/** Passes the usual events on. */
function unlogged(observer: GymObserver) {
  return {
    onStep: observer.onStep.bind(observer),
    onCreate: observer.onCreate.bind(observer),
    onScored: observer.onScored.bind(observer),
    onLapse: observer.onLapse.bind(observer),
    onYield: observer.onYield.bind(observer),
    onQuota: observer.onQuota.bind(observer),
  };
}
