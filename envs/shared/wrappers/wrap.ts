import type { AsyncContext, AsyncEnvironmentSpec, EnvironmentContext, EnvironmentSpec } from "../../env.js";
import { AsyncWrapped } from "./async-wrapped.js";
import { OrderEnforcing } from "./order-enforcing.js";
import { TimeLimit } from "./time-limit.js";

/** Creates an instance inside the gym's wrappers: OrderEnforcing wraps TimeLimit, which wraps the environment. */
export function createWrapped(
  spec: EnvironmentSpec,
  context: EnvironmentContext,
  maxSteps: number = spec.maxSteps,
): OrderEnforcing {
  return new OrderEnforcing(new TimeLimit(spec.create(context), maxSteps));
}

/**
 * Creates an instance of an async environment inside its wrapper. `createWrapped` does the same for a synchronous
 * environment.
 */
export function createAsyncWrapped(
  spec: AsyncEnvironmentSpec,
  context: AsyncContext,
  maxSteps: number = spec.maxSteps,
): AsyncWrapped {
  return new AsyncWrapped(spec.create(context), maxSteps);
}
