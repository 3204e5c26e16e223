/**
 * Names of places. Two names match if their similarity, as in the package thefuzz, is at least 80 of 100. The order of
 * words does not matter.
 */
import { isTruthy } from "../python/value.js";
import { type Format, longestValue, matchAny } from "./format.js";
import { plainStr } from "./text.js";

const threshold = 79.5; // The score is rounded before the comparison with 80.

export const locationName: Format<string> = {
  read(value, context) {
    if (value === null) return undefined;
    const name = isTruthy(value) ? plainStr(value, context).toLowerCase().trim() : "";
    return name.length > longestValue ? undefined : name;
  },
  isMatch: (expected, actual) =>
    matchAny(expected, actual, (one, other) =>
      one && other ? likeness(words(one), words(other)) >= threshold : one === other,
    ),
};

/** Returns the words of a name in alphabetical order. */
function words(name: string): string {
  const letters = name.replace(/[\x80-\xff]/g, "").replace(/[^\p{L}\p{N}]/gu, " ");
  return letters.split(" ").filter(Boolean).sort().join(" ");
}

/** Returns the similarity of two texts, from 0 (no common character) to 100 (equal). */
function likeness(one: string, other: string): number {
  const total = one.length + other.length;
  if (total === 0) return 0;
  // The lengths give an upper bound of the similarity, so that long answers are rejected quickly.
  const most = 2 * Math.min(one.length, other.length);
  if ((most / total) * 100 < threshold - 1) return 0;
  return (1 - (total - 2 * commonLength(one, other)) / total) * 100;
}

/** Returns the length of the longest common subsequence. */
function commonLength(one: string, other: string): number {
  const lengths = new Uint32Array(other.length + 1);
  for (let row = 0; row < one.length; row++) {
    const code = one.charCodeAt(row);
    let before = 0;
    for (let at = 0; at < other.length; at++) {
      const above = lengths[at + 1] as number;
      const isSame = code === other.charCodeAt(at);
      lengths[at + 1] = isSame ? before + 1 : Math.max(lengths[at] as number, above);
      before = above;
    }
  }
  return lengths[other.length] as number;
}
