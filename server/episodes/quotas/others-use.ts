/** Sums of the counts of the other gyms of a fleet against the limits of tokens and groups. */
import type { OthersUse } from "../../log/records/protocol.js";
import { type Counts, noCounts, type UseCounts } from "./quota.js";

export class Others {
  private uses: readonly { isLive: boolean; day: string; counts: UseCounts }[] = [];
  private callers: ReadonlyMap<string, Counts> = new Map();
  private groups: ReadonlyMap<string, Counts> = new Map();

  learn(uses: readonly OthersUse[], today: string): void {
    this.uses = uses.map(({ counts, ...use }) => ({ ...use, counts: JSON.parse(counts) as UseCounts }));
    this.sum(today);
  }

  /** Adds up what counts on a day. The episodes of a gym that has ended do not, and its steps do. */
  sum(today: string): void {
    const [callers, groups] = [new Map<string, Counts>(), new Map<string, Counts>()];
    for (const { isLive, day, counts } of this.uses) {
      const add = (sums: Map<string, Counts>, of: Record<string, Counts>) => {
        for (const [name, [live, sandboxes, steps]] of Object.entries(of)) {
          const before = sums.get(name) ?? noCounts;
          sums.set(name, [
            before[0] + (isLive ? live : 0),
            before[1] + (isLive ? sandboxes : 0),
            before[2] + (day === today ? steps : 0),
          ]);
        }
      };
      add(callers, counts.callers);
      add(groups, counts.groups);
    }
    [this.callers, this.groups] = [callers, groups];
  }

  ofCaller(owner: string): Counts {
    return this.callers.get(owner) ?? noCounts;
  }

  ofGroup(name: string): Counts {
    return this.groups.get(name) ?? noCounts;
  }
}
