import type { EpisodeEnd, Verdict } from "../env.js";
import { fairest, worth } from "./deal.js";
import type { Bargaining } from "./env.js";
import { listOf } from "./words.js";

export function verdict({ bargain, best, end }: Bargaining, { steps }: EpisodeEnd): Verdict {
  if (!bargain || !best) return { why: "The bargain has not begun." };
  const optimum = fairest(bargain);
  const expected = { left: listOf(optimum.left), worthToBoth: best.sum };
  const of = `of ${best.sum} that both could get together`;
  if (!end) return { why: `No deal after ${steps} steps: both got 0 ${of}.`, expected };
  if (!end.outcome) return { why: `The seat ${end.by} walked away: both got 0 ${of}.`, expected };
  const { left, right } = end.outcome.worths;
  const got = `left got ${left} and right got ${right} of ${worth} each, ${left + right} ${of}`;
  return { why: `${end.by} accepted: ${got}.`, expected };
}
