/**
 * Earlier versions of the policy as partners. The run saves a version every so many train steps, and keeps a few that are spread
 * over the whole run. Each group draws one of them, all with the same probability, as in fictitious self-play (Heinrich and
 * Silver 2016): the policy learns against its average over the run, and does not forget how to play against an old version.
 */
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { keyedHash } from "../keyed-random.js";
import type { Policy } from "../policy/policy.js";
import { LoadedModels } from "./loaded-models.js";
import type { Borrowed, PartnerSource } from "./partner-source.js";

export interface EarlierVersionsOptions {
  /** Folder of the versions. */
  readonly folder: string;
  /** Train steps between two saved versions. */
  readonly every: number;
  /** Maximum number of versions. */
  readonly most: number;
  /** Saves the policy in a folder. */
  save(folder: string): Promise<void>;
  /** Opens a saved version. */
  open(folder: string, name: string): Promise<Policy>;
}

export class EarlierVersions implements PartnerSource {
  /** Train steps of the versions, ascending. */
  private steps: readonly number[] = [];
  private readonly models: LoadedModels;

  constructor(private readonly options: EarlierVersionsOptions) {
    this.models = new LoadedModels((folder) => options.open(folder, nameOf(folder)));
  }

  get state(): readonly number[] {
    return this.steps;
  }

  /** Continues with the versions of a checkpoint, or saves the first version. */
  async start(trainStep: number, saved: unknown): Promise<void> {
    const steps = Array.isArray(saved) ? (saved as number[]) : [];
    this.steps = steps.filter((step) => existsSync(this.folderOf(step)));
    if (this.steps.length === 0) await this.add(trainStep);
  }

  async learnt(trainStep: number): Promise<void> {
    if (trainStep % this.options.every === 0) await this.add(trainStep);
  }

  borrow(seed: number): Promise<Borrowed> {
    const step = this.steps[keyedHash(seed, 1) % this.steps.length] as number;
    return this.models.borrow(this.folderOf(step));
  }

  /** Removes the folders of versions that a checkpoint no longer names. */
  async saved(): Promise<void> {
    const kept = this.steps.map((step) => this.folderOf(step));
    const names = await readdir(this.options.folder);
    const old = names.map((name) => join(this.options.folder, name)).filter((folder) => !kept.includes(folder));
    for (const folder of old) await rm(folder, { recursive: true, force: true });
  }

  close(): Promise<void> {
    return this.models.close();
  }

  private async add(trainStep: number): Promise<void> {
    if (this.steps.includes(trainStep)) return;
    await this.options.save(this.folderOf(trainStep));
    this.steps = spread([...this.steps, trainStep], this.options.most);
    this.models.keepOnly(this.steps.map((step) => this.folderOf(step)));
  }

  private folderOf(step: number): string {
    return join(this.options.folder, `step-${String(step).padStart(8, "0")}`);
  }
}

function nameOf(folder: string): string {
  return `version ${Number(/\d+$/.exec(folder)?.[0])}`;
}

/** Leaves out steps until there are at most `most`: always the one whose neighbours are closest. The first and the newest one are kept. */
export function spread(steps: readonly number[], most: number): readonly number[] {
  if (steps.length <= most) return steps;
  const gapAt = (at: number) => (steps[at + 1] as number) - (steps[at - 1] as number);
  const inner = steps.slice(1, -1).map((_, at) => at + 1);
  const dropped = most === 1 ? 0 : inner.reduce((best, at) => (gapAt(at) < gapAt(best) ? at : best), inner[0] ?? 0);
  return spread(
    steps.filter((_, at) => at !== dropped),
    most,
  );
}
