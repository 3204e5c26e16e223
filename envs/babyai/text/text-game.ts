/**
 * A level played by text, reply for reply as AgentGym's class `BabyAI` plays it. An action is a walk of several moves,
 * given up at the first of them that leaves the view as it was. One thing is added: `pick up red ball 1`, which AgentGym's
 * prompt advertises, means `pickup red ball 1`, the only spelling that its server knows.
 */
import type { Move } from "../engine/codes.js";
import { AvailableActions } from "./available-actions.js";
import { describe, farewell } from "./description.js";
import { strip } from "./python-text.js";
import { refusals } from "./refusals.js";
import { Scene } from "./scene.js";
import type { Playable } from "./seen.js";

/**
 * When an episode ends, and what a step is rewarded with.
 *
 * `task`: it ends when the level does or the moves that MiniGrid allows are used up, in the midst of an action if need be.
 * The reward is that of the step.
 *
 * `agentgym`: an action is played to its last move even if the level ends before, and only the last move counts. An end
 * with a reward of 0.5 or less is none: the text says that the task is completed, and the level goes on. Using up the
 * moves that MiniGrid allows ends nothing. A step without a move has the reward of the step before.
 */
export type Ends = "task" | "agentgym";

export class TextGame {
  /** The mission as the agent is told, without the order of its parts: "then" and "after you" have become "and". */
  goal = "";
  /** The answer to the last action, or after a reset what is seen. */
  text = "";
  reward = 0;
  done = false;
  private readonly scene = new Scene();
  private readonly available = new AvailableActions(this.scene);
  /** The view after the last move, to tell whether the next one changes it. */
  private readonly view = new Uint8Array(7 * 7 * 3);

  /** @param level is played as it stands where `reset` is not called */
  constructor(
    readonly level: Playable,
    readonly ends: Ends,
  ) {
    this.begin();
  }

  reset(seed?: number | bigint): void {
    this.level.reset(seed);
    this.begin();
  }

  /** What can be done now, in order. */
  get actions(): readonly string[] {
    return this.available.names;
  }

  /** The primitive moves that an action stands for now, or undefined where it is not available. */
  movesOf(action: string): readonly Move[] | undefined {
    return this.available.movesOf(action);
  }

  /** The answer to the last action and what can be done now. */
  observation(): string {
    return `${this.text}\nAvailable actions: ["${this.actions.join('", "')}"]`;
  }

  /** What the agent sees first. */
  opening(): string {
    return `Your goal: ${this.goal}\n${this.observation()}`;
  }

  step(action: string): void {
    const asked = spelled(strip(action.toLowerCase()));
    if (asked.includes("check")) return this.answer(`You can take the following actions: ${this.actions.join(", ")}`);
    if (asked === "") return this.answer("No change in state.");
    const moves = this.movesOf(asked);
    if (!moves) return this.answer(this.refusal(asked));
    if (moves.length === 0) return this.answer("No change in state.");
    this.play(moves);
  }

  /** The same game on another level, which is a copy of this one's. */
  cloneOn(level: Playable): TextGame {
    const copy = new TextGame(level, this.ends);
    copy.text = this.text;
    copy.reward = this.reward;
    copy.done = this.done;
    return copy;
  }

  private begin(): void {
    this.goal = this.level.mission.replaceAll("then", "and").replaceAll("after you", "and");
    this.view.set(this.level.view);
    this.reward = 0;
    this.done = false;
    this.look();
    this.text = describe(this.scene, this.level);
  }

  private look(): void {
    this.scene.look(this.level);
    this.available.list(this.level);
  }

  /** A step without a move. */
  private answer(text: string): void {
    this.text = text;
    if (this.ends === "task") this.reward = 0;
  }

  private refusal(action: string): string {
    const reason = refusals(this.scene, this.level).get(action);
    return reason ?? "The action is not recognized. Please check valid actions.";
  }

  private play(moves: readonly Move[]): void {
    const { level } = this;
    for (const move of moves) {
      level.step(move);
      if (this.isTaskOver || !this.isViewChanged()) break;
    }
    this.view.set(level.view);
    this.look();
    this.text = describe(this.scene, level);
    // AgentGym says that a task is completed even of one that is lost.
    if (level.terminated || this.isTaskOver) this.text += farewell(this.ends === "agentgym" || level.reward > 0);
    this.reward = level.reward;
    this.done = this.isTaskOver || (level.terminated && level.reward > 0.5);
  }

  private get isTaskOver(): boolean {
    return this.ends === "task" && (this.level.terminated || this.level.truncated);
  }

  /** Compares the view with that after the move before, and keeps it. */
  private isViewChanged(): boolean {
    const { view, level } = this;
    for (let at = 0; at < view.length; at++) {
      if (view[at] === level.view[at]) continue;
      view.set(level.view);
      return true;
    }
    return false;
  }
}

/** The prompt's spelling turned into the server's. */
function spelled(action: string): string {
  return action.startsWith("pick up ") ? `pickup ${action.slice("pick up ".length)}` : action;
}
