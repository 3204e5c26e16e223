/** Checks of how an environment behaves at the edges of an episode, in the wrappers that every caller meets. */
import type { Environment, ResetRequest } from "../env.js";
import { EnvironmentClosed, EpisodeOver, ResetNeeded } from "../errors.js";
import { OrderEnforcing } from "../wrappers/order-enforcing.js";
import { TimeLimit } from "../wrappers/time-limit.js";
import { createWrapped } from "../wrappers/wrap.js";
import { mismatch } from "./expectations.js";
import { context, copyOf, nameOf, Skipped, type Subject, tryToClose } from "./subject.js";

function requestOf({ firstRequest }: Subject): ResetRequest {
  return copyOf(firstRequest);
}

export function checkOrder(subject: Subject): string {
  const environment = new OrderEnforcing(new TimeLimit(subject.spec.create(context), 1));
  try {
    expectRefusal("step before reset", ResetNeeded, () => environment.step(""));
    environment.reset(requestOf(subject));
    environment.step("");
    expectRefusal("step after the end", EpisodeOver, () => environment.step(""));
    environment.reset(requestOf(subject));
    environment.step("");
    environment.close();
    expectRefusal("step after close", EnvironmentClosed, () => environment.step(""));
    expectRefusal("reset after close", EnvironmentClosed, () => environment.reset(requestOf(subject)));
    expectRefusal("clone after close", EnvironmentClosed, () => environment.clone());
  } finally {
    tryToClose(environment);
  }
  return "ResetNeeded, EpisodeOver, EnvironmentClosed";
}

function expectRefusal(what: string, kind: new (call: string) => Error, act: () => unknown): void {
  let received = "a result";
  try {
    act();
  } catch (error) {
    if (error instanceof kind) return;
    received = String(error);
  }
  throw mismatch(kind.name, received, what);
}

/** `close` is harmless on a new instance, in mid-episode, and a second time. */
export function checkClose(subject: Subject): string {
  const lives: ((environment: Environment) => void)[] = [
    () => {},
    (environment) => environment.reset(requestOf(subject)),
    (environment) => {
      environment.reset(requestOf(subject));
      environment.step("");
    },
  ];
  for (const live of lives) {
    const environment = subject.spec.create(context);
    live(environment);
    environment.close();
    environment.close();
  }
  return "new, after reset and after a step, twice each";
}

const idleActions: readonly string[] = ["", "look", "wait", "x"];

/** An episode in which nothing ends the task is truncated at its `maxSteps`-th step, not before and not after. */
export function checkTimeLimit(subject: Subject): string {
  const { maxSteps } = subject.spec;
  for (const action of idleActions) {
    const end = idle(subject, action);
    if (end === "terminated") continue;
    if (end !== maxSteps) {
      const received = end === undefined ? "no end" : `the end at step ${end}`;
      throw mismatch(`truncation at step ${maxSteps} of ${JSON.stringify(action)} again and again`, received);
    }
    return `${nameOf(subject.firstRequest)} truncated at step ${maxSteps}`;
  }
  throw new Skipped(`each of ${JSON.stringify(idleActions)} ended the task before step ${maxSteps}`);
}

function idle(subject: Subject, action: string): number | "terminated" | undefined {
  const environment = createWrapped(subject.spec, context);
  try {
    environment.reset(requestOf(subject));
    for (let step = 1; step <= subject.spec.maxSteps; step++) {
      const { terminated, truncated } = environment.step(action);
      if (terminated) return "terminated";
      if (truncated) return step;
    }
    return undefined;
  } finally {
    tryToClose(environment);
  }
}
