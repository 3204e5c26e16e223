/** Notes on disk which external sites episodes have changed, so that the gym also resets them after its own restart. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { webarenaFolder } from "./settings.js";

export class ChangeMark {
  private readonly folder = join(webarenaFolder(), "changed");
  private readonly path: string;

  /** @param url URL of the site */
  constructor(private readonly url: string) {
    this.path = join(this.folder, createHash("sha256").update(url).digest("hex").slice(0, 32));
  }

  get isSet(): boolean {
    return existsSync(this.path);
  }

  set(): void {
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(this.path, `${this.url}\n`);
    } catch {
      // Without the note, the change is known until the gym ends. That is no reason to fail the episode.
    }
  }

  clear(): void {
    rmSync(this.path, { force: true });
  }
}
