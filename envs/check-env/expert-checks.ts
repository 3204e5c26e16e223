/** Checks of the expert, where there is one. */
import type { Environment, ResetRequest } from "../env.js";
import { OrderEnforcing } from "../wrappers/order-enforcing.js";
import { TimeLimit } from "../wrappers/time-limit.js";
import { expectThat, mismatch } from "./expectations.js";
import {
  context,
  copyOf,
  expectSameTrace,
  nameOf,
  type Recording,
  Skipped,
  type Subject,
  traceOf,
  withInstance,
} from "./subject.js";

type Expert = (environment: Environment) => string | null;

function expertOf({ spec }: Subject): Expert {
  if (!spec.expert) throw new Skipped("the spec has no expert");
  return (environment) => spec.expert?.(environment) ?? null;
}

/** Being asked leaves the instance as it was, and the same state gets the same answer, in any state of an episode. */
export function checkExpertPurity(subject: Subject): string {
  const expert = expertOf(subject);
  let asked = 0;
  for (const recording of subject.recordings) {
    const [first, second] = [consult(subject, recording, expert), consult(subject, recording, expert)];
    asked += first.length;
    const differing = first.findIndex((answer, i) => answer !== second[i]);
    if (differing === -1) continue;
    const place = `${nameOf(recording)} after ${differing} steps`;
    throw mismatch(`${first[differing]} in a second instance`, `${second[differing]}`, place);
  }
  return `asked in ${asked} states`;
}

/** The expert's answers along a recording that is played once more. */
function consult({ spec }: Subject, recording: Recording, expert: Expert): string[] {
  return withInstance(spec, context, (environment) => {
    const answers: string[] = [];
    const trace: string[] = [];
    for (const line of traceOf(environment, recording)) {
      trace.push(line);
      if (trace.length > recording.actions.length) break;
      const [answer, again] = [expert(environment), expert(environment)];
      const place = `${nameOf(recording)} after ${trace.length - 1} steps`;
      expectThat(answer === null || typeof answer === "string", "an action or null", answer, place);
      expectThat(answer === again, `${JSON.stringify(answer)} when asked again`, again, place);
      answers.push(String(answer));
    }
    expectSameTrace(recording, recording.trace, trace);
    return answers;
  });
}

/** The share of tasks that nobody can solve, by the expert's word: it has no action for them from the start. */
const mostHopeless = 0.1;

/** The expert solves what it begins before the time limit, by what the spec says of the rewards of a solved task. */
export function checkExpertReward(subject: Subject): string {
  const expert = expertOf(subject);
  const outcomes = subject.requests.map((request) => solve(subject, expert, request));
  const lengths = outcomes.filter((length) => length !== undefined);
  const hopeless = outcomes.length - lengths.length;
  const most = Math.floor(mostHopeless * outcomes.length);
  if (hopeless > most) throw mismatch(`an action at step 1 of all tasks but ${most}`, `null for ${hopeless}`);
  const solved = `${lengths.length} tasks solved in ${Math.min(...lengths)} to ${Math.max(...lengths)} steps`;
  return hopeless > 0 ? `${solved}, ${hopeless} without hope` : solved;
}

/** @returns the steps that it took; undefined where the expert sees no way from the start */
function solve({ spec }: Subject, expert: Expert, request: ResetRequest): number | undefined {
  const least = (spec.solvedReward ?? spec.rewardRange[1]) - 1e-9;
  return withInstance(spec, context, (engine) => {
    const environment = new OrderEnforcing(new TimeLimit(engine, spec.maxSteps));
    environment.reset(copyOf(request));
    let sum = 0;
    for (let step = 1; ; step++) {
      const action = expert(engine);
      if (action === null && step === 1) return undefined;
      if (action === null) throw mismatch(`an action at step ${step}`, "null", nameOf(request));
      const { reward, terminated, truncated } = environment.step(action);
      sum += reward;
      if (sum >= least) return step;
      if (!terminated && !truncated) continue;
      const received = `${terminated ? "the end" : "the time limit"} with ${sum} in all`;
      throw mismatch(`rewards of at least ${least}`, received, nameOf(request));
    }
  });
}
