import type { Draw } from "../../shared/rng/draw.js";
import type { KindName } from "../kinds/kind.js";
import { drawTrack, levels, type Priors, type Tier, type Track } from "./skills.js";

/** A helper as the director sees it, and its skills. */
export interface Member {
  name: string;
  tier: Tier;
  /** Cents for each call. */
  call: number;
  /** Cents for each ten words begun of a request. */
  tenWords: number;
  /** Largest number of words of a request. */
  limit: number;
  skills: ReadonlyMap<KindName, { skill: number; track: Track }>;
}

/** Ranges of prices and limits. No price of a call belongs to two tiers, so that the price shows the tier. */
const offers: Readonly<Record<Tier, { call: [number, number]; tenWords: number[]; limits: number[] }>> = {
  small: { call: [1, 3], tenWords: [1], limits: [25, 45, 60] },
  medium: { call: [5, 8], tenWords: [1, 2], limits: [60, 120] },
  large: { call: [14, 22], tenWords: [3, 4], limits: [400] },
};

/** Largest number of words that any helper takes. */
export const largestLimit = Math.max(...Object.values(offers).flatMap(({ limits }) => limits));

export function drawMember(draw: Draw, name: string, tier: Tier, priors: Priors, kinds: readonly KindName[]): Member {
  const { call, tenWords, limits } = offers[tier];
  const prices = { call: draw.number(...call), tenWords: draw.one(tenWords), limit: draw.one(limits) };
  const skills = kinds.map((kind) => {
    const skill = levels[draw.index(priors[tier])] as number;
    return [kind, { skill, track: drawTrack(draw, skill) }] as const;
  });
  return { name, tier, ...prices, skills: new Map(skills) };
}

/** Returns the price of a request in cents. */
export function priceOf({ call, tenWords }: Pick<Member, "call" | "tenWords">, words: number): number {
  return call + tenWords * Math.ceil(words / 10);
}

const longestWord = 20;

/** Counts the words of a request. A word of more than 20 characters counts once for each 20 characters begun. */
export function wordsIn(text: string): number {
  let words = 0;
  for (const [word] of text.matchAll(/\S+/g)) words += Math.ceil(word.length / longestWord);
  return words;
}
