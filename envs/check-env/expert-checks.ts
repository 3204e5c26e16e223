/** Checks of the expert, for environments that have an expert. */
import type { ResetRequest } from "../env.js";
import { type Answer, askAlongRecordings } from "./answers.js";
import { expectThat, mismatch } from "./expectations.js";
import { type Instance, nameOf } from "./instance.js";
import { Skipped, type Subject } from "./subject.js";

function expectExpert({ spec }: Subject): void {
  if (!spec.expert) throw new Skipped("the spec has no expert");
}

/**
 * Checks that the expert does not change the instance and always returns the same action in the same state: on a new
 * instance, and on one that has played other episodes.
 */
export async function checkExpertPurity(subject: Subject): Promise<string> {
  expectExpert(subject);
  return `asked in ${await askAlongRecordings(subject, consult)} states`;
}

async function consult(instance: Instance, place: string): Promise<Answer> {
  const [answer, again] = [await instance.askExpert(), await instance.askExpert()];
  expectThat(answer === null || typeof answer === "string", "the expert to return an action or null", answer, place);
  expectThat(answer === again, `the expert to return ${JSON.stringify(answer)} a second time`, again, place);
  return { text: String(answer), place };
}

/** Maximum share of tasks for which the expert may return null at the first step. */
const mostHopeless = 0.1;

/**
 * Checks that the expert solves every task for which it has a first action. A task is solved if the return reaches the
 * spec's `solvedReward` within the limit on steps.
 */
export async function checkExpertReward(subject: Subject): Promise<string> {
  expectExpert(subject);
  const lengths: number[] = [];
  for (const request of subject.requests) {
    const solution = await solve(subject, request);
    if (!solution) continue;
    subject.solutions.set(request, solution);
    lengths.push(solution.length);
  }
  const hopeless = subject.requests.length - lengths.length;
  const most = Math.floor(mostHopeless * subject.requests.length);
  if (hopeless > most)
    throw mismatch(`an action at step 1 of all tasks except at most ${most}`, `null for ${hopeless} tasks`);
  const solved = `${lengths.length} tasks solved in ${Math.min(...lengths)} to ${Math.max(...lengths)} steps`;
  return hopeless > 0 ? `${solved}, ${hopeless} without hope` : solved;
}

/** Maximum number of tasks that are restored, since each is played once more. */
const mostRestored = 8;

/**
 * Checks that the expert continues a restored episode. A new instance performs the first actions of a solution, and
 * nobody asks its expert meanwhile, as in a replay. Then the expert must return the next action of the solution, and
 * solve the task. The same must hold for a clone.
 */
export async function checkExpertRestore(subject: Subject): Promise<string> {
  expectExpert(subject);
  const { restore } = subject.spec;
  if (restore === "none") throw new Skipped("the spec says restore: none");
  const longer = [...subject.solutions].filter(([, solution]) => solution.length > 1);
  if (longer.length === 0) return "each solution has one step";
  const chosen = longer.slice(0, mostRestored);
  for (const [at, [request, solution]] of chosen.entries()) {
    const done = 1 + Math.floor(((solution.length - 1) * at) / chosen.length);
    for (const isCloned of restore === "clone" ? [false, true] : [false]) {
      const { [done]: next } = (await solve(subject, request, solution.slice(0, done), isCloned)) ?? [];
      const place = `${nameOf(request)}, ${isCloned ? "cloned" : "restored"} after ${done} steps`;
      if (next !== solution[done]) throw mismatch(`the expert to continue with ${solution[done]}`, `${next}`, place);
    }
  }
  return `${chosen.length} tasks restored and solved`;
}

/**
 * Plays a task: first the given actions, without asking the expert, and then the expert's actions.
 *
 * @param isCloned whether the expert continues on a clone
 * @returns the actions of the solution, or undefined if the expert has no first action
 */
function solve(
  subject: Subject,
  request: ResetRequest,
  performed: readonly string[] = [],
  isCloned = false,
): Promise<string[] | undefined> {
  return subject.withInstance(async (engine) => {
    const original = isCloned ? engine : engine.wrapped(subject.spec.maxSteps);
    await original.reset(request);
    let sum = 0;
    for (const action of performed) sum += (await original.step(action)).reward;
    const instance = isCloned ? original.clone() : original;
    try {
      return await follow(subject, instance, { request, actions: [...performed], sum });
    } finally {
      if (isCloned) await instance.tryToClose();
    }
  });
}

async function follow(
  { spec: { solvedReward, rewardRange, maxSteps } }: Subject,
  instance: Instance,
  { request, actions, sum }: { request: ResetRequest; actions: string[]; sum: number },
): Promise<string[] | undefined> {
  const least = (solvedReward ?? rewardRange[1]) - 1e-9;
  let total = sum;
  for (;;) {
    const action = (await instance.askExpert()) as string | null;
    const step = actions.length + 1;
    if (action === null && step === 1) return undefined;
    if (action === null) throw mismatch(`an action at step ${step}`, "null", nameOf(request));
    const { reward, terminated, truncated } = await instance.step(action);
    actions.push(action);
    total += reward;
    if (total >= least) return actions;
    if (!terminated && !truncated && step < maxSteps) continue;
    const received = `${terminated ? "the end" : "the time limit"} with ${total} in all`;
    throw mismatch(`rewards of at least ${least}`, received, nameOf(request));
  }
}
