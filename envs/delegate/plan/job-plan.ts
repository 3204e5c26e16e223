import type { Job, Part } from "../job/job.js";
import { believed, type Known } from "../job/skills.js";
import { type Member, priceOf } from "../job/team.js";
import { type Candidate, PartPlan } from "./part-plan.js";

/**
 * Return that the whole money is worth. It is less than a part of a job with four parts, so that only an episode with all
 * parts right reaches `solvedReturn`.
 */
export const moneyWorth = 0.24;
export const solvedReturn = 0.755;

/** Answer of a helper to a part. */
export interface Answer {
  /** Place of the helper in the team. */
  helper: number;
  text: string;
}

interface OfPart {
  part: Part;
  plan: PartPlan;
  /** Place in the team of each candidate of the plan. */
  helpers: readonly number[];
}

/** The optimal plan of a job, given what the director can see. The parts are independent, so each has its own plan. */
export class JobPlan {
  /** Expected return of the plan. */
  readonly gain: number;
  /** Expected cost of the plan in cents. */
  readonly cost: number;
  private readonly plans: readonly OfPart[];

  constructor(
    private readonly job: Job,
    known: Known,
  ) {
    this.plans = job.parts.map((part) => {
      const helpers = job.team.flatMap(({ limit }, at) => (part.words <= limit ? [at] : []));
      const candidates = helpers.map((at) => candidateOf(job, job.team[at] as Member, part, known));
      return { part, helpers, plan: new PartPlan(candidates, 1 / job.parts.length) };
    });
    const first = this.plans.map(({ plan }) => plan.choose(0));
    this.gain = first.reduce((sum, { gain }) => sum + gain, 0);
    this.cost = (first.reduce((sum, { cost }) => sum + cost, 0) * job.money) / moneyWorth;
  }

  /** Returns the place of the helper to ask next about a part, or null to stop. @param answers at most one of each helper */
  next(part: number, answers: readonly Answer[]): number | null {
    if (agreed(answers)) return null;
    const { plan, helpers } = this.plans[part] as OfPart;
    const { next } = plan.choose(setOf(helpers, answers));
    return next === null ? null : (helpers[next] as number);
  }

  /** Returns the likeliest answer to a part, or undefined if no helper has given one. */
  trusted(part: number, answers: readonly Answer[]): Answer | undefined {
    const { plan, helpers } = this.plans[part] as OfPart;
    const best = plan.trusted(setOf(helpers, answers));
    const likeliest = answers.find(({ helper }) => best !== null && helper === helpers[best]);
    return agreed(answers) ?? likeliest ?? answers[0];
  }

  /** Returns what the plan spends in this job, in cents. */
  spent(): number {
    const { job } = this;
    return this.plans.reduce((sum, { part, plan, helpers }) => {
      let [asked, hasRight] = [0, false];
      for (let { next } = plan.choose(0); next !== null; { next } = plan.choose(asked)) {
        const helper = helpers[next] as number;
        sum += priceOf(job.team[helper] as Member, part.words);
        const isRight = part.right[helper] as boolean;
        if (isRight && hasRight) break;
        hasRight ||= isRight;
        asked |= 1 << next;
      }
      return sum;
    }, 0);
  }
}

function candidateOf({ money, priors }: Job, member: Member, { kind, words }: Part, known: Known): Candidate {
  const { skill, track } = member.skills.get(kind) as NonNullable<ReturnType<Member["skills"]["get"]>>;
  return {
    cost: (priceOf(member, words) * moneyWorth) / money,
    right: believed(known, priors[member.tier], skill, track),
  };
}

/** Returns the answer that two helpers have given, if any. */
function agreed(answers: readonly Answer[]): Answer | undefined {
  return answers.find(({ text }, at) => answers.slice(0, at).some((other) => other.text === text));
}

/** Returns the set of candidates that have answered. */
function setOf(helpers: readonly number[], answers: readonly Answer[]): number {
  return answers.reduce((set, { helper }) => {
    const at = helpers.indexOf(helper);
    return at < 0 ? set : set | (1 << at);
  }, 0);
}
