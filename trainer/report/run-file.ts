/** The file `run.json` of an output folder: settings, engine and times of the run, for programs that show it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TrainSettings, withoutSecrets } from "../settings/settings.js";

export interface RunFacts {
  readonly settings: TrainSettings;
  /** Facts about the engine; undefined until it is created. */
  readonly engine: Readonly<Record<string, unknown>> | undefined;
  /** Whether the run has ended. */
  readonly hasEnded: boolean;
}

/** Writes the file. A resumed run keeps the time of its first start. @throws errors of the file system */
export function writeRunFile({ settings, engine, hasEnded }: RunFacts): void {
  const path = join(settings.output, "run.json");
  const now = new Date().toISOString();
  const startedAt = (settings.resume || hasEnded ? startOf(path) : undefined) ?? now;
  const facts = { format: 1, startedAt, endedAt: hasEnded ? now : null, engine, settings: withoutSecrets(settings) };
  mkdirSync(settings.output, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(facts, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

function startOf(path: string): string | undefined {
  try {
    const { startedAt } = JSON.parse(readFileSync(path, "utf8")) as { startedAt?: unknown };
    return typeof startedAt === "string" ? startedAt : undefined;
  } catch {
    return undefined;
  }
}
