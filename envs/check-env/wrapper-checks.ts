/** Checks of the start and the end of episodes. The environment runs inside the gym's wrappers. */
import { EnvironmentClosed, EpisodeOver, ResetNeeded } from "../errors.js";
import { mismatch } from "./expectations.js";
import { type Instance, nameOf } from "./instance.js";
import { Skipped, type Subject } from "./subject.js";

export async function checkOrder(subject: Subject): Promise<string> {
  const { spec, firstRequest } = subject;
  await subject.withInstance(async (engine) => {
    const instance = engine.wrapped(1);
    await expectRefusal("step before reset", ResetNeeded, () => instance.step(""));
    await instance.reset(firstRequest);
    await instance.step("");
    await expectRefusal("step after the end", EpisodeOver, () => instance.step(""));
    await instance.reset(firstRequest);
    await instance.step("");
    await instance.close();
    await expectRefusal("step after close", EnvironmentClosed, () => instance.step(""));
    await expectRefusal("reset after close", EnvironmentClosed, () => instance.reset(firstRequest));
    if (!spec.isAsync) await expectRefusal("clone after close", EnvironmentClosed, async () => instance.clone());
  });
  return "ResetNeeded, EpisodeOver, EnvironmentClosed";
}

async function expectRefusal(
  what: string,
  kind: new (call: string) => Error,
  act: () => Promise<unknown>,
): Promise<void> {
  let received = "a result";
  try {
    await act();
  } catch (error) {
    if (error instanceof kind) return;
    received = String(error);
  }
  throw mismatch(kind.name, received, what);
}

/** Checks that `close` works on a new instance, during an episode, and a second time. */
export async function checkClose(subject: Subject): Promise<string> {
  const start = (instance: Instance) => instance.reset(subject.firstRequest);
  const lives: ((instance: Instance) => Promise<unknown>)[] = [
    async () => {},
    start,
    async (instance) => {
      await start(instance);
      await instance.step("");
    },
  ];
  for (const live of lives) {
    const instance = subject.create();
    await live(instance);
    await instance.close();
    await instance.close();
  }
  return "new, after reset and after a step, twice each";
}

const idleActions: readonly string[] = ["", "look", "wait", "x"];

/** Checks that an episode that does not terminate is truncated at exactly step `maxSteps`. */
export async function checkTimeLimit(subject: Subject): Promise<string> {
  const { maxSteps } = subject.spec;
  for (const action of idleActions) {
    const end = await idle(subject, action);
    if (end === "terminated") continue;
    if (end !== maxSteps) {
      const received = end === undefined ? "no end" : `the end at step ${end}`;
      throw mismatch(`truncation at step ${maxSteps} of ${JSON.stringify(action)} again and again`, received);
    }
    return `${nameOf(subject.firstRequest)} truncated at step ${maxSteps}`;
  }
  throw new Skipped(`each of ${JSON.stringify(idleActions)} ended the task before step ${maxSteps}`);
}

function idle(subject: Subject, action: string): Promise<number | "terminated" | undefined> {
  const { maxSteps } = subject.spec;
  return subject.withInstance(async (engine) => {
    const instance = engine.wrapped(maxSteps);
    await instance.reset(subject.firstRequest);
    for (let step = 1; step <= maxSteps; step++) {
      const { terminated, truncated } = await instance.step(action);
      if (terminated) return "terminated";
      if (truncated) return step;
    }
    return undefined;
  });
}
