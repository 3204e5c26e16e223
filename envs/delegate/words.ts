/** Texts that the environment shows to the director. */
import type { Job, Part } from "./job/job.js";
import type { Known } from "./job/skills.js";
import { type Member, wordsIn } from "./job/team.js";
import { moneyWorth } from "./plan/job-plan.js";

export const prompt = `You direct helpers. You get a job of some parts and money for helpers, who differ in price and skill. In each turn you write one action, in a line of its own:

ask HELPER REQUEST
    sends a request to a helper, such as: ask ada #2 #staff.1
submit 1: ANSWER; 2: ANSWER
    submits your answers to all parts, which ends the job

A helper sees only the request. In it, #2 stands for the text of part 2, #staff.1 for page 1 of the material staff, and #staff for all of its pages. A request has one part, in its own words, and the material that the part needs. A helper takes its price for a call and for each ten words begun, also if the answer is wrong or the request is unclear. It refuses a request over its limit of words at the price of a call.
A helper that is asked again about the same part gives the same answer. Two helpers never give the same wrong answer. You may answer a part yourself.
The reward is the share of the parts with a right answer, minus ${moneyWorth} times the share of the money that you have spent.`;

export const invalid = "Expected `ask HELPER REQUEST` or `submit 1: ANSWER; 2: ANSWER`, but received neither.";
export const noAnswers = "Expected `submit 1: ANSWER; 2: ANSWER`, but received no answer with the number of its part.";

export function opening(job: Job, known: Known): string {
  const { parts, team, money } = job;
  const materials = parts.flatMap(({ source }) => (source ? materialLine(source.material) : []));
  return [
    `A job of ${parts.length} parts, with ${money} cents for helpers.`,
    ...parts.map(({ kind, text }, at) => `#${at + 1} (${kind}) ${text}`),
    ...(materials.length > 0 ? ["Materials:", ...materials] : []),
    "Helpers:",
    ...team.map((member) => memberLine(member, parts, known)),
  ].join("\n");
}

function materialLine({ name, pages, labels }: NonNullable<Part["source"]>["material"]): string {
  const sizes = pages.map((page) => `${wordsIn(page)} words`);
  if (pages.length === 1) return `#${name}: ${sizes[0]}`;
  return `#${name}: ${pages.map((_, at) => `#${name}.${at + 1} ${labels[at]}, ${sizes[at]}`).join("; ")}`;
}

function memberLine({ name, call, tenWords, limit, skills }: Member, parts: readonly Part[], known: Known): string {
  const offer = `${name}: ${call} a call and ${tenWords} for ten words, at most ${limit} words`;
  if (known === "hidden") return offer;
  const shown = parts.map(({ kind }) => {
    const { skill, track } = skills.get(kind) as NonNullable<ReturnType<typeof skills.get>>;
    return known === "told" ? `${kind} ${Math.round(100 * skill)}%` : `${kind} ${track.right} of ${track.calls} right`;
  });
  return `${offer}; ${shown.join(", ")}`;
}

export function unknownHelper(name: string, { team }: Job): string {
  return `Expected a helper (${team.map((member) => member.name).join(", ")}), but received ${quoted(name)}.`;
}

export function unknownReference(name: string, names: readonly string[]): string {
  return `Expected a reference (${names.map((each) => `#${each}`).join(", ")}), but received ${quoted(`#${name}`)}.`;
}

export function emptyRequest(name: string): string {
  return `Expected a request after ${name}, such as \`ask ${name} #1\`, but received none.`;
}

export function tooDear(name: string, price: number, left: number): string {
  return `${name} takes ${price} cents for this request, but only ${left} are left. The request was not sent.`;
}

export function reply(name: string, text: string, price: number, left: number): string {
  return `${name}: ${text}\n(${price} cents, ${left} left)`;
}

export function submitted(right: number, parts: number): string {
  return `The job is done: ${right} of ${parts} parts are right.`;
}

/** Quotes a text of the model in an observation, shortened if it is long. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}
