/** Checks of the expert, where there is one. */
import type { Environment, TaskRef } from "../env.js";
import { OrderEnforcing } from "../wrappers/order-enforcing.js";
import { TimeLimit } from "../wrappers/time-limit.js";
import { expectThat } from "./spec-checks.js";
import {
  context,
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
    expectThat(
      first.join("\n") === second.join("\n"),
      `${nameOf(recording.task)}: equal answers in equal states`,
      "others",
    );
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
      const place = `${nameOf(recording.task)} after ${trace.length - 1} steps`;
      expectThat(answer === null || typeof answer === "string", `${place}: an action or null`, answer);
      expectThat(answer === again, `${place}: ${JSON.stringify(answer)} when asked again`, again);
      answers.push(String(answer));
    }
    expectSameTrace(recording, recording.trace, trace);
    return answers;
  });
}

/** The expert gets the highest reward, in one step or as the episode's sum, before the time limit. */
export function checkExpertReward(subject: Subject): string {
  const expert = expertOf(subject);
  const lengths = subject.tasks.map((task) => solve(subject, expert, task));
  return `${lengths.length} tasks solved in ${Math.min(...lengths)} to ${Math.max(...lengths)} steps`;
}

function solve({ spec, seed }: Subject, expert: Expert, task: TaskRef): number {
  const highest = spec.rewardRange[1];
  return withInstance(spec, context, (engine) => {
    const environment = new OrderEnforcing(new TimeLimit(engine, spec.maxSteps));
    environment.reset({ task: { ...task }, seed });
    let sum = 0;
    for (let step = 1; ; step++) {
      const action = expert(engine);
      if (action === null) throw new Error(`${nameOf(task)}: expected an action at step ${step}, but received null`);
      const { reward, terminated, truncated } = environment.step(action);
      sum += reward;
      if (reward === highest || Math.abs(sum - highest) < 1e-9) return step;
      const end = terminated ? "the end" : "the time limit";
      expectThat(!terminated && !truncated, `${nameOf(task)}: the reward ${highest}`, `${end} with ${sum} in all`);
    }
  });
}
