/** Compares the log store with a simple model of it, over a thousand random transactions from a fixed seed. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import type { EpisodeRow } from "#palestra/server/log/records/protocol.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";

interface Step {
  index: number;
  action: string;
  reply: string;
}

/** Steps by episode key. */
type Model = Map<number, Step[]>;

const row = (key: number): EpisodeRow => episodeRow(key, { createdAtMs: key });

const words = ["", "get 1 dirt", "line\nbreak\r\n\u2028", "[1,2]", '"quotes"', "\u0000", "😀", "x".repeat(300)];

/** Runs the same writes on the store and on the model. */
class Writes {
  constructor(
    private readonly random: MersenneTwister,
    private readonly store: LogStore,
    private readonly model: Model,
  ) {}

  perform(): void {
    const kind = this.random.randbelow(20);
    if (kind < 3 || this.model.size === 0) this.create();
    else if (kind === 3) this.fork();
    else if (kind === 4 && this.model.size > 30) this.prune();
    else this.append(this.random.randbelow(150));
  }

  private create(): void {
    const key = this.store.nextKey();
    this.store.createEpisode(row(key), "{}");
    this.model.set(key, []);
  }

  private append(count: number): void {
    const page = new StepPageWriter();
    for (let i = 0; i < count; i++) {
      const key = this.anyKey();
      const steps = this.model.get(key) as Step[];
      const index = steps.length;
      const action = words[this.random.randbelow(words.length)] as string;
      const reply = JSON.stringify({ index, observation: `${key}: ${action}` });
      page.add(key, index, action, reply, 0);
      steps.push({ index, action, reply });
    }
    if (count > 0) this.store.appendPage(page.take());
  }

  private fork(): void {
    const parent = this.anyKey();
    const steps = this.model.get(parent) as Step[];
    const count = this.random.randbelow(steps.length + 1);
    const key = this.store.nextKey();
    this.store.forkEpisode(row(key), parent, count);
    this.model.set(key, steps.slice(0, count));
  }

  private prune(): void {
    const keys = [...this.model.keys()];
    const before = keys[this.random.randbelow(keys.length)] as number;
    const keep = keys.filter(() => this.random.randbelow(4) === 0);
    const gone = keys.filter((key) => key < before && !keep.includes(key)).slice(0, 8);
    expect(this.store.prune(before, keep, 8)).toBe(gone.length);
    for (const key of gone) this.model.delete(key);
  }

  private anyKey(): number {
    const keys = [...this.model.keys()];
    // A few episodes get most of the steps, as under load.
    return keys[this.random.randbelow(this.random.randbelow(keys.length) + 1)] as number;
  }
}

function expectSame(store: LogStore, model: Model, random: MersenneTwister): void {
  for (const [key, steps] of model) {
    const record = store.findEpisode(key);
    expect([record?.steps, record?.last?.reply], `episode ${key}`).toEqual([steps.length, steps.at(-1)?.reply]);
    const from = random.randbelow(steps.length + 2);
    const limit = 1 + random.randbelow(steps.length + 1);
    const read = store.readSteps(key, from, limit).map(({ index, action, reply }) => ({ index, action, reply }));
    expect(read, `episode ${key} from ${from}, at most ${limit}`).toEqual(steps.slice(from, from + limit));
  }
}

test("rollbacks, restarts, forks and pruning leave exactly the committed steps", () => {
  const random = new MersenneTwister(20_260_101);
  const path = join(scratchDir(), "log.db");
  let store = new LogStore(path, "normal");
  let model: Model = new Map();
  let committed = 0;
  const counts = { rollbacks: 0, reopenings: 0 };

  for (let transaction = 0; transaction < 1_000; transaction++) {
    const draft: Model = new Map([...model].map(([key, steps]) => [key, [...steps]]));
    const fails = random.randbelow(12) === 0;
    try {
      store.transaction(() => {
        for (let i = random.randbelow(4); i >= 0; i--) new Writes(random, store, draft).perform();
        if (fails) throw new Error("as asked");
      });
      model = draft;
      committed += 1;
    } catch (error) {
      expect((error as Error).message).toBe("as asked");
      counts.rollbacks += 1;
    }
    if (random.randbelow(40) === 0) {
      const { usage } = store.space();
      store.close();
      store = new LogStore(path, "normal");
      expect(store.space().usage).toEqual(usage);
      counts.reopenings += 1;
    }
    if (transaction % 25 === 0) expectSame(store, model, random);
  }
  expectSame(store, model, random);
  store.transaction(() => store.prune(Number.MAX_SAFE_INTEGER, [], Number.MAX_SAFE_INTEGER));
  expect(store.space().usage.size, "owners without episodes").toBe(0);
  store.close();
  expect(committed).toBeGreaterThan(800);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(15);
});
