/**
 * Records games with bees on the original simulator, and counts the steps that the native engine answers differently:
 * `SCIENCEWORLD_JAR=... npx tsx test/peers/record-sciworld-bees.ts --games 240 --seed 17 --out bees.jsonl.gz`.
 * Needs the build and a jar of version 1.3; 1.2 lists things in another order.
 *
 * Game n plays task n modulo 30 in a random variation; every second round of the 30 tasks uses `easy`. The agent opens
 * and closes the hive and the doors, carries bees, hives and flowers around, waits and looks. Every third game, and every
 * game of growing, follows the original's own solution, in which flowers bloom. The native engine only proposes valid
 * actions: everything recorded is the original's answer. The output is gzipped JSON lines. Each game has a random stream
 * of its own, so `--first` records the games in parts, and the parts can be concatenated.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { place } from "#palestra/envs/sciworld/actions/action.js";
import { destinationOf } from "#palestra/envs/sciworld/engine/naming.js";
import { parseSimplifications } from "#palestra/envs/sciworld/engine/simplifications.js";
import type { Thing } from "#palestra/envs/sciworld/engine/thing.js";
import { Game } from "#palestra/envs/sciworld/game.js";
import { Simulator } from "#palestra/envs/sciworld/jvm/simulator.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";

const { values } = parseArgs({
  options: {
    first: { type: "string", default: "0" },
    games: { type: "string", default: "240" },
    seed: { type: "string", default: "0" },
    out: { type: "string", default: "" },
  },
});

const stepsPerGame = 60;
/** Steps taken from the start of the original's solution: plants need many ticks to bloom. */
const stepsAlongSolution = 150;
const { signal } = new AbortController();

interface Step {
  action: string;
  observation: string;
  score: number;
  completed: boolean;
}

/** A game on the original, with the native engine playing the same actions. */
class Recorder {
  readonly steps: Step[] = [];
  /** Number of steps that the native engine answers differently. */
  differences = 0;

  constructor(
    private readonly original: Simulator,
    readonly native: Game,
  ) {}

  /** Takes a step. Answers a following question with one of its numbers or with a number out of range. */
  async step(action: string, rng: Pcg64): Promise<void> {
    const { observation, score, isCompleted } = await this.original.step(action, signal);
    this.steps.push({ action, observation, score, completed: isCompleted });
    const isSame = this.native.step(action) === observation && Math.abs(this.native.score - score) < 1e-9;
    if (!isSame) this.differences += 1;
    if (observation.startsWith("Ambiguous request"))
      await this.step(String(rng.integers(0, observation.split("\n").length)), rng);
  }

  /**
   * Returns the final inventory, the final look and a digest of the valid actions. If objects share a name, the
   * episode's random generator decides the words of valid actions, so the digest also compares the generator's state.
   */
  async end() {
    const [inventory, look] = [
      await this.original.ask("freeActionInventory", signal),
      await this.original.ask("freeActionLook", signal),
    ];
    const json = await this.original.ask("getValidActionObjectCombinationsJSON", signal);
    const { validActions } = JSON.parse([json].flat().join("\n")) as { validActions: { action: string }[] };
    const actions = validActions.map(({ action }) => action).sort();
    return {
      ...{ inventory: [inventory].flat().join("\n"), look: [look].flat().join("\n") },
      ...{ validCount: actions.length, validSortedSha256: sha256(actions.join("\n")) },
    };
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Returns the actions that lead to a place: open each door on the shortest way, and go through it. */
function wayTo(name: string, game: Game): string[] {
  const ways = new Map<Thing, string[]>([[place(game), []]]);
  for (const [at, way] of ways) {
    if (at.name === name) return way;
    for (const passage of at.passages) {
      const next = destinationOf(passage, at);
      if (!next || ways.has(next)) continue;
      ways.set(next, [...way, ...(passage.is("drain") ? [] : [`open door to ${next.name}`]), `go to ${next.name}`]);
    }
  }
  return [];
}

const beeWords = ["bee", "adult bee", "bee 0", "bee 1", "bee 2", "bee 3", "bee 4", "living thing"];
const holders = ["bee hive", "jug", "sink", "flower pot", "inventory", "fire pit", "fountain", "greenhouse", "outside"];

/** Returns an action about bees, hives or flowers, valid or not. */
function aboutBees(rng: Pcg64): string {
  const bee = rng.choice(beeWords);
  return rng.choice([
    ...["look in bee hive", "look in bee hive", "look at bee hive", "open bee hive", "open bee hive", "close bee hive"],
    ...["look around", "wait", "wait1", "wait1", "wait1", "look at inventory", "objects", "pick up bee hive"],
    ...[`look at ${bee}`, `pick up ${bee}`, `move ${bee} to ${rng.choice(holders)}`, `move ${bee} to flower`],
    ...[`put down ${bee}`, `look in flower`, `look at flower`, `look at pollen`, `move ${bee} to adult bee`],
    ...[`move flower to ${rng.choice(holders)}`, `move flower pot to ${rng.choice(holders)}`, `eat ${bee}`],
    ...["open door to outside", "close door to outside", "open door to hallway", "close door to hallway"],
  ]);
}

/** Returns a valid action: one that moves the agent or a door, one about bees, hives and flowers, or any. */
function offered(game: Game, rng: Pcg64): string {
  const all = game.validActions().map(({ action }) => action);
  const about = rng.choice([/^(go to|teleport to|open door|close door)/, /\b(bee|hive|flower|pollen)\b/, /./]);
  // A wrong focus ends most tasks.
  const fitting = all.filter((action) => about.test(action) && (!action.startsWith("focus") || rng.random() < 0.05));
  return rng.choice(fitting.length > 0 ? fitting : all);
}

async function playFreely(game: Recorder, rng: Pcg64): Promise<void> {
  const isAtHome = rng.random() < 0.8;
  if (isAtHome) {
    for (const action of wayTo("greenhouse", game.native)) await game.step(action, rng);
    if (rng.random() < 0.8) await game.step("open bee hive", rng);
  }
  while (game.steps.length < stepsPerGame)
    await game.step(rng.random() < 0.6 ? aboutBees(rng) : offered(game.native, rng), rng);
}

async function playAlong(solution: readonly string[], game: Recorder, rng: Pcg64): Promise<void> {
  for (const action of solution.slice(0, stepsAlongSolution)) {
    await game.step(action, rng);
    if (rng.random() < 0.25) await game.step(aboutBees(rng), rng);
  }
  const end = game.steps.length + 20;
  while (game.steps.length < end) await game.step(rng.random() < 0.6 ? aboutBees(rng) : offered(game.native, rng), rng);
}

/** @param number the game's number, which decides the task, the simplifications and the way of playing */
async function record(number: number, original: Simulator, rng: Pcg64) {
  const { name: task, variations } = tasks[number % tasks.length] as (typeof tasks)[number];
  const round = Math.floor(number / tasks.length);
  const variation = rng.integers(0, variations);
  const simplifications = round % 2 === 1 ? "easy" : "";
  const isAlong = number % 3 === 0 || /^(grow|mendelian)/.test(task);
  await original.load({ task, variation }, simplifications, isAlong, signal);
  const solution = isAlong ? ((await original.ask("getGoldActionSequence", signal)) as string[]) : [];
  await original.load({ task, variation }, simplifications, false, signal);
  const game = new Recorder(original, new Game(task, variation, parseSimplifications(simplifications, task)));
  const taskDescription = String(await original.ask("getTaskDescription", signal));
  await game.step("look around", rng);
  await (isAlong ? playAlong(solution, game, rng) : playFreely(game, rng));
  const recording = { task, variation, simplifications, taskDescription, steps: game.steps, ...(await game.end()) };
  return { recording, differences: game.differences };
}

const jvm = new JvmProvider();
const lines: string[] = [];
let [steps, differing, differences] = [0, 0, 0];
try {
  const original = await Simulator.start(jvm, signal);
  const first = Number(values.first);
  for (let number = first; number < first + Number(values.games); number++) {
    // Each game has its own stream, so that games can be recorded in parts.
    const rng = new Pcg64(Number(values.seed) * 100_000 + number);
    const played = await record(number, original, rng);
    const { task, variation, steps: taken } = played.recording;
    if (played.differences > 0)
      console.log(`${task} ${variation}: ${played.differences} of ${taken.length} steps differ`);
    steps += taken.length;
    differing += played.differences > 0 ? 1 : 0;
    differences += played.differences;
    lines.push(JSON.stringify(played.recording));
  }
  await original.close(false);
} finally {
  await jvm.close();
}
console.log(`${lines.length} games, ${steps} steps: ${differences} differ, in ${differing} games`);
if (values.out) {
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, gzipSync(lines.join("\n"), { level: 9 }));
}
