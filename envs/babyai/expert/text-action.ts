/** Translates a plan into AgentGym's text actions: chooses the action that performs the most moves of the plan. */
import type { Move } from "../engine/codes.js";
import { View } from "../engine/view.js";
import type { TextGame } from "../text/text-game.js";
import type { Model } from "./model.js";
import { plan } from "./planner.js";

/**
 * Maximum distance between the agent's cells after an action and after the same number of planned moves. A larger
 * detour is not considered.
 */
const nearby = 2;

interface Outcome {
  model: Model;
  /** Number of moves made. */
  count: number;
}

const views = [new View(), new View()] as [View, View];

/**
 * Returns the action that performs the most moves of the plan, or the same number of different moves after which the
 * rest of the plan is no longer.
 *
 * @param moves the plan that starts in the state of `model`, which is also the state of `play`
 */
export function textAction(play: TextGame, model: Model, moves: readonly Move[]): string {
  let best = { name: "", count: 0 };
  for (const name of play.actions) {
    const walk = play.movesOf(name) as readonly Move[];
    if (walk.length <= best.count) continue;
    const outcome = carryOut(play, model, walk);
    if (outcome.count <= best.count || outcome.count > moves.length) continue;
    if (isAsGood(outcome, walk, model, moves)) best = { name, count: outcome.count };
  }
  return best.name;
}

/** Performs the moves of an action on a copy of the model, with the rules of `TextGame`. */
function carryOut({ ends }: TextGame, start: Model, walk: readonly Move[]): Outcome {
  const model = start.clone();
  if (walk.length > 1) views[0].look(model.world);
  for (const [i, move] of walk.entries()) {
    model.step(move);
    const isEnd = ends === "task" && (model.isSolved || model.isLost);
    if (isEnd || i === walk.length - 1) return { model, count: i + 1 };
    const [before, after] = [views[i & 1], views[1 - (i & 1)]] as [View, View];
    after.look(model.world);
    if (Buffer.compare(before.image, after.image) === 0) return { model, count: i + 1 };
  }
  return { model, count: 0 };
}

function isAsGood({ model, count }: Outcome, walk: readonly Move[], start: Model, moves: readonly Move[]): boolean {
  if (count === moves.length) return model.isSolved;
  if (model.isSolved || model.isLost) return false;
  if (moves.slice(0, count).every((move, i) => walk[i] === move)) return true;
  if (walk.length === 1) return false;
  const planned = start.clone();
  for (const move of moves.slice(0, count)) planned.step(move);
  if (!planned.isLike(model) || planned.distanceTo(model) > nearby) return false;
  if (planned.pose === model.pose) return true;
  return plan(model, moves.length - count) !== undefined;
}
