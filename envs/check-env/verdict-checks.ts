/** Checks of the verdict on an episode, for environments that state one. */
import type { EpisodeEnd, JsonValue, ResetRequest, StepResult } from "../env.js";
import { rewardRangeOf } from "../registry.js";
import { expectThat, mismatch } from "./expectations.js";
import { type Instance, nameOf } from "./instance.js";
import { isHeld } from "./query-checks.js";
import { junkActions, type Recording, Skipped, type Subject } from "./subject.js";

/** Maximum number of episodes of each kind, since each is played twice. Engines outside of the gym take longer. */
const mostPlayed = ({ spec }: Subject) => (spec.isAsync ? 2 : 4);
/** Number of refused actions after which a limit ends an episode. */
const refused = 3;
/** Maximum number of characters of a sentence: the gym cuts a longer one. */
const longestSentence = 1_000;

type Played = Pick<EpisodeEnd, "action" | "result" | "return" | "steps">;

/**
 * Checks the verdicts on solved episodes, on episodes that a limit ended after refused actions, and in the middle of
 * recordings. The verdict must be well-formed and equal on a second instance, and must not change the instance.
 */
export async function checkVerdict(subject: Subject): Promise<string> {
  if (!subject.spec.verdict) throw new Skipped("the spec has no verdict");
  const most = mostPlayed(subject);
  const solutions = [...subject.solutions].slice(0, most);
  for (const [request, actions] of solutions) await compareTwice(subject, request, actions, subject.spec.maxSteps);
  const unsolved = subject.requests.slice(0, most);
  const refusals = junkActions.slice(0, refused);
  for (const request of unsolved) await compareTwice(subject, request, refusals, refused);
  const recordings = (await subject.recordings()).filter(({ thrown }) => !thrown).slice(0, most);
  for (const recording of recordings) await checkPurity(subject, recording);
  return `${solutions.length} solved and ${unsolved.length} unsolved episodes, and ${recordings.length} in the middle`;
}

async function compareTwice(
  subject: Subject,
  request: ResetRequest,
  actions: readonly string[],
  maxSteps: number,
): Promise<void> {
  const judge = () =>
    subject.withInstance(async (engine) => {
      const instance = engine.wrapped(maxSteps);
      await instance.reset(request);
      const end = endOf(subject, request, await played(instance, actions));
      const place = `the verdict on ${nameOf(request)} after ${end.steps} steps`;
      const text = await verdictText(instance, end, place);
      expectSame(text, await verdictText(instance, end, place), `${place}, asked again`);
      return { text, place };
    });
  const first = await judge();
  expectSame(first.text, (await judge()).text, `${first.place}, on a second instance`);
}

/** Asks for a verdict in the middle of a recording. The rest must equal the recording; a clone must give the same verdict. */
async function checkPurity(subject: Subject, recording: Recording): Promise<void> {
  const half = Math.ceil(recording.actions.length / 2);
  await subject.withInstance(async (instance) => {
    await instance.reset(recording);
    const before = await played(instance, recording.actions.slice(0, half));
    const place = `the verdict on ${nameOf(recording)} after ${half} steps`;
    const end = endOf(subject, recording, before);
    const text = await verdictText(instance, end, place);
    if (subject.spec.restore === "clone" && instance.canClone) {
      const clone = instance.clone();
      expectSame(text, await verdictText(clone, end, place), `${place}, of a clone`);
      await clone.tryToClose();
    }
    const rest = recording.actions.slice(half);
    for (const [at, action] of rest.entries()) {
      const { parts: _, ...result } = await instance.step(action);
      const { parts: __, ...expected } = JSON.parse(recording.trace[half + at + 1] as string) as StepResult;
      expectSame(
        JSON.stringify(expected),
        JSON.stringify(result),
        `${nameOf(recording)}, step ${half + at + 1}, after a verdict`,
      );
    }
  });
}

/** Performs actions until the episode ends. */
async function played(instance: Instance, actions: readonly string[]): Promise<Played> {
  let [sum, steps, last] = [0, 0, ""];
  let result: StepResult = { observation: "", reward: 0, terminated: false, truncated: false, info: {} };
  for (const action of actions) {
    result = await instance.step(action);
    sum += result.reward;
    steps += 1;
    last = action;
    if (result.terminated || result.truncated) break;
  }
  return { action: last, result, return: sum, steps };
}

/** The end that the gym would count, with the last step as the end of the episode. */
function endOf({ spec }: Subject, { options }: ResetRequest, { result, ...rest }: Played): EpisodeEnd {
  const least = spec.solvedReward ?? rewardRangeOf(spec, options)[1];
  const isOver = result.terminated || result.truncated;
  return { ...rest, result: isOver ? result : { ...result, truncated: true }, solved: rest.return >= least };
}

async function verdictText(instance: Instance, end: EpisodeEnd, place: string): Promise<string> {
  const verdict = await instance.verdict(structuredClone(end));
  const isObject = typeof verdict === "object" && verdict !== null && !Array.isArray(verdict);
  expectThat(isObject, "an object with why", verdict, place);
  const { why, goal, expected, ...others } = verdict as { [field: string]: JsonValue };
  expectThat(isLine(why), "why to be a sentence on one line that ends with a point", why, place);
  expectThat(goal === undefined || isText(goal), "goal to be a text without spaces around it, or absent", goal, place);
  expectThat(expected === undefined || isHeld(expected), "expected to be JSON, or absent", expected, place);
  expectThat(Object.keys(others).length === 0, "the fields why, goal and expected alone", others, place);
  return JSON.stringify({ goal, why, expected });
}

function isText(text: unknown): boolean {
  return typeof text === "string" && text !== "" && text.trim() === text && text.length <= longestSentence;
}

function isLine(text: unknown): boolean {
  return isText(text) && !/\n/.test(text as string) && /[.!?]$/.test(text as string);
}

function expectSame(expected: string, received: string, place: string): void {
  if (expected !== received) throw mismatch(expected, received, place);
}
