/**
 * A bargain between two seats with private values. Each seat reads the goods and its own values at its first turn, and
 * what the other seat did at every turn.
 */
import type { Environment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { readAction } from "./actions.js";
import {
  type Amounts,
  type Bargain,
  type Best,
  bestOf,
  type Outcome,
  outcomeOf,
  productOf,
  rest,
  type Seat,
  sumOf,
  worth,
} from "./deal.js";
import { bargainOf } from "./tasks.js";
import { listOf, openingOf } from "./words.js";

/** How a bargain ended. */
export interface End {
  readonly by: Seat;
  /** Null without a deal. */
  readonly outcome: Outcome | null;
}

export class Bargaining implements Environment {
  bargain: Bargain | undefined;
  best: Best | undefined;
  turn: Seat = "left";
  /** Newest proposal of each seat: what the seat `left` gets. */
  private proposals: Readonly<Partial<Record<Seat, Amounts>>> = {};
  end: End | null = null;
  /** Seats that have told all values truthfully, for the expert. */
  heard: readonly string[] = [];
  private hasSeen: ReadonlySet<Seat> = new Set();

  reset({ task }: ResetRequest): ResetResult {
    this.bargain = bargainOf(task);
    this.best = bestOf(this.bargain);
    this.turn = "left";
    this.proposals = {};
    this.end = null;
    this.heard = [];
    this.hasSeen = new Set();
    const { sum, pareto } = this.best;
    return {
      observation: this.seen("You begin."),
      turn: this.turn,
      info: { bestSum: sum, paretoDeals: pareto.length },
    };
  }

  step(text: string): StepResult {
    const action = readAction(text);
    switch (action.kind) {
      case "say":
        return this.pass(`The other player says: ${action.text}`, text);
      case "keep":
        return this.propose(action.amounts, text);
      case "accept":
        if (!this.offer) return this.refuse("a proposal of the other player before `accept`", "none so far");
        return this.finish(outcomeOf(this.bargain as Bargain, this.offer));
      case "walk":
        return this.finish(null);
      default:
        return this.refuse(action.expected, text.trim() === "" ? "nothing" : text.trim().slice(0, 60));
    }
  }

  close(): void {}

  clone(): Bargaining {
    return Object.assign(new Bargaining(), this);
  }

  /** The other seat's newest proposal, which the seat that acts next can accept; null if there is none. */
  get offer(): Amounts | null {
    return this.proposals[this.other] ?? null;
  }

  private get other(): Seat {
    return this.turn === "left" ? "right" : "left";
  }

  private propose(kept: Amounts, text: string): StepResult {
    const { amounts } = this.bargain as Bargain;
    if (kept.some((amount, at) => amount > (amounts[at] as number)))
      return this.refuse(`at most ${listOf(amounts)}`, listOf(kept));
    const left = this.rest(kept);
    this.proposals = { ...this.proposals, [this.turn]: this.turn === "left" ? kept : left };
    return this.pass(`The other player proposes to keep ${listOf(kept)}. You would get ${listOf(left)}.`, text);
  }

  private rest(kept: Amounts): Amounts {
    return rest((this.bargain as Bargain).amounts, kept);
  }

  /** Gives the turn to the other seat, which learns what was done. */
  private pass(news: string, text: string): StepResult {
    this.heard = [...this.heard, text.trim()];
    this.turn = this.other;
    return this.going(this.seen(news));
  }

  /** Leaves the turn to the seat, whose action was wrong. */
  private refuse(expected: string, received: string): StepResult {
    return { ...this.going(`Expected ${expected}, but received ${received}.`), info: { action: "invalid" } };
  }

  private going(observation: string): StepResult {
    return { observation, turn: this.turn, reward: 0, terminated: false, truncated: false, info: {} };
  }

  private finish(outcome: Outcome | null): StepResult {
    this.end = { by: this.turn, outcome };
    const { sum, pareto, product } = this.best as Best;
    const told = (seat: Seat) => `${seat} gets ${outcome?.worths[seat] ?? 0}`;
    const observation = outcome ? `Deal: ${told("left")}, ${told("right")}.` : "No deal. Both get 0.";
    const info = {
      deal: outcome !== null,
      left: outcome?.worths.left ?? 0,
      right: outcome?.worths.right ?? 0,
      bestSum: sum,
      isPareto: outcome !== null && pareto.some(({ worths }) => sameWorths(worths, outcome.worths)),
      shareOfNash: outcome ? productOf(outcome) / product : 0,
    };
    const rewards = { left: info.left / worth, right: info.right / worth };
    const reward = outcome ? sumOf(outcome) / sum : 0;
    return { observation, reward, rewards, terminated: true, truncated: false, info };
  }

  /** Returns the observation of the seat that acts next. */
  private seen(news: string): string {
    if (this.hasSeen.has(this.turn)) return news;
    this.hasSeen = new Set([...this.hasSeen, this.turn]);
    return `${openingOf(this.bargain as Bargain, this.turn)}\n${news}`;
  }
}

function sameWorths(one: Outcome["worths"], other: Outcome["worths"]): boolean {
  return one.left === other.left && one.right === other.right;
}
