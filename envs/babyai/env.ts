/** One BabyAI level, played by AgentGym's text actions or by MiniGrid's own moves. */
import type { Environment, ObservationPart, Options, ResetRequest, ResetResult, StepResult } from "../env.js";
import type { Game } from "./engine/game.js";
import { MoveGame } from "./moves.js";
import { frame } from "./picture/frame.js";
import { png } from "./picture/png.js";
import { svg } from "./picture/svg.js";
import { symbolicView } from "./symbolic-view.js";
import { gameOf, problemOf } from "./tasks.js";
import { type Ends, TextGame } from "./text/text-game.js";

export class BabyAI implements Environment {
  /** The level, and everything in it. Undefined before the first reset. */
  game: Game | undefined;
  /** How it is played. */
  play: TextGame | MoveGame | undefined;
  private options: Options = {};
  /** Sum of all rewards so far. */
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

  /** What the options add to the text. */
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

/** MiniGrid's own picture. */
export function pngPart(game: Game): Image {
  return image("image/png", png(frame(game)));
}

function image(mediaType: Image["mediaType"], data: Buffer): Image {
  return { type: "image", mediaType, data: data.toString("base64") };
}
