/** Checks of the expert, for environments that have an expert. */
import type { ResetRequest } from "../env.js";
import { expectThat, mismatch } from "./expectations.js";
import { nameOf } from "./instance.js";
import { expectSameTrace, type Recording, Skipped, type Subject, traceOf } from "./subject.js";

function expectExpert({ spec }: Subject): void {
  if (!spec.expert) throw new Skipped("the spec has no expert");
}

/** Checks that the expert does not change the instance and always returns the same action in the same state. */
export async function checkExpertPurity(subject: Subject): Promise<string> {
  expectExpert(subject);
  let asked = 0;
  for (const recording of await subject.recordings()) {
    const [first, second] = [await consult(subject, recording), await consult(subject, recording)];
    asked += first.length;
    const differing = first.findIndex((answer, i) => answer !== second[i]);
    if (differing === -1) continue;
    const place = `${nameOf(recording)} after ${differing} steps`;
    throw mismatch(`${first[differing]} in a second instance`, `${second[differing]}`, place);
  }
  return `asked in ${asked} states`;
}

/** Plays a recording again and returns the expert's answer in each state of the recording. */
function consult(subject: Subject, recording: Recording): Promise<string[]> {
  return subject.withInstance(async (instance) => {
    const answers: string[] = [];
    const trace: string[] = [];
    for await (const line of traceOf(instance, recording)) {
      trace.push(line);
      if (trace.length > recording.actions.length) break;
      const [answer, again] = [await instance.askExpert(), await instance.askExpert()];
      const place = `${nameOf(recording)} after ${trace.length - 1} steps`;
      expectThat(
        answer === null || typeof answer === "string",
        "the expert to return an action or null",
        answer,
        place,
      );
      expectThat(answer === again, `the expert to return ${JSON.stringify(answer)} a second time`, again, place);
      answers.push(String(answer));
    }
    expectSameTrace(recording, recording.trace, trace);
    return answers;
  });
}

/** Maximum share of tasks for which the expert may return null at the first step. */
const mostHopeless = 0.1;

/**
 * Checks that the expert solves every task for which it has a first action. A task is solved if the return reaches the
 * spec's `solvedReward` within the limit on steps.
 */
export async function checkExpertReward(subject: Subject): Promise<string> {
  expectExpert(subject);
  const outcomes: (number | undefined)[] = [];
  for (const request of subject.requests) outcomes.push(await solve(subject, request));
  const lengths = outcomes.filter((length) => length !== undefined);
  const hopeless = outcomes.length - lengths.length;
  const most = Math.floor(mostHopeless * outcomes.length);
  if (hopeless > most)
    throw mismatch(`an action at step 1 of all tasks except at most ${most}`, `null for ${hopeless} tasks`);
  const solved = `${lengths.length} tasks solved in ${Math.min(...lengths)} to ${Math.max(...lengths)} steps`;
  return hopeless > 0 ? `${solved}, ${hopeless} without hope` : solved;
}

/**
 * Plays a task with the expert. @returns the number of steps to the solution, or undefined if the expert has no first
 * action
 */
function solve(subject: Subject, request: ResetRequest): Promise<number | undefined> {
  const { solvedReward, rewardRange, maxSteps } = subject.spec;
  const least = (solvedReward ?? rewardRange[1]) - 1e-9;
  return subject.withInstance(async (engine) => {
    const instance = engine.wrapped(maxSteps);
    await instance.reset(request);
    let sum = 0;
    for (let step = 1; ; step++) {
      const action = (await instance.askExpert()) as string | null;
      if (action === null && step === 1) return undefined;
      if (action === null) throw mismatch(`an action at step ${step}`, "null", nameOf(request));
      const { reward, terminated, truncated } = await instance.step(action);
      sum += reward;
      if (sum >= least) return step;
      if (!terminated && !truncated) continue;
      const received = `${terminated ? "the end" : "the time limit"} with ${sum} in all`;
      throw mismatch(`rewards of at least ${least}`, received, nameOf(request));
    }
  });
}
