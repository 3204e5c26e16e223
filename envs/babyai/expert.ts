/** The expert: the first action of the shortest plan that is found from the present state. */
import { Move } from "./engine/codes.js";
import type { BabyAI } from "./env.js";
import { Model } from "./expert/model.js";
import { plan } from "./expert/planner.js";
import { TextGame } from "./text/text-game.js";

const moveNames = Object.keys(Move);

/** The next action towards the reward, or null where none leads there. */
export function nextAction({ game, play }: BabyAI): string | null {
  if (!game || !play || play.done) return null;
  const togglesAll = !(play instanceof TextGame);
  const moves = plan(
    Model.of(game, { togglesAll, endsWithFailure: togglesAll || play.ends === "task" }),
    game.maxSteps - game.stepCount,
  );
  if (!moves) return null;
  return moveNames[moves[0] as number] as string;
}
