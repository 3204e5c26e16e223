/** The file `run.json` of an output folder: settings, engine, machine and times of the run, for programs that show it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { type TrainSettings, withoutSecrets } from "../settings/settings.js";

/** Origin of a run, which its caller knows. */
export interface RunOrigin {
  /** Command line, without secrets. */
  readonly command?: string;
  /** Versions of the software by name. */
  readonly versions?: Readonly<Record<string, string>>;
}

export interface RunFacts {
  readonly settings: TrainSettings;
  /** Facts about the engine; undefined until it is created. */
  readonly engine: Readonly<Record<string, unknown>> | undefined;
  readonly origin?: RunOrigin;
  /** Whether the run has ended. */
  readonly hasEnded: boolean;
  /** Reason for the end of a run that did not fail: all train steps, the time limit, or a signal. */
  readonly end?: "done" | "time" | "stopped" | undefined;
}

/** The facts as they are in the file. */
export type RecordedRun = ReturnType<typeof recordedRun>;

/** Returns the facts of the file. A resumed run keeps the time of its first start. */
export function recordedRun({ settings, engine, origin, hasEnded, end }: RunFacts) {
  const path = join(settings.output, "run.json");
  const now = new Date().toISOString();
  const startedAt = (settings.resume || hasEnded ? startOf(path) : undefined) ?? now;
  return {
    format: 1,
    startedAt,
    endedAt: hasEnded ? now : null,
    end: end ?? null,
    engine,
    machine: machineFacts(),
    ...origin,
    settings: withoutSecrets(settings),
  };
}

/** Writes the file. @throws errors of the file system */
export function writeRunFile(facts: RunFacts): void {
  const { output } = facts.settings;
  const path = join(output, "run.json");
  const recorded = recordedRun(facts);
  mkdirSync(output, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(recorded, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

function machineFacts() {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    "memory, GiB": Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}, Node ${process.version}`,
  };
}

function startOf(path: string): string | undefined {
  try {
    const { startedAt } = JSON.parse(readFileSync(path, "utf8")) as { startedAt?: unknown };
    return typeof startedAt === "string" ? startedAt : undefined;
  } catch {
    return undefined;
  }
}
