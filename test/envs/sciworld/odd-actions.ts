/** Actions that a model could write: valid, valid with a typo, and malformed. */

import type { Game } from "#palestra/envs/sciworld/game.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";

const unheardOf: readonly string[] = [
  ...["", " ", "\n", "\t\t", "0", "-1", "1.5", "1e3", "99999999999999999999", "NaN", "٣", "0x1", " 2 ", "+1", "1 2"],
  ...["help", "objects", "task", "HELP ", "reset task", "wait", "wait1", "look around", "inventory", "fly", "open"],
  ...["go to", "go to go to", "look at the a an", "move a to b", "move to", "connect to", "pour into into", "focus on"],
  ...["open door", "go to hallway", "go to outside", "pick up agent", "move agent to agent", "eat agent", "mix agent"],
  ...["move hallway to inventory", "pour air into air", "connect agent to agent", "focus on universe", "eat air"],
  ...[
    "\u0000\u0007\u001b[31m",
    "\ud800",
    "é😀 ﷽",
    "ＯＰＥＮ door",
    "__proto__",
    "constructor toString",
    "(?:a+)+$",
    "OBJ",
  ],
  ...['{"action": "open door"}', "Thought: x\nAction: look around", "open door;go to kitchen", "a".repeat(5_000)],
  ...["look at ".repeat(400), `pick up ${"the ".repeat(2_000)}orange`, "x ".repeat(20_000), "to ".repeat(300)],
];

const slips: readonly ((words: string[], random: Pcg64) => string)[] = [
  (words, random) => words.toSpliced(random.integers(0, words.length), 1).join(" "),
  (words, random) => words.toSpliced(random.integers(0, words.length + 1), 0, random.choice(words)).join(" "),
  (words) => words.toReversed().join(" "),
  (words) => words.join(" ").toUpperCase(),
  (words) => words.join("  "),
  (words) => `  ${words.join(" ")}.`,
  (words) => words.join(" the "),
  (words) => words.join(" ").slice(0, -1),
  (words, random) => words.map((word) => (random.integers(0, 3) === 0 ? `${word}\u0301` : word)).join(" "),
  (words, random) => `${words.join(" ")} ${random.choice(["to", "in", "on", "on the table", "1", "🧪", "with fork"])}`,
];

/** Draws actions for one episode. */
export class OddActions {
  private readonly random: Pcg64;
  private names: readonly string[] = [];
  private readonly wordings: readonly string[];

  constructor(
    private readonly game: Game,
    seed: number,
  ) {
    this.random = new Pcg64(seed);
    this.wordings = game.wordings().filter((wording) => wording !== "reset task");
  }

  /** @param observation reply to the last action */
  next(observation: string): string {
    const { random } = this;
    const isAsked = observation.startsWith("Ambiguous request");
    if (isAsked && random.integers(0, 4) > 0) return this.answer();
    const kind = random.integers(0, 20);
    if (kind === 0) return random.choice(unheardOf);
    if (kind === 1) return random.choice(this.game.validActions()).action;
    const likely = this.likely();
    return kind < 6 ? random.choice(slips)(likely.split(" "), random) : likely;
  }

  /** Returns mostly a valid action. */
  private answer(): string {
    const { game, random } = this;
    return random.integers(0, 5) === 0 ? String(random.integers(-2, 30)) : random.choice(game.validActions()).action;
  }

  /** Returns an action on objects that are present, or were a few steps ago. */
  private likely(): string {
    const { game, random } = this;
    if (this.names.length === 0 || random.integers(0, 5) === 0) this.names = game.possibleObjects();
    const doors = this.names.filter((name) => name.includes("door"));
    const roll = random.integers(0, 6);
    if (roll === 0 && doors.length > 0) return `open ${random.choice(doors)}`;
    if (roll === 1 && doors.length > 0) return `go to ${random.choice(doors).replace(/^door to | door$/, "")}`;
    const wording = random.choice(this.wordings);
    // `wait` spends ten ticks, and most `focus` actions fail the task, so both are rare.
    if (/^(wait|focus on OBJ)$/.test(wording) && random.integers(0, 10) > 0) return "look around";
    return wording.replace(/OBJ/g, () => random.choice(this.names));
  }
}
