/** A plan in AgentGym's words: the action that does the most of it at once. */
import type { Move } from "../engine/codes.js";
import { View } from "../engine/view.js";
import type { TextGame } from "../text/text-game.js";
import type { Model } from "./model.js";
import { plan } from "./planner.js";

/** How far from the plan an action may end for it to be asked whether that is as good. */
const nearby = 2;

interface Outcome {
  model: Model;
  /** How many moves have been made. */
  count: number;
}

const views = [new View(), new View()] as [View, View];

/**
 * The action that makes the most moves of the plan, or as many moves after which no more are to come than by the plan.
 *
 * @param moves the plan from the state of `model`, which is that of `play`
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

/** What `TextGame` does with the moves of an action. */
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
