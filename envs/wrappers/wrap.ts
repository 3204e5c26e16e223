import type { AsyncContext, AsyncEnvironmentSpec, EnvironmentContext, EnvironmentSpec } from "../env.js";
import { AsyncWrapped } from "./async-wrapped.js";
import { OrderEnforcing } from "./order-enforcing.js";
import { TimeLimit } from "./time-limit.js";

/** Makes an instance in the wrappers that the gym uses: OrderEnforcing wraps TimeLimit, which wraps the environment. */
export function createWrapped(
  spec: EnvironmentSpec,
  context: EnvironmentContext,
  maxSteps: number = spec.maxSteps,
): OrderEnforcing {
  return new OrderEnforcing(new TimeLimit(spec.create(context), maxSteps));
}

/** Makes an instance of an async environment in its wrapper, as `createWrapped` does for a synchronous environment. */
export function createAsyncWrapped(
  spec: AsyncEnvironmentSpec,
  context: AsyncContext,
  maxSteps: number = spec.maxSteps,
): AsyncWrapped {
  return new AsyncWrapped(spec.create(context), maxSteps);
}
