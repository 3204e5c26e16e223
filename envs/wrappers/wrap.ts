import type { EnvironmentContext, EnvironmentSpec } from "../env.js";
import { OrderEnforcing } from "./order-enforcing.js";
import { TimeLimit } from "./time-limit.js";

/** A new instance in the wrappers that every environment is played in: call order outermost, time limit beneath. */
export function createWrapped(
  spec: EnvironmentSpec,
  context: EnvironmentContext,
  maxSteps: number = spec.maxSteps,
): OrderEnforcing {
  return new OrderEnforcing(new TimeLimit(spec.create(context), maxSteps));
}
