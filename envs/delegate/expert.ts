import type { Delegate, Situation } from "./env.js";
import { priceOf } from "./job/team.js";
import { isRight } from "./score.js";

/** Returns the next call of the optimal plan as an action, or null if the plan submits its answers now. */
export function nextCall({ job, plan, spent, answers }: Situation): string | null {
  for (const [at, { request, words }] of job.parts.entries()) {
    const next = plan.next(at, answers[at] ?? []);
    const helper = next === null ? undefined : job.team[next];
    if (helper && priceOf(helper, words) <= job.money - spent) return `ask ${helper.name} ${request}`;
  }
  return null;
}

/** Returns the action that submits the likeliest answer of the helpers to each part. */
export function submission({ plan, answers }: Situation): string {
  return submit(answers.map((list, at) => plan.trusted(at, list)?.text ?? "unknown"));
}

/**
 * Returns the next action: the calls of the optimal plan, and then the answers. The expert knows the right answers, and
 * submits one of its own where the plan would submit a wrong answer.
 */
export function nextAction({ situation }: Delegate): string | null {
  if (!situation || situation.submitted) return null;
  const { job, plan, answers } = situation;
  const right = job.parts.map((part, at) => {
    const text = plan.trusted(at, answers[at] ?? [])?.text ?? "";
    return isRight(part, text) ? text : part.problem.answer;
  });
  return nextCall(situation) ?? submit(right);
}

function submit(answers: readonly string[]): string {
  return `submit ${answers.map((answer, at) => `${at + 1}: ${answer}`).join("; ")}`;
}
