/**
 * The newest model of another run as a partner: its newest checkpoint, or its starting model before the first one. Two runs
 * that name each other train a policy for each seat.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sleep } from "../gym/back-off.js";
import type { Policy } from "../policy/policy.js";
import { LoadedModels } from "./loaded-models.js";
import type { Borrowed, PartnerSource } from "./partner-source.js";

/** Milliseconds between two looks for the first model of the other run. */
const lookMs = 500;

export interface OtherRunOptions {
  /** Output folder of the other run. */
  readonly folder: string;
  open(folder: string, name: string): Promise<Policy>;
  say(line: string): void;
}

export class OtherRun implements PartnerSource {
  private readonly models: LoadedModels;
  private isWaiting = false;

  constructor(private readonly options: OtherRunOptions) {
    this.models = new LoadedModels((folder) => options.open(folder, `run:${options.folder}`));
  }

  async borrow(_seed: number, signal: AbortSignal): Promise<Borrowed> {
    for (;;) {
      const newest = await newestModel(this.options.folder);
      if (newest === undefined) await this.wait(signal);
      else {
        this.models.keepOnly([newest]);
        try {
          return await this.models.borrow(newest);
        } catch (error) {
          // The other run removes old checkpoints, perhaps while this one is read.
          if (existsSync(newest)) throw error;
        }
      }
    }
  }

  close(): Promise<void> {
    return this.models.close();
  }

  private async wait(signal: AbortSignal): Promise<void> {
    const { folder, say } = this.options;
    if (!this.isWaiting) say(`waiting for a model of the partner's run ${folder}: train it at the same time`);
    this.isWaiting = true;
    await sleep(lookMs, signal);
  }
}

/** Returns the folder of the newest model of a run; undefined if it has none yet. */
export async function newestModel(run: string): Promise<string | undefined> {
  const names = await readdir(join(run, "checkpoints")).catch(() => []);
  const checkpoint = names
    .filter((name) => /^step-\d{8}$/.test(name))
    .sort()
    .at(-1);
  if (checkpoint !== undefined) return join(run, "checkpoints", checkpoint);
  const text = await readFile(join(run, "run.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { settings } = JSON.parse(text) as {
    settings: { clone_episodes: number; clone_dialogues?: unknown; model?: string };
  };
  const isCloned = settings.clone_episodes > 0 || settings.clone_dialogues !== undefined;
  const starting = isCloned ? join(run, "cloned") : (settings.model ?? join(run, "initial"));
  return existsSync(join(starting, "config.json")) || /\.gguf$/.test(starting) ? starting : undefined;
}
