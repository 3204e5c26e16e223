/**
 * Files of rewarded conversations, one for each conversation that no checkpoint includes yet. A reward is confirmed after
 * its file is on the disk, so a run that is killed does not lose it.
 */
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../data/durable-file.js";
import type { Trajectory } from "../rollout/trajectory.js";

/** A conversation that has ended with a reward. */
export interface Rewarded {
  readonly id: string;
  readonly task: string;
  /** Milliseconds since 1970. */
  readonly rewardedAt: number;
  readonly rows: readonly Trajectory[];
}

const columns = { tokens: Int32Array, mask: Uint8Array, logprobs: Float32Array, versions: Int32Array };

export class RewardedFiles {
  /** Ids of the conversations that have a file. */
  private readonly ids = new Set<string>();

  constructor(private readonly folder: string) {}

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Writes a conversation durably. */
  async write(rewarded: Rewarded): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await replaceFile(this.pathOf(rewarded.id), `${JSON.stringify(rewarded, encoded)}\n`);
    this.ids.add(rewarded.id);
  }

  /** Reads all conversations, the oldest reward first. */
  async read(): Promise<Rewarded[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const whole = names.filter((name) => name.endsWith(".json"));
    const all = await Promise.all(whole.map((name) => readFile(join(this.folder, name), "utf8")));
    const rewarded = all.map((text) => JSON.parse(text, decoded) as Rewarded);
    for (const { id } of rewarded) this.ids.add(id);
    return rewarded.sort((one, other) => one.rewardedAt - other.rewardedAt);
  }

  async remove(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      await rm(this.pathOf(id), { force: true });
      this.ids.delete(id);
    }
  }

  /** Moves the files of an earlier run aside. @returns their new folder; undefined if there are none */
  async setAside(): Promise<string | undefined> {
    const target = `${this.folder}-until-${new Date().toISOString().replace(/[:.]/g, "-")}`;
    try {
      await rename(this.folder, target);
      return target;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** Replaces an array of numbers by its bytes as base64. */
function encoded(_: string, value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
}

function decoded(name: string, value: unknown): unknown {
  if (!Object.hasOwn(columns, name) || typeof value !== "string") return value;
  const bytes = Uint8Array.from(Buffer.from(value, "base64"));
  return new columns[name as keyof typeof columns](bytes.buffer);
}
