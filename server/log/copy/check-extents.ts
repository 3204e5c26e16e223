/** Checks that the steps of each episode, which extents list, follow each other and are in pages that exist. */

import { pageOf } from "../postgres/steps/extents.js";
import { LogDamage } from "../records/damage.js";
import { parsePlaces } from "../sqlite/verify.js";
import { PageRanges } from "./page-ranges.js";
import type { Row } from "./tables.js";

export class ExtentChecks {
  /** Number of steps of all episodes. Steps that forks share count for each of them. */
  steps = 0;
  private readonly pages = new PageRanges();
  private newest = { episode: -1, next: 0 };

  /** @param rows pages in the order of the table */
  addPages(rows: readonly Row[]): void {
    for (const [page] of rows) this.pages.add(page as number);
  }

  /** @param rows extents in the order of the table @throws {LogDamage} */
  check(rows: readonly Row[]): void {
    for (const [episode, lastIndex, , , places] of rows as readonly (readonly [
      number,
      number,
      number,
      number,
      string,
    ])[]) {
      const listed = parsePlaces(places);
      const firstIndex = lastIndex + 1 - listed.length;
      const part = `The index of steps ${firstIndex} to ${lastIndex} of episode ${episode}`;
      const expected = this.newest.episode === episode ? this.newest.next : 0;
      if (listed.length === 0 || firstIndex !== expected) throw new LogDamage(part);
      for (const place of listed) if (!this.pages.has(pageOf(place))) throw new LogDamage(`Page ${pageOf(place)}`);
      this.newest = { episode, next: lastIndex + 1 };
      this.steps += listed.length;
    }
  }
}
