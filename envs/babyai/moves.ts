/**
 * A level played with MiniGrid's primitive moves, one move per step. The moves have the names of MiniGrid's `Actions`.
 */
import { Move } from "./engine/codes.js";
import type { Game } from "./engine/game.js";
import { describe, farewell } from "./text/description.js";
import { Scene } from "./text/scene.js";

const moveNames = Object.keys(Move);

export class MoveGame {
  reward = 0;
  done = false;
  private readonly scene = new Scene();
  /** Error of the last action; empty if the action was a move. */
  private complaint = "";

  constructor(private readonly level: Game) {}

  get goal(): string {
    return this.level.mission;
  }

  opening(): string {
    return `Your goal: ${this.goal}\n${this.observation()}`;
  }

  /** Returns the visible objects, or the error of the last action. */
  observation(): string {
    if (this.complaint !== "") return this.complaint;
    this.scene.look(this.level);
    const seen = describe(this.scene, this.level);
    return this.done ? seen + farewell(this.reward > 0) : seen;
  }

  step(action: string): void {
    const name = action.trim().toLowerCase();
    this.reward = 0;
    this.complaint = "";
    if (!Object.hasOwn(Move, name)) {
      this.complaint = `The action is not recognized. The actions are ${moveNames.join(", ")}.`;
      return;
    }
    this.level.step(Move[name as keyof typeof Move]);
    this.reward = this.level.reward;
    this.done = this.level.terminated || this.level.truncated;
  }

  /** Returns a copy of this game on a copy of its level. */
  cloneOn(level: Game): MoveGame {
    const copy = new MoveGame(level);
    copy.reward = this.reward;
    copy.done = this.done;
    copy.complaint = this.complaint;
    return copy;
  }
}
