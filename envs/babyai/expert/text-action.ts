/** Translation of a plan into AgentGym's text actions: the action that performs the most moves of the plan. */
import type { Move } from "../engine/codes.js";
import { View } from "../engine/view.js";
import type { TextGame } from "../text/text-game.js";
import type { Model } from "./model.js";
import { plan } from "./planner.js";

/** Largest distance between the end of an action and the end of the plan at which the two are compared. */
const nearby = 2;

interface Outcome {
  model: Model;
  /** Number of moves made. */
  count: number;
}

const views = [new View(), new View()] as [View, View];

/**
 * Returns the action that performs the most moves of the plan, or as many other moves that do not make the rest of the
 * plan longer.
 *
 * @param moves the plan from the state of `model`, which equals the state of `play`
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

/** Performs the moves of an action as `TextGame` does. */
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
