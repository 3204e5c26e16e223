/** The expert of both seats: the next move of a best joint play. */
import type { Pair } from "./env.js";
import { shortestPlay } from "./plan.js";

/** Returns the next action, or null before the first reset and after the goal is crafted. */
export function nextAction({ need, parts, state, solved }: Pair): string | null {
  if (need.command === "" || solved) return null;
  const [move] = shortestPlay(parts, state);
  if (move?.do === "say") return `say ${need.command}`;
  if (move?.do === "craft") return need.command;
  if (move?.do !== "get") return "wait";
  const { item, count } = need.ingredients[move.get] as (typeof need.ingredients)[number];
  return `get ${count} ${item}`;
}
