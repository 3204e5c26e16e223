/** The log of how a training run's starting model is made (trainer/report/start-log.ts). */
import { openFile } from "./folders.js";
import { read } from "./line-file.js";

export const startFile = "start.jsonl";

/** Bytes at the end of the file that are read. */
const mostBytes = 2 ** 22;
/** Losses in a reply. Of more, every n-th is told. */
const mostLosses = 400;
const phases = ["experts", "language", "cloning"] as const;

type Phase = (typeof phases)[number];

interface Line {
  readonly time: number;
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  readonly epoch: number | null;
  readonly epochs: number | null;
  readonly loss: number | null;
}

/** The newest progress, and the losses of cloning so far. */
export interface Start extends Omit<Line, "time"> {
  /** Seconds until the phase ends, at the rate that it had so far; null before its second line. */
  readonly secondsLeft: number | null;
  /** Steps of cloning with their losses in nats per token. */
  readonly losses: readonly { readonly step: number; readonly loss: number }[];
}

/** Reads how the starting model is made; null without a log. */
export async function startOf(path: string): Promise<Start | null> {
  const lines = await linesOf(path);
  const last = lines.at(-1);
  if (last === undefined) return null;
  const { time, ...newest } = last;
  const first = lines.find(({ phase }) => phase === last.phase) as Line;
  const done = last.done - first.done;
  const perUnit = done > 0 ? (time - first.time) / done : null;
  const losses = lines.flatMap(({ phase, done: step, loss }) =>
    phase === "cloning" && loss !== null ? [{ step, loss }] : [],
  );
  const every = Math.ceil(losses.length / mostLosses);
  return {
    ...newest,
    secondsLeft: perUnit === null ? null : perUnit * (last.total - last.done),
    losses: losses.filter((_, at) => at % every === 0 || at === losses.length - 1),
  };
}

async function linesOf(path: string): Promise<Line[]> {
  const file = await openFile(path, startFile).catch(() => undefined);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - mostBytes);
    const text = (await read(file, start, size - start)).toString();
    // The first line of a part of the file may be the end of a longer one, which is not JSON.
    return text
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => lineOf(line) ?? []);
  } finally {
    await file.close();
  }
}

function lineOf(line: string): Line | undefined {
  try {
    const { time, phase, done, total, epoch, epochs, loss } = JSON.parse(line) as Record<string, unknown>;
    const counts = [done, total].every((count) => Number.isSafeInteger(count) && (count as number) >= 0);
    if (!counts || typeof time !== "number" || !phases.includes(phase as Phase)) return undefined;
    const figures = { epoch: wholeOf(epoch), epochs: wholeOf(epochs), loss: typeof loss === "number" ? loss : null };
    return { time, phase: phase as Phase, done: done as number, total: total as number, ...figures };
  } catch {
    return undefined;
  }
}

function wholeOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
