/**
 * The expert of both seats. The seat that begins tells its values. The other one compares them with its own, and proposes
 * a division with the highest sum, which the first one accepts. In this play each seat uses only what it has read. After
 * other actions the expert also uses values that its seat was not told.
 */
import { fairest, outcomeOf, rest, sumOf } from "./deal.js";
import type { Bargaining } from "./env.js";
import { listOf, valuesText } from "./words.js";

/** Returns the next action, or null before the first reset and after the end. */
export function nextAction({ bargain, turn, offer, heard, end, best }: Bargaining): string | null {
  if (!bargain || !best || end) return null;
  if (offer && sumOf(outcomeOf(bargain, offer)) === best.sum) return "accept";
  const other = turn === "left" ? "right" : "left";
  const isTold = heard.includes(valuesLine(bargain.values[other]));
  if (!isTold && !heard.includes(valuesLine(bargain.values[turn]))) return valuesLine(bargain.values[turn]);
  const { left } = fairest(bargain);
  return `keep ${listOf(turn === "left" ? left : rest(bargain.amounts, left))}`;
}

function valuesLine(values: readonly number[]): string {
  return `say ${valuesText(values)}`;
}
