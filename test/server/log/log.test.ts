import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import type { GymError } from "#palestra/server/errors.js";
import { Log } from "#palestra/server/log/log.js";
import type { FromHost, LoggedReport } from "#palestra/server/log/records/protocol.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";

async function open(path = join(scratchDir(), "log.db"), onLost?: (error: GymError) => void): Promise<Log> {
  const log = await Log.open({ path, sync: "normal" }, onLost);
  onTestFinished(() => log.close());
  return log;
}

/** A host without environments, which reports the steps that a test names. */
class Reporter {
  readonly heard: LoggedReport[] = [];
  readonly lost: GymError[] = [];
  readonly host: number;
  private readonly port: MessagePort;
  private next: (() => void) | null = null;

  constructor(private readonly log: Log) {
    const { host, port } = log.attach({
      onReport: (report) => {
        this.heard.push(report);
        this.next?.();
      },
      onLogLost: (error) => this.lost.push(error),
    });
    this.host = host;
    this.port = port;
    onTestFinished(() => port.close());
  }

  report(episode: number, ...indexes: number[]): void {
    const page = new StepPageWriter();
    const results = indexes.flatMap((index) => {
      const reply = `{"index":${index}}`;
      return [episode, 0, page.add(episode, index, `a${index}`, reply, 0), reply.length];
    });
    this.post({ type: "report", endings: [], results, page: page.take() });
  }

  resume(): void {
    this.post({ type: "resumed" });
  }

  post(message: FromHost): void {
    this.port.postMessage(message);
  }

  /** Waits until the given number of reports has arrived. */
  async hears(count: number): Promise<LoggedReport[]> {
    while (this.heard.length < count) await new Promise<void>((resolve) => (this.next = resolve));
    return this.heard;
  }

  get errors(): (string | null)[] {
    return this.heard.map(({ error }) => error);
  }

  detach(): Promise<void> {
    return this.log.detach(this.host);
  }
}

const indexes = async (log: Log, episode: number) =>
  (await log.call("readSteps", episode, 0, 1_000_000)).map(({ index }) => index);
const upTo = (length: number) => Array.from({ length }, (_, i) => i);
/** Makes a call that fails, since the episode exists. All writes of the same commit fail too. */
const spoil = (log: Log) => log.call("createEpisode", episodeRow(1), "{}");

describe("the log", () => {
  test("delivers a report unchanged, once its steps can be read", async () => {
    const log = await open();
    const host = new Reporter(log);
    host.report(7, 0, 1, 2);
    const [report] = await host.hears(1);
    expect(report).toEqual({
      host: host.host,
      results: upTo(3).flatMap(() => [7, 0, '[7,0,0,"a0"]'.length, '{"index":0}'.length]),
      lines: upTo(3)
        .map((i) => `[7,${i},0,"a${i}"]\n{"index":${i}}\n`)
        .join(""),
      error: null,
      atMs: expect.any(Number),
    });
    expect(await indexes(log, 7)).toEqual([0, 1, 2]);
  });

  test("keeps the order of each host's reports", async () => {
    const log = await open();
    const hosts = upTo(3).map(() => new Reporter(log));
    for (const index of upTo(100)) for (const [i, host] of hosts.entries()) host.report(i + 1, index);
    for (const [i, host] of hosts.entries()) {
      const heard = await host.hears(100);
      expect(heard.map(({ lines }) => JSON.parse(lines.split("\n")[0] as string)[1])).toEqual(upTo(100));
      expect(await indexes(log, i + 1)).toEqual(upTo(100));
    }
  });

  test("delivers all reports of a host before its detach resolves", async () => {
    const log = await open();
    const host = new Reporter(log);
    for (const index of upTo(500)) host.report(1, index);
    await host.detach();
    expect(host.heard).toHaveLength(500);
    expect(await indexes(log, 1)).toEqual(upTo(500));
  });

  test("stores all reports that were sent before it was closed", async () => {
    const path = join(scratchDir(), "log.db");
    const log = await open(path);
    const host = new Reporter(log);
    for (const index of upTo(50)) host.report(1, index);
    await log.close();
    expect(host.errors).toEqual(upTo(50).map(() => null));
    expect(await indexes(await open(path), 1)).toEqual(upTo(50));
  });

  test("refuses calls after its close with LOG_FAILED", async () => {
    const log = await open();
    expect(log.healthy).toBe(true);
    await log.close();
    await expect(log.call("nextKey")).rejects.toMatchObject({ code: "LOG_FAILED" });
    expect(log.healthy).toBe(false);
  });

  test("refuses to be opened twice with LOG_FAILED, and names the file", async () => {
    const path = join(scratchDir(), "log.db");
    const log = await open(path);
    await expect(open(path)).rejects.toMatchObject({ code: "LOG_FAILED", message: expect.stringContaining(path) });
    expect(await log.call("nextKey")).toBe(1);
  });

  test("commits reports even if a read beside them fails", async () => {
    const log = await open();
    const host = new Reporter(log);
    host.report(1, 0);
    await expect(log.call("findEpisode", {} as number)).rejects.toMatchObject({ code: "LOG_FAILED" });
    host.report(1, 1);
    await host.hears(2);
    expect(host.errors).toEqual([null, null]);
  });

  test("reports the end of its thread to every host and to its opener, and refuses later calls", async () => {
    const lost: GymError[] = [];
    const log = await open(undefined, (error) => lost.push(error));
    const hosts = [new Reporter(log), new Reporter(log)];
    hosts[0]?.post({ type: "report" } as FromHost);
    await expect.poll(() => lost).toHaveLength(1);
    for (const host of hosts) expect(host.lost).toEqual(lost);
    expect(lost[0]).toMatchObject({ code: "LOG_FAILED" });
    await expect(log.call("nextKey")).rejects.toMatchObject({ code: "LOG_FAILED" });
    await hosts[0]?.detach();
  });
});

describe("while long reads wait in the queue", () => {
  const pages = 40;
  const pageReads = 200;

  /** A log with an episode whose steps lie far apart, in more pages than the cache holds. */
  async function openScattered(): Promise<Log> {
    const log = await open();
    const host = new Reporter(log);
    await log.call("createEpisode", episodeRow(1), "{}");
    for (const index of upTo(pages)) {
      const page = new StepPageWriter();
      page.add(1, index, "a", "{}", 0);
      page.add(2, index, "a", "x".repeat(2 ** 20), 0);
      host.post({ type: "report", endings: [], results: [], page: page.take() });
    }
    await host.hears(pages);
    return log;
  }

  /** Sends many reads of eight pages each. */
  function readAll(log: Log, answered: () => void): Promise<number[]> {
    const reads = upTo(pageReads).map(async (i) => {
      const steps = await log.call("readSteps", 1, (8 * i) % pages, 8);
      answered();
      return steps.length;
    });
    return Promise.all(reads);
  }

  test("steps are committed and delivered between the reads", async () => {
    const log = await openScattered();
    const host = new Reporter(log);
    let waiting = pageReads;
    const reading = readAll(log, () => {
      waiting -= 1;
    });
    for (let index = 0; waiting > 0; index++) {
      host.report(3, index);
      await host.hears(index + 1);
    }
    expect(await reading).toEqual(upTo(pageReads).map(() => 8));
    // A log that answered all waiting reads before it looked at its ports would send only three or four reports.
    expect(host.heard.length).toBeGreaterThan(20);
  });

  test("the log writes before it reads, and a later call sees the writes", async () => {
    const log = await openScattered();
    let answered = 0;
    const reading = readAll(log, () => {
      answered += 1;
    });
    const written = log.call("createEpisode", episodeRow(3), "{}").then(() => answered);
    const found = log.call("findEpisode", 3);
    expect(await written).toBeLessThan(pageReads / 4);
    expect(await found).toMatchObject({ row: { key: 3 } });
    expect(await reading).toHaveLength(pageReads);
  });

  test("a later prune does not affect the reads", async () => {
    const log = await openScattered();
    const reading = readAll(log, () => {});
    const pruned = log.call("prune", Date.now(), [], 10);
    const later = log.call("readSteps", 1, 0, 8);
    expect(await reading).toEqual(upTo(pageReads).map(() => 8));
    expect([await pruned, await later]).toEqual([1, []]);
  });
});

describe("a commit that fails", () => {
  test("does not fail a read beside it", async () => {
    const log = await open();
    await spoil(log);
    const [spoilt, read] = await Promise.allSettled([spoil(log), log.call("findEpisode", 1)]);
    expect([spoilt.status, read.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("makes the log refuse only the host whose steps were in it, until that host has resumed", async () => {
    const log = await open();
    await spoil(log);
    const [guilty, other] = [new Reporter(log), new Reporter(log)];
    await failCommitOf(log, guilty);
    const stored = guilty.errors.filter((error) => error === null).length;
    const refused = guilty.errors.length - stored;
    guilty.report(1, stored);
    other.report(2, 0);
    await guilty.hears(stored + refused + 1);
    await other.hears(1);
    expect([guilty.errors.at(-1), other.errors]).toEqual([expect.any(String), [null]]);

    for (const _ of upTo(refused)) guilty.resume();
    guilty.report(1, stored);
    await guilty.hears(stored + refused + 2);
    expect(guilty.errors.at(-1), "one refused report is not yet answered for").toEqual(expect.any(String));

    for (const _ of upTo(2)) guilty.resume();
    guilty.report(1, stored);
    await guilty.hears(stored + refused + 3);
    expect(guilty.errors.at(-1)).toBeNull();
    expect(await indexes(log, 1)).toEqual(upTo(stored + 1));
  });

  /** Reports steps and spoils commits until both meet in one commit. */
  async function failCommitOf(log: Log, host: Reporter): Promise<void> {
    for (let index = 0; !host.errors.some((error) => error !== null); index++) {
      host.report(1, index);
      await spoil(log).catch(() => undefined);
      await host.hears(index + 1);
    }
  }

  test("leaves no gap in any episode, however far a host is ahead of the log", async () => {
    const log = await open();
    await spoil(log);
    const enough = 15;
    let failures = 0;
    const playing = upTo(4).map((i) => playAhead(log, 10 + i, () => failures < enough));
    while (failures < enough) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      await spoil(log).catch(() => {
        failures += 1;
      });
    }
    const lengths = await Promise.all(playing);
    for (const [i, { acknowledged }] of lengths.entries())
      expect(await indexes(log, 10 + i)).toEqual(upTo(acknowledged));
    expect(Math.min(...lengths.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(0);
    expect(Math.max(...lengths.map(({ refused }) => refused))).toBeGreaterThan(0);
  });

  /** Plays like a host: it runs ahead of the log until a refusal arrives, and then continues from the logged steps. */
  async function playAhead(log: Log, episode: number, more: () => boolean) {
    const host = new Reporter(log);
    let [acknowledged, sent, heard, refused] = [0, 0, 0, 0];
    while (more() || heard < host.heard.length || sent > acknowledged) {
      while (more() && sent < acknowledged + 6) host.report(episode, sent++);
      await Promise.race([host.hears(heard + 1), new Promise((resolve) => setTimeout(resolve, 5))]);
      for (; heard < host.heard.length; heard++) {
        if (host.heard[heard]?.error === null) {
          acknowledged += 1;
          continue;
        }
        refused += 1;
        sent = acknowledged;
        host.resume();
      }
    }
    return { acknowledged, refused };
  }
});
