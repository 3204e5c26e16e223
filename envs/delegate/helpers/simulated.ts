import { Draw } from "../../shared/rng/draw.js";
import type { Job, Part } from "../job/job.js";
import { meanOf } from "../job/skills.js";
import { type Member, priceOf, wordsIn } from "../job/team.js";
import { contentOf } from "../kinds/index.js";
import type { KindName, Problem } from "../kinds/kind.js";
import type { Helper, Reply } from "./helper.js";

/**
 * A helper that solves the problem in its request, and gives a plausible wrong answer where its skill fails. Whether it
 * fails is drawn once for each part: a request with other words for the same part, or for a piece of it, fails alike.
 */
export class SimulatedHelper implements Helper {
  constructor(
    private readonly job: Job,
    private readonly place: number,
  ) {}

  get name(): string {
    return this.member.name;
  }

  /** Returns the price of a request. A request over the limit is refused at the price of a call. */
  priceOf(request: string): number {
    const words = wordsIn(request);
    return words > this.member.limit ? this.member.call : priceOf(this.member, words);
  }

  answer(request: string): Reply {
    const price = this.priceOf(request);
    const refused = (text: string): Reply => ({ text, price, isRefusal: true });
    const words = wordsIn(request);
    const { limit } = this.member;
    if (words > limit) return refused(`The request has ${words} words, but I read at most ${limit}.`);
    const content = contentOf(request);
    if ("refusal" in content) return refused(content.refusal);
    return { text: this.solved(content.kind, content.problem), price, isRefusal: false };
  }

  private get member(): Member {
    return this.job.team[this.place] as Member;
  }

  private solved(kind: KindName, problem: Problem): string {
    const { job, place } = this;
    const part = partAbout(job, kind, problem);
    const isRight = part ? part.right[place] : this.isLucky(problem);
    if (isRight) return problem.answer;
    // The request may have more or fewer rows of a table, but the wrong answers stay those of the part.
    const { wrong } = part?.problem.answer === problem.answer ? part.problem : problem;
    return wrong[(job.turn + place) % wrong.length] ?? "I am not sure.";
  }

  /**
   * Whether the helper is right about a problem that is none of the job. The mean skill of its tier decides, so that
   * questions with known answers do not tell its skill.
   */
  private isLucky({ subjects, answer }: Problem): boolean {
    const { job, place, member } = this;
    const seed = hashOf(`${job.turn} ${place} ${subjects.join()} ${answer}`);
    return new Draw(seed).happens(meanOf(job.priors[member.tier]));
  }
}

/** Returns the part of the job that a problem is about. */
export function partAbout({ parts }: Pick<Job, "parts">, kind: KindName, { subjects }: Problem): Part | undefined {
  return parts.find((part) => part.kind === kind && part.problem.subjects.some((each) => subjects.includes(each)));
}

/** Returns the 64-bit FNV-1a hash of a text. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash;
}
