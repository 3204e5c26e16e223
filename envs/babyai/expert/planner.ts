/**
 * The planner: simulates several simple players and returns the shortest of their plans. A player is a function of the
 * state, so after a move it makes the rest of the same plan again. The shortest plan therefore gets shorter with every
 * move, and the expert needs no memory.
 */
import type { Move } from "../engine/codes.js";
import { actionsOf, type Model } from "./model.js";
import { Player } from "./player.js";
import type { Taste } from "./tolls.js";

interface Rollout {
  /** Moves that complete the mission. Undefined if the player does not complete it within the limit. */
  moves: Move[] | undefined;
  isUnhindered: boolean;
}

const mostErrands = 80;

const tolls: readonly Omit<Taste, "order">[] = [
  { object: 4, lock: 40, doorside: 0 },
  { object: 12, lock: 150, doorside: 8 },
  { object: 2, lock: 15, doorside: 30 },
];

/** Returns the moves that complete the mission, or undefined if no plan of at most `limit` moves is found. */
export function plan(model: Model, limit: number): Move[] | undefined {
  let best: Move[] | undefined;
  let isUnhindered = true;
  for (const toll of tolls) {
    for (const order of orders(model)) {
      const rollout = play(model, { ...toll, order }, best ? best.length - 1 : limit);
      best = rollout.moves ?? best;
      isUnhindered &&= rollout.isUnhindered;
    }
    // Tolls make a difference only if an obstacle is in the way.
    if (isUnhindered) break;
  }
  return best;
}

/** Returns the values of `Taste.order` to try. */
function orders({ instruction, part, laterPart }: Model): number[] {
  if (instruction.type !== "before" && instruction.type !== "after") return actionsOf(part).length > 1 ? [0, 1] : [0];
  const isOpen = (p: typeof part) => (p === part || p === laterPart) && actionsOf(p).length > 1;
  const second = isOpen(instruction.b) ? [0, 2] : [0];
  return isOpen(instruction.a) ? second.flatMap((bits) => [bits, bits | 1]) : second;
}

function play(start: Model, taste: Taste, limit: number): Rollout {
  const model = start.clone();
  const moves: Move[] = [];
  let isUnhindered = true;
  for (let errands = 0; errands < mostErrands; errands++) {
    const player = new Player(model, taste);
    const errand = player.errand() ?? [];
    isUnhindered &&= player.isUnhindered;
    if (errand.length === 0) break;
    const before = model.progress;
    for (const move of errand) {
      model.step(move);
      moves.push(move);
      if (moves.length > limit || model.isLost) return { moves: undefined, isUnhindered };
      if (model.isSolved) return { moves, isUnhindered };
      if (model.progress !== before) break;
    }
  }
  return { moves: undefined, isUnhindered };
}
