/** Judgments: a person says which of two episodes of one task is better. */
import { GymError } from "../errors.js";

export const choices = ["left", "right", "tie", "bad"] as const;

/** `tie`: both are equally good. `bad`: both are bad. */
export type Choice = (typeof choices)[number];

export interface Judgment {
  /** Number of the judgment among those of its owner, from 1. */
  readonly number: number;
  /** Ids of the two episodes, as the rater saw them. */
  readonly left: string;
  readonly right: string;
  readonly choice: Choice;
  /** Name that the rater gave. */
  readonly rater: string;
  readonly note: string;
  readonly environment: string;
  readonly task: { readonly split: string; readonly index: number };
  readonly seed: number;
  readonly createdAt: string;
}

/** Keeps the judgments of all owners. */
export interface JudgmentStore {
  /** Returns an owner's judgments, oldest first. @throws {GymError} JUDGMENTS_FAILED */
  of(owner: string): Promise<readonly Judgment[]>;
  /** Stores a judgment, and returns it. @throws {GymError} LIMIT_TOKEN_JUDGMENTS, JUDGMENTS_FAILED */
  add(owner: string, judgment: Omit<Judgment, "number">): Promise<Judgment>;
  /** Waits for judgments that are being written. */
  close(): Promise<void>;
}

/** Largest number of judgments of an owner. */
export const mostOfOwner = 20_000;

/** Returns the error for a judgment of an owner who has as many as possible. */
export function tooManyJudgments(): GymError {
  return new GymError("LIMIT_TOKEN_JUDGMENTS", `at most ${mostOfOwner} judgments of a caller`, `${mostOfOwner + 1}`);
}

/** Returns a text that is the same for a pair and for the pair turned round. */
export function pairOf({ left, right }: Pick<Judgment, "left" | "right">): string {
  return left < right ? `${left} ${right}` : `${right} ${left}`;
}

/** Returns the newest judgment of each rater on each pair. A rater may judge a pair again. */
export function newestOf(judgments: readonly Judgment[]): Judgment[] {
  return [...new Map(judgments.map((judgment) => [`${pairOf(judgment)} ${judgment.rater}`, judgment])).values()];
}

/** Returns a page of judgments, newest first. @param before number above those of the page */
export function judgmentPage(judgments: readonly Judgment[], before: number | undefined, limit: number) {
  const end = Math.min((before ?? Number.POSITIVE_INFINITY) - 1, judgments.length);
  const start = Math.max(0, end - limit);
  const page = judgments.slice(start, end).reverse();
  return { judgments: page, next: start > 0 ? (page.at(-1)?.number ?? null) : null };
}
