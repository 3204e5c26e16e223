/** Models in folders, opened as policies when they are first needed, and closed once nobody plays with them any more. */
import type { Policy } from "../policy/policy.js";
import type { Borrowed } from "./partner-source.js";

interface Loaded {
  readonly policy: Promise<Policy>;
  users: number;
  isDropped: boolean;
}

export class LoadedModels {
  private readonly loaded = new Map<string, Loaded>();

  constructor(private readonly open: (folder: string) => Promise<Policy>) {}

  /** Opens a model unless it is open. @throws errors of `open` */
  async borrow(folder: string): Promise<Borrowed> {
    const model = this.loaded.get(folder) ?? { policy: this.open(folder), users: 0, isDropped: false };
    this.loaded.set(folder, model);
    model.users += 1;
    const release = () => {
      model.users -= 1;
      this.closeUnused(model);
    };
    try {
      return { policy: await model.policy, release };
    } catch (error) {
      if (this.loaded.get(folder) === model) this.loaded.delete(folder);
      throw error;
    }
  }

  /** Closes the models of other folders, or lets their users end first. */
  keepOnly(folders: readonly string[]): void {
    for (const [folder, model] of this.loaded) {
      if (folders.includes(folder)) continue;
      this.loaded.delete(folder);
      model.isDropped = true;
      this.closeUnused(model);
    }
  }

  async close(): Promise<void> {
    const models = [...this.loaded.values()];
    this.loaded.clear();
    await Promise.all(models.map(({ policy }) => policy.then((open) => open.close())));
  }

  private closeUnused({ policy, users, isDropped }: Loaded): void {
    if (isDropped && users === 0) void policy.then((open) => open.close()).catch(() => {});
  }
}
