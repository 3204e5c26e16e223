/**
 * Compares BabyAI in one thread with the original in Python, by level, and BabyAI behind a server with AgentGym's
 * server.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Game } from "#palestra/envs/babyai/engine/game.js";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";
import { TextGame } from "#palestra/envs/babyai/text/text-game.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";
import { babyaiHttp } from "./babyai-http.js";
import { liveMemory } from "./memory.js";
import type { BenchResult } from "./report.js";

export interface BabyaiOptions {
  /** Path of a Python with `minigrid`. */
  python?: string | undefined;
  /** AgentGym's folder `agentenv-babyai`, for its text layer. */
  agentgym?: string | undefined;
  /** URL of AgentGym's BabyAI server. */
  peer?: string | undefined;
  seconds: number;
}

/** Levels with one and nine rooms, few and many objects, with and without locked doors. */
const measured = ["GoToRedBall", "GoToLocalS8N7", "PutNextS7N4", "KeyCorridorS6R3", "GoTo", "BossLevel"];
const kinds = ["step", "reset", "text"] as const;
type Rates = Partial<Record<(typeof kinds)[number], number>>;

const names = { step: "step with view", reset: "reset", text: "text step" };

export async function babyai(options: BabyaiOptions): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const level of measured) {
    process.stderr.write(`${level}      \r`);
    const theirs = options.python === undefined ? {} : originalRates(options, level);
    const ours = ourRates(level, options.seconds);
    for (const kind of kinds) results.push(compared(`${names[kind]}, ${level}`, ours[kind] as number, theirs[kind]));
  }
  return [...results, ...(await babyaiHttp(options.peer, options.seconds)), ...(await memoryResults())];
}

function compared(name: string, value: number, baseline: number | undefined): BenchResult {
  const result = { name, value, unit: "per second" };
  return baseline === undefined ? result : { ...result, baseline, target: ">= 100" };
}

async function memoryResults(): Promise<BenchResult[]> {
  const { perEpisode } = await liveMemory({ environment: "babyai", task: { index: 39 } }, "turn left", 5_000);
  return [{ name: "resident memory of a live episode of BossLevel", value: perEpisode, unit: "KiB" }];
}

function originalRates({ python, agentgym, seconds }: BabyaiOptions, level: string): Rates {
  const script = fileURLToPath(new URL("../peers/babyai-speed.py", import.meta.url));
  const args = [script, `${seconds}`, ...(agentgym === undefined ? [] : ["--agentgym", agentgym]), level];
  const { stdout, stderr, status } = spawnSync(python as string, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`expected ${python} to time the original, but received ${stderr.slice(-2_000)}`);
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ kind, rate }) => [kind, rate]));
}

function ourRates(name: string, seconds: number): Required<Rates> {
  const level = levels.get(name);
  if (!level) throw new Error(`expected a level, but received ${name}`);
  return {
    step: stepRate(new Game(level), seconds),
    reset: resetRate(new Game(level), seconds),
    text: textRate(new Game(level), seconds),
  };
}

function stepRate(game: Game, seconds: number): number {
  const rng = new Pcg64(0);
  const moves = Uint8Array.from({ length: 4_096 }, () => rng.integers(0, 7));
  game.reset(0);
  return timed(seconds, (i) => game.step(moves[i & 4_095] as never));
}

function resetRate(game: Game, seconds: number): number {
  return timed(seconds, (i) => game.reset(i % 100));
}

/** Measures random available actions, 30 per episode, including observations but not resets. */
function textRate(game: Game, seconds: number): number {
  const rng = new Pcg64(0);
  let spentMs = 0;
  let steps = 0;
  for (let seed = 0; spentMs < seconds * 1_000; seed++) {
    game.reset(seed);
    const text = new TextGame(game, "agentgym");
    for (let step = 0; step < 30 && !text.done; step++) {
      const action = text.actions[rng.integers(0, text.actions.length)] as string;
      const startedAt = performance.now();
      text.step(action);
      text.observation();
      spentMs += performance.now() - startedAt;
      steps += 1;
    }
  }
  return (steps * 1_000) / spentMs;
}

/** Returns the calls of `work` per second, after a warm-up. */
function timed(seconds: number, work: (i: number) => void): number {
  for (let i = 0; i < 2_000; i++) work(i);
  const startedAt = performance.now();
  let done = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    for (let i = 0; i < 200; i++) work(done++);
  }
  return (done * 1_000) / (performance.now() - startedAt);
}
