import type { EpisodeEnd, Verdict } from "../env.js";
import { span, told } from "../shared/verdicts/words.js";
import type { Delegate, Situation } from "./env.js";
import type { Part } from "./job/job.js";
import { isRight } from "./score.js";

/** States the wrong parts with the helpers that gave the answers, and the money spent against the optimal plan's. */
export function verdict({ situation }: Delegate, end: EpisodeEnd): Verdict {
  if (!situation) return { why: "No job was set." };
  const { job, plan, spent, submitted } = situation;
  const expected = Object.fromEntries(job.parts.map(({ problem }, at) => [`${at + 1}`, problem.answer]));
  const money = `spent ${spent} of ${job.money} cents, the optimal plan ${plan.spent()}`;
  if (!submitted) return { why: `Submitted no answers ${span(end)}; ${money}.`, expected };
  const wrong = job.parts.flatMap((part, at) => wrongPart(situation, part, at) ?? []);
  const count = job.parts.length;
  const right =
    wrong.length === 0 ? `All ${count} parts are right` : `${count - wrong.length} of ${count} parts are right`;
  return { why: `${[right, ...wrong, money].join("; ")}.`, expected };
}

function wrongPart({ job, answers, submitted }: Situation, part: Part, at: number): string | null {
  const given = submitted?.get(at + 1);
  const name = `part ${at + 1} (${part.kind})`;
  const wanted = `expected ${told(part.problem.answer)}`;
  if (given === undefined || given === "") return `${name} has no answer, ${wanted}`;
  if (isRight(part, given)) return null;
  const source = answers[at]?.find(({ text }) => text.toLowerCase() === given.toLowerCase());
  const from = source ? `from ${job.team[source.helper]?.name}` : "from no helper";
  return `${name} is ${told(given)} ${from}, ${wanted}`;
}
