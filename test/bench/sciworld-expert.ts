/** The expert of ScienceWorld by task: solved variations, steps, and time per call. */
import { fillOptions } from "#palestra/envs/registry.js";
import sciworld from "#palestra/envs/sciworld/index.js";
import { type BenchResult, median } from "./report.js";

export interface SciworldExpertOptions {
  /** Number of evenly spaced variations of each task. */
  variations: number;
}

/** Limit on moves in the original's Python API. */
const mostMoves = 100;

interface Played {
  isSolved: boolean;
  steps: number;
  /** Number of ticks. A `wait` takes ten. */
  moves: number;
  askedMs: number;
  steppedMs: number;
}

export async function sciworldExpert({ variations }: SciworldExpertOptions): Promise<BenchResult[]> {
  const parts = Object.entries(sciworld.splits).filter(([name]) => !isMixed(name));
  const tasks = parts.map(([name, { size }]) => ({ name, played: playSome(name, size, variations) }));
  const all = tasks.flatMap(({ played }) => played);
  const asking = sum(all, ({ askedMs }) => askedMs);
  return [
    ...tasks.flatMap(({ name, played }) => resultsOf(name, played)),
    { name: "all tasks: solved", value: share(all), unit: "%", target: ">= 95" },
    {
      name: "asking / stepping",
      value: asking,
      unit: "ms",
      baseline: sum(all, ({ steppedMs }) => steppedMs),
      target: "< 3",
    },
  ];
}

/** A split with more than one task. */
function isMixed(name: string): boolean {
  return ["agentgym", "train", "dev", "test"].includes(name);
}

function playSome(name: string, size: number, variations: number): Played[] {
  const count = Math.min(size, variations);
  return Array.from({ length: count }, (_, at) => play(name, Math.floor((at * size) / count)));
}

function play(split: string, index: number): Played {
  const environment = sciworld.create({ now: Date.now });
  environment.reset({ task: { split, index }, seed: 0, options: fillOptions(sciworld, {}) });
  const played: Played = { isSolved: false, steps: 0, moves: 0, askedMs: 0, steppedMs: 0 };
  for (let isOver = false; !isOver && played.steps < sciworld.maxSteps; ) {
    const [action, askedMs] = timed(() => sciworld.expert?.(environment) ?? null);
    if (action === null) break;
    const [{ terminated, info }, steppedMs] = timed(() => environment.step(action));
    played.steps += 1;
    played.moves = Number(info.moves);
    played.askedMs += askedMs;
    played.steppedMs += steppedMs;
    played.isSolved = info.score === 100;
    isOver = terminated;
  }
  return played;
}

function timed<T>(run: () => T): [result: T, ms: number] {
  const startedAt = performance.now();
  return [run(), performance.now() - startedAt];
}

function resultsOf(name: string, played: readonly Played[]): BenchResult[] {
  const steps = played.map((one) => one.steps);
  const moves = played.map((one) => one.moves);
  return [
    { name: `${name}: solved of ${played.length}`, value: share(played), unit: "%", target: ">= 95" },
    { name: `${name}: steps`, value: median(steps), unit: "steps" },
    { name: `${name}: most steps`, value: Math.max(...steps), unit: "steps" },
    { name: `${name}: most moves`, value: Math.max(...moves), unit: "moves", target: `< ${mostMoves + 1}` },
  ];
}

function share(played: readonly Played[]): number {
  return (100 * played.filter(({ isSolved }) => isSolved).length) / played.length;
}

function sum(all: readonly Played[], value: (played: Played) => number): number {
  return all.reduce((total, one) => total + value(one), 0);
}
