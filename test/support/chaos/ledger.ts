/** Record of all requests and replies of the clients of a fleet, episode by episode. */
import { Refusal } from "../gym-socket.js";
import { type Call, contradictionIn, type Entry } from "./append-history.js";
import { isPassing, type Transport, untilAnswered } from "./transport.js";

export interface Step {
  index: number;
  action: string;
}

/** A step that waits for its turn. */
interface Watch {
  since: number;
  /** Episodes that have no acknowledged step sent after `since`. */
  missing: Set<string>;
  tookMs: number[];
  onDone: () => void;
}

export class Ledger {
  /** Deviations from the replies that clients may expect. */
  readonly faults: string[] = [];
  acknowledged = 0;
  unanswered = 0;
  refused = 0;
  private readonly calls = new Map<string, Call[]>();
  private readonly live = new Set<string>();
  private readonly watches = new Set<Watch>();

  /** Episodes that take further steps. */
  get liveEpisodes(): string[] {
    return [...this.live];
  }

  open(id: string): void {
    this.live.add(id);
    this.calls.set(id, []);
  }

  finish(id: string): void {
    this.live.delete(id);
    for (const watch of this.watches) this.found(watch, id);
  }

  /** Sends a step once. @throws {Refusal} @throws {ConnectionLost} */
  async step(client: string, transport: Transport, id: string, { index, action }: Step): Promise<string> {
    const from = performance.now();
    try {
      const reply = await transport.send("step", { episodeId: id, index, action });
      this.onReply(client, id, { index, action }, reply, from);
      return reply;
    } catch (error) {
      this.onError(client, id, { index, action }, error, from);
      throw error;
    }
  }

  onReply(client: string, id: string, { index, action }: Step, reply: string, from: number): void {
    const to = performance.now();
    this.add(id, { client, from, to, kind: "append", index, action, reply });
    this.acknowledged += 1;
    for (const watch of this.watches)
      if (from >= watch.since && watch.missing.has(id)) this.found(watch, id, to - watch.since);
  }

  onError(client: string, id: string, { index, action }: Step, error: unknown, from: number): void {
    if (error instanceof Refusal && error.code === "STEP_CONFLICT") {
      this.refused += 1;
      this.add(id, { client, from, to: performance.now(), kind: "conflict", index, action });
    } else if (isPassing(error)) {
      this.unanswered += 1;
      this.add(id, { client, from, to: Number.POSITIVE_INFINITY, kind: "append", index, action, reply: null });
    }
  }

  /** Reads the steps of an episode. */
  async read(client: string, transport: Transport, id: string): Promise<Entry[]> {
    return untilAnswered(async () => {
      const from = performance.now();
      const text = await transport.send("transcript", { episodeId: id });
      const { steps } = JSON.parse(text) as { steps: { action: string; atMs: number; gymMs?: number }[] };
      const entries = steps.map(({ action, atMs, gymMs, ...reply }) => ({ action, reply: JSON.stringify(reply) }));
      this.add(id, { client, from, to: performance.now(), kind: "read", entries });
      return entries;
    });
  }

  /** Reads the number of steps of an episode. */
  async count(client: string, transport: Transport, id: string): Promise<number> {
    return untilAnswered(async () => {
      const from = performance.now();
      const { index } = JSON.parse(await transport.send("get", { episodeId: id })) as { index: number };
      this.add(id, { client, from, to: performance.now(), kind: "count", count: index });
      return index;
    });
  }

  /** Compares the calls to an episode with its steps at the end. */
  check(id: string, last: readonly Entry[]): void {
    const contradiction = contradictionIn(this.calls.get(id) ?? [], last);
    if (contradiction !== null) this.faults.push(`${id}: ${contradiction}`);
  }

  /** Notes that a client could not continue an episode, with the last calls to it. */
  fail(name: string, id: string, error: unknown): void {
    const calls = (this.calls.get(id) ?? []).slice(-8).map((call) => JSON.stringify(call).slice(0, 200));
    this.faults.push(`${name}, ${id}: ${error}, at ${performance.now().toFixed(1)} after ${calls.join("\n")}`);
    this.finish(id);
  }

  expectEqual(what: string, received: string | undefined, expected: string | undefined): void {
    if (received !== expected) this.faults.push(`${what}: expected ${expected}, but received ${received}`);
  }

  /** Returns whether the next step of an episode is measured, and should be taken at once. */
  isHurried(id: string): boolean {
    for (const { missing } of this.watches) if (missing.has(id)) return true;
    return false;
  }

  /**
   * Measures the milliseconds until each episode has an acknowledged step that was sent after `since`. An episode that
   * has ended before is left out, and one without such a step within a minute is Infinity.
   */
  async service(ids: Iterable<string>, since: number): Promise<number[]> {
    const missing = new Set([...ids].filter((id) => this.live.has(id)));
    if (missing.size === 0) return [];
    let timer: NodeJS.Timeout | undefined;
    return new Promise((resolve) => {
      const onDone = () => {
        clearTimeout(timer);
        this.watches.delete(watch);
        resolve([...watch.tookMs, ...Array.from(watch.missing, () => Number.POSITIVE_INFINITY)]);
      };
      const watch: Watch = { since, missing, tookMs: [], onDone };
      timer = setTimeout(onDone, 60_000);
      this.watches.add(watch);
    });
  }

  private found(watch: Watch, id: string, tookMs?: number): void {
    if (!watch.missing.delete(id)) return;
    if (tookMs !== undefined) watch.tookMs.push(tookMs);
    if (watch.missing.size === 0) watch.onDone();
  }

  private add(id: string, call: Call): void {
    (this.calls.get(id) as Call[]).push(call);
  }
}
