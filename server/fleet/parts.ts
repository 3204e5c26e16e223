import type { FleetMember } from "../log/records/protocol.js";

interface Part<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Largest weight of a message with several items. */
const mostWeight = 65_536;

/** Collects the parts of one request that go to the same gym, so that each gym gets them in few messages. */
export class Parts<Item, Result> {
  private waiting = new Map<FleetMember, Part<Item, Result>[]>();

  /**
   * @param send returns the result of each item, or the error with which the other gym has refused it
   * @param weightOf returns about the number of characters of an item
   */
  constructor(
    private readonly send: (gym: FleetMember, items: Item[]) => Promise<(Result | Error)[]>,
    private readonly weightOf: (item: Item) => number = () => 0,
  ) {}

  /** Adds an item, which is sent with all that are added in the same turn of the event loop, unless `flush` comes before. */
  add(gym: FleetMember, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.size === 0) setImmediate(() => this.flush());
      const part = { item, resolve, reject };
      const known = this.waiting.get(gym);
      if (known) known.push(part);
      else this.waiting.set(gym, [part]);
    });
  }

  /** Sends what was added, in its order. */
  flush(): void {
    const { waiting } = this;
    this.waiting = new Map();
    for (const [gym, parts] of waiting) for (const message of this.divided(parts)) void this.exchange(gym, message);
  }

  private divided(parts: readonly Part<Item, Result>[]): Part<Item, Result>[][] {
    const messages: Part<Item, Result>[][] = [];
    let weight = Number.POSITIVE_INFINITY;
    for (const part of parts) {
      const own = this.weightOf(part.item);
      weight += own;
      if (weight <= mostWeight) messages.at(-1)?.push(part);
      else {
        messages.push([part]);
        weight = own;
      }
    }
    return messages;
  }

  private async exchange(gym: FleetMember, parts: readonly Part<Item, Result>[]): Promise<void> {
    try {
      const items = parts.map(({ item }) => item);
      const results = await this.send(gym, items);
      for (const [i, { resolve, reject }] of parts.entries()) {
        const result = results[i] as Result | Error;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of parts) reject(error);
    }
  }
}
