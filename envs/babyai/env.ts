/** One BabyAI level, played with AgentGym's text actions or with MiniGrid's moves. */
import type {
  Environment,
  JsonValue,
  ObservationPart,
  Options,
  ResetRequest,
  ResetResult,
  StepResult,
} from "../env.js";
import type { Game } from "./engine/game.js";
import { viewSize } from "./engine/view.js";
import { MoveGame } from "./moves.js";
import { frame } from "./picture/frame.js";
import { png } from "./picture/png.js";
import { svg } from "./picture/svg.js";
import { gameOf, problemOf } from "./tasks.js";
import { type Ends, TextGame } from "./text/text-game.js";

export class BabyAI implements Environment {
  /** The level being played. Undefined before the first reset. */
  game: Game | undefined;
  /** The game in the chosen format of actions: text actions or MiniGrid's moves. */
  play: TextGame | MoveGame | undefined;
  private options: Options = {};
  /** Return of the episode so far. */
  private score = 0;

  reset({ task, options }: ResetRequest): ResetResult {
    const problem = problemOf(task);
    const { level, seed } = problem;
    const game = gameOf(problem);
    const isText = options.actions === "text";
    this.game = game;
    this.options = options;
    this.score = 0;
    this.play = isText ? new TextGame(game, options.ends as Ends) : new MoveGame(game);
    const { mission, maxSteps: maxMoves } = game;
    return { observation: this.play.opening(), ...this.parts(), info: { level, seed, mission, maxMoves } };
  }

  step(action: string): StepResult {
    const { game, play } = this as { game: Game; play: TextGame | MoveGame };
    play.step(action);
    this.score += play.reward;
    return {
      observation: play.observation(),
      ...this.parts(),
      reward: play.reward,
      terminated: play.done,
      truncated: false,
      info: { goal: play.goal, moves: game.stepCount, score: this.score },
    };
  }

  close(): void {
    this.game = undefined;
    this.play = undefined;
  }

  clone(): BabyAI {
    const copy = new BabyAI();
    copy.options = this.options;
    copy.score = this.score;
    if (!this.game || !this.play) return copy;
    copy.game = this.game.clone();
    copy.play = this.play.cloneOn(copy.game);
    return copy;
  }

  /** Returns the image and JSON parts that the options add to the text of an observation. */
  private parts(): { parts?: ObservationPart[] } {
    const { view, picture } = this.options;
    const game = this.game as Game;
    const parts: ObservationPart[] = [];
    if (view === "symbolic") parts.push({ type: "json", data: symbolicView(game) });
    if (picture === "svg") parts.push(image("image/svg+xml", Buffer.from(svg(game))));
    if (picture === "png") parts.push(pngPart(game));
    return parts.length > 0 ? { parts } : {};
  }
}

type Image = ObservationPart & { type: "image" };

/** Returns the level as a PNG image, equal to MiniGrid's rendering. */
export function pngPart(game: Game): Image {
  return image("image/png", png(frame(game)));
}

function image(mediaType: Image["mediaType"], data: Buffer): Image {
  return { type: "image", mediaType, data: data.toString("base64") };
}

/**
 * Returns the observation of MiniGrid's `gen_obs()`, for policies that do not read text. `image` is
 * `[column][row][kind, color, state]`, 7 x 7 x 3. The agent stands in column 3 of row 6 and looks towards row 0.
 * `direction`: 0 right, 1 down, 2 left, 3 up.
 */
function symbolicView({ view, agentDir, mission }: Game): { [key: string]: JsonValue } {
  const cell = (column: number, row: number) => {
    const at = 3 * (column * viewSize + row);
    return [...view.subarray(at, at + 3)];
  };
  const indices = Array.from({ length: viewSize }, (_, index) => index);
  return { image: indices.map((column) => indices.map((row) => cell(column, row))), direction: agentDir, mission };
}
