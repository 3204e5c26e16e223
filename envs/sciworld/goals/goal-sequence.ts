/** The goals of a task: ordered goals, and unordered goals that add a bonus to the score. */
import { allWithin } from "../engine/reach.js";
import type { Thing } from "../engine/thing.js";
import type { Goal, GoalView } from "./goal.js";

/** The state of an episode that a goal sequence reads and changes. */
export interface Watched extends Pick<GoalView, "agent" | "history"> {
  focus: Thing | undefined;
}

export class GoalSequence {
  private next = 0;
  private hasFailed = false;
  private lastMetWith: Thing | undefined;
  private readonly met: boolean[];
  private readonly keys = new Set<string>();
  private readonly notes = new Map<string, string>();

  constructor(
    private readonly ordered: readonly Goal[],
    private readonly others: readonly Goal[] = [],
  ) {
    this.met = others.map(() => false);
  }

  /** Unmet ordered goals. */
  get pending(): readonly Goal[] {
    return this.ordered.slice(this.next);
  }

  /** Thing that met the last goal. Later goals are about this thing. */
  get subject(): Thing | undefined {
    return this.lastMetWith;
  }

  get isCompleted(): boolean {
    return this.next >= this.ordered.length;
  }

  /** Score from 0 to 1, or -1 if the task has failed. */
  get score(): number {
    if (this.hasFailed) return -1;
    const share = 1 / (this.ordered.length + 1) / this.others.length;
    // The bonus is a sum, as in ScienceWorld: a product rounds differently.
    const bonus = this.met.reduce((sum, isMet) => (isMet ? sum + share : sum), 0);
    return Math.min(1, this.next / this.ordered.length + bonus);
  }

  /** Progress as a table in ScienceWorld's format. The column for class names is empty. */
  get progress(): string {
    const rule = `${"-".repeat(100)}\n`;
    const row = ({ description }: Goal, at: number, isMet: boolean) =>
      `${at}\t${isMet}\t${" ".repeat(40)}\t${description}\n`;
    const sections = [
      `Completed keys: ${[...this.keys].join(", ")}\n`,
      `Sequential Subgoals:\n${rule}${this.ordered.map((goal, at) => row(goal, at, at < this.next)).join("")}`,
      `Unordered and Optional Subgoals:\n${rule}${this.others.map((goal, at) => row(goal, at, this.met[at] ?? false)).join("")}`,
      "",
    ];
    return sections.join(rule);
  }

  reset(): void {
    this.next = 0;
    this.hasFailed = false;
    this.lastMetWith = undefined;
    this.met.fill(false);
  }

  tick(watched: Watched): void {
    const view = new Surveyed(watched.agent, watched.history, this.notes, this.lastMetWith);
    while (!this.isCompleted && this.advance(watched, view)) view.lastMetWith = this.lastMetWith;
    while (this.collect(watched.focus, view)) {}
  }

  /** Checks the ordered goals. @returns whether a goal was met */
  private advance(watched: Watched, view: GoalView): boolean {
    for (let at = this.next; ; at++) {
      const goal = this.ordered[at];
      if (!goal) throw new Error("The last ordered goal of a task must not be optional.");
      const outcome = this.outcomeOf(goal, watched.focus, view);
      if (outcome === "met") {
        this.next = at + 1;
        if (goal.isAboutThing) this.lastMetWith = watched.focus;
        if (goal.defocuses) watched.focus = undefined;
        if (goal.key) this.keys.add(goal.key);
        return true;
      }
      if (outcome === "failed") this.hasFailed = true;
      if (outcome === "failed" || !goal.isOptional) return false;
    }
  }

  private outcomeOf(goal: Goal, focus: Thing | undefined, view: GoalView) {
    if (!focus || !this.isDue(goal)) return "open";
    return goal.check(focus, view);
  }

  /** Checks the unordered goals. @returns whether a goal was met; if so, goals that depend on it must be checked */
  private collect(focus: Thing | undefined, view: GoalView): boolean {
    let hasMet = false;
    for (const [at, goal] of this.others.entries()) {
      if (this.met[at] || !this.isDue(goal)) continue;
      const seen = goal.ignoresFocus ? undefined : focus;
      const isMet = goal.check(undefined, view) === "met" || (seen && goal.check(seen, view) === "met");
      if (!isMet) continue;
      this.met[at] = true;
      hasMet = true;
      if (goal.key) this.keys.add(goal.key);
    }
    return hasMet;
  }

  private isDue({ after }: Goal): boolean {
    return after?.every((key) => this.keys.has(key)) ?? true;
  }
}

/** The view of one check of all goals. It computes the list of things near the agent on first use and caches it. */
class Surveyed implements GoalView {
  private all: readonly Thing[] | undefined;

  constructor(
    readonly agent: GoalView["agent"],
    readonly history: GoalView["history"],
    readonly notes: GoalView["notes"],
    public lastMetWith: GoalView["lastMetWith"],
  ) {}

  get near(): readonly Thing[] {
    this.all ??= this.agent.container ? allWithin(this.agent.container) : [];
    return this.all;
  }
}
