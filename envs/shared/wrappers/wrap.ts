import type {
  AsyncContext,
  AsyncEnvironment,
  AsyncEnvironmentSpec,
  Environment,
  EnvironmentContext,
  EnvironmentSpec,
} from "../../env.js";
import { AsyncWrapped } from "./async-wrapped.js";
import { OrderEnforcing } from "./order-enforcing.js";
import { TimeLimit } from "./time-limit.js";

/**
 * Creates an instance inside the gym's wrappers: OrderEnforcing wraps TimeLimit, which wraps the environment.
 *
 * @param around wraps the environment once more, inside the time limit
 */
export function createWrapped(
  spec: EnvironmentSpec,
  context: EnvironmentContext,
  maxSteps: number = spec.maxSteps,
  around: (environment: Environment) => Environment = (environment) => environment,
): OrderEnforcing {
  return new OrderEnforcing(new TimeLimit(around(spec.create(context)), maxSteps));
}

/**
 * Creates an instance of an async environment inside its wrapper. `createWrapped` does the same for a synchronous
 * environment.
 */
export function createAsyncWrapped(
  spec: AsyncEnvironmentSpec,
  context: AsyncContext,
  maxSteps: number = spec.maxSteps,
  around: (environment: AsyncEnvironment) => AsyncEnvironment = (environment) => environment,
): AsyncWrapped {
  return new AsyncWrapped(around(spec.create(context)), maxSteps);
}
