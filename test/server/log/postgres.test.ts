/**
 * The episode log in PostgreSQL, on a real server. Most tests make the same calls to a log in SQLite and compare every
 * answer.
 */
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/rng/mersenne-twister.js";
import { GymError } from "#palestra/server/errors.js";
import { Log } from "#palestra/server/log/log.js";
import type { LogCallName, LogCalls, LoggedReport, LogThreadData } from "#palestra/server/log/protocol.js";
import { StepPageWriter } from "#palestra/server/log/step-page.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";
import { PostgresServer, postgresFolder } from "../../support/postgres.js";

const isAvailable = postgresFolder !== null;
const server = isAvailable ? await PostgresServer.start() : (null as unknown as PostgresServer);

type Step = [episode: number, index: number, action?: string];

/** A log with one host, which reports the steps that a test names. */
class Rig {
  private reports: LoggedReport[] = [];
  private next: (() => void) | null = null;
  readonly lost: GymError[] = [];

  private constructor(
    readonly log: Log,
    private readonly port: MessagePort,
  ) {}

  static async open(data: LogThreadData): Promise<Rig> {
    let rig: Rig | null = null;
    const log = await Log.open(data, (error) => rig?.lost.push(error));
    const { port } = log.attach({
      onReport: (report) => {
        rig?.reports.push(report);
        rig?.next?.();
      },
      onLogLost: () => rig?.next?.(),
    });
    rig = new Rig(log, port);
    onTestFinished(() => rig?.close());
    return rig;
  }

  async close(): Promise<void> {
    this.port.close();
    await this.log.close();
  }

  /** Reports steps, and resolves with the error of the report, or null when they are in the log. */
  async append(steps: readonly Step[]): Promise<string | null> {
    const page = new StepPageWriter();
    for (const [episode, index, action = `a${index}`] of steps)
      page.add(episode, index, action, JSON.stringify({ index, observation: `${episode}: ${action}` }), 0);
    this.port.postMessage({ type: "report", results: [], page: page.take() });
    while (this.reports.length === 0 && this.lost.length === 0)
      await new Promise<void>((resolve) => (this.next = resolve));
    return this.reports.shift()?.error ?? this.lost[0]?.message ?? null;
  }

  call<Name extends LogCallName>(method: Name, ...args: Parameters<LogCalls[Name]>) {
    return this.log.call(method, ...args);
  }
}

const openPostgres = async (url?: string) => Rig.open({ url: url ?? (await server.createDatabase()) });
const openSqlite = (path: string) => Rig.open({ path, sync: "normal" });

/** Time of a step's commit, and of measurements, which differ between two logs. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (key, each) => (key === "atMs" ? undefined : each)));
}

describe.skipIf(!isAvailable)("the log in PostgreSQL", () => {
  test("answers every call like the log in SQLite, over random writes, forks and removals", { timeout: 180_000 }, async () => {
    const url = await server.createDatabase();
    const path = join(scratchDir(), "log.db");
    let rigs = [await openSqlite(path), await openPostgres(url)] as [Rig, Rig];
    const random = new MersenneTwister(20_261_126);
    const words = ["", "get 1 dirt", "line\nbreak\r\n\u2028", '"quotes"', "\u0000", "😀", "x".repeat(300)];
    const lengths = new Map<number, number>();
    const anyKey = () => [...lengths.keys()][random.randbelow(lengths.size)] as number;
    const both = async <Name extends LogCallName>(method: Name, ...args: Parameters<LogCalls[Name]>) => {
      const [sqlite, postgres] = await Promise.all(rigs.map((rig) => rig.call(method, ...args)));
      expect(comparable(postgres), `${method} ${JSON.stringify(args).slice(0, 200)}`).toEqual(comparable(sqlite));
      return postgres;
    };
    let key = 0;
    for (let round = 0; round < 400; round++) {
      const kind = random.randbelow(12);
      if (kind < 2 || lengths.size === 0) {
        const owner = `owner ${random.randbelow(3)}`;
        const more = { owner, createdAtMs: ++key, idempotencyKey: kind === 0 ? `key ${key}` : null, requestDigest: "{}" };
        await both("createEpisode", episodeRow(key, { id: `ep-${key}-0`, ...more }), `{"observation":"start ${key} 😀"}`);
        lengths.set(key, 0);
      } else if (kind === 2) {
        const parent = anyKey();
        const count = random.randbelow((lengths.get(parent) as number) + 1);
        await both("forkEpisode", episodeRow(++key, { id: `ep-${key}-0`, createdAtMs: key, parent: `ep-${parent}-0` }), parent, count);
        lengths.set(key, count);
      } else if (kind === 3) {
        const marks = [["expert", ""], ["failed", '{"code":"ENV_FAILED"}'], ["closed", ""]] as const;
        const [mark, detail] = marks[random.randbelow(3)] as (typeof marks)[number];
        await both("mark", anyKey(), mark, detail);
      } else if (kind === 4) {
        const alias = random.randbelow(10);
        await both("setAlias", { namespace: "textcraft", alias, owner: "ada", episodeId: [null, "", `ep-${anyKey()}-0`][random.randbelow(3)] as string | null });
        await both("findAlias", "textcraft", alias);
        await both("nextAlias", "textcraft");
      } else if (kind === 5 && lengths.size > 15) {
        const keep = [...lengths.keys()].filter(() => random.randbelow(4) === 0);
        await both("prune", anyKey(), keep, 8);
        for (const each of [...lengths.keys()]) if (!(await rigs[0].call("findEpisode", each))) lengths.delete(each);
      } else if (kind === 6 && random.randbelow(5) === 0) {
        await Promise.all(rigs.map((rig) => rig.close()));
        expect(rigs[1].lost).toEqual([]);
        rigs = [await openSqlite(path), await openPostgres(url)];
      } else {
        const steps = Array.from({ length: random.randbelow(200) }, (): Step => {
          const episode = anyKey();
          const index = lengths.get(episode) as number;
          lengths.set(episode, index + 1);
          return [episode, index, words[random.randbelow(words.length)]];
        });
        expect(await Promise.all(rigs.map((rig) => rig.append(steps)))).toEqual([null, null]);
      }
      if (lengths.size === 0) continue;
      const episode = anyKey();
      const length = lengths.get(episode) as number;
      await both("findEpisode", episode);
      await both("readSteps", episode, random.randbelow(length + 2), 1 + random.randbelow(length + 1));
      if (round % 20 > 0) continue;
      await both("readResetResult", episode);
      await both("listEpisodes", "owner 1", key, 5);
      await both("filterEpisodes", "owner 1", key, 3, { text: "OWNER" });
      await both("filterEpisodes", "owner 2", key + 1, 3, { environment: "maze", split: "all", taskIndex: 0, text: "MAZE@1 ALL" });
      await both("findByIdempotencyKey", "owner 1", `key ${episode}`);
      await both("nextKey");
      await both("newestCreatedAtMs");
    }
    for (const episode of lengths.keys()) await both("readSteps", episode, 0, Number.MAX_SAFE_INTEGER);
    expect(key).toBeGreaterThan(60);
  });
});
