/** The gym without HTTP: these tests make commits of its log fail, which no request can. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { Registry } from "#palestra/envs/registry.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import type { Episode } from "#palestra/server/episodes/episode/episode.js";
import { Gym } from "#palestra/server/episodes/gym.js";
import type { GymError } from "#palestra/server/errors.js";
import { fixture, openGym, scratchDir } from "../../support/gym.js";

const owner = "ada";
const failed: string[] = [];

async function open(): Promise<Gym> {
  const environments = ["faulty", "distant"].map(fixture);
  const gym = await Gym.open({
    registry: await Registry.load(environments),
    log: { path: join(scratchDir(), "episodes.db"), sync: "normal" },
    hosts: {
      count: 1,
      isolation: "process",
      passVariables: [],
      sandboxes: loadConfig({ env: {}, flags: {} }).sandboxes,
      stepDeadlineMs: 5_000,
      limits: { memoryMb: 256, maxReplyLength: 1_000_000 },
    },
    limits: {
      maxEpisodes: 100,
      maxInFlightSteps: 10_000,
      maxPendingSteps: 1_000,
      maxSeatWaits: 10,
      maxReplays: 1,
      maxReplayMs: 1_000,
      maxActionLength: 1_000,
    },
    defaultLeaseMs: 60_000,
    quietMs: 60_000,
    sweepMs: 1_000,
    retainMs: 0,
    storage: { minFreeBytes: 0, maxBytes: 0, maxBytesOf: () => null },
    quotasOf: () => ({ own: { kind: "token", name: "ada", quota: { maxEpisodes: 100 } }, group: null }),
    observer: {
      onStep() {},
      onCreate() {},
      onFailure: (environment, { code }) => failed.push(`${environment} ${code}`),
      onThrown() {},
      onScored() {},
      onLapse() {},
      onYield() {},
      onQuota() {},
      onHostLost() {},
      onStray() {},
      onInstanceLost() {},
      onRoom() {},
      onLogFailure() {},
      onFleetTrouble() {},
      onUseUnshared() {},
      onRemoved() {},
    },
  });
  onTestFinished(() => gym.close());
  return gym;
}

async function create(gym: Gym, environment = "faulty"): Promise<Episode> {
  const request = { environment, task: { index: 0 }, seed: 0, leaseMs: 60_000 };
  return (await gym.create(owner, request)).episode;
}

function step(gym: Gym, { row }: Episode, index: number, action: string): Promise<string> {
  return new Promise((resolve, reject) => gym.step(owner, { episodeId: row.id, index, action }, { resolve, reject }));
}

/** Makes the log's next commit fail: a second row with the same key is refused, and with it the whole commit. */
function spoil(gym: Gym, { row }: Episode): Promise<unknown> {
  return gym.log.call("createEpisode", row, "{}").catch((error: GymError) => error);
}

const logged = async (gym: Gym, { row }: Episode) =>
  (await gym.log.call("readSteps", row.key, 0, 10_000)).map(({ reply }) => reply);
const observationOf = (reply: string) => (JSON.parse(reply) as { observation: string }).observation;

const inThreadsAndOutside = ["faulty", "distant@elsewhere"];

test.each(inThreadsAndOutside)("a step of %s whose commit fails is not taken", async (environment) => {
  const gym = await open();
  const episode = await create(gym, environment);
  await step(gym, episode, 0, "a");
  const lost = step(gym, episode, 1, "b").catch((error: GymError) => error);
  await spoil(gym, episode);
  // The timing of the threads decides whether the step is in the failed commit or in the next.
  const outcome = await lost;
  if (typeof outcome !== "string") {
    expect(outcome).toMatchObject({ code: "LOG_FAILED", failureClass: "infrastructure" });
    expect(episode.nextIndex).toBe(1);
  }
  expect(observationOf(await step(gym, episode, 1, "b"))).toBe("2: b");
  expect(observationOf(await step(gym, episode, 2, "c"))).toBe("3: c");
  expect((await logged(gym, episode)).map(observationOf)).toEqual(["1: a", "2: b", "3: c"]);
});

test.each(inThreadsAndOutside)(
  "while commits of %s fail again and again, no acknowledged step is lost and no step follows a lost one",
  async (environment) => {
    const gym = await open();
    failed.length = 0;
    const length = environment === "faulty" ? 150 : 90;
    const episodes = await Promise.all(Array.from({ length: 8 }, () => create(gym, environment)));
    let running = episodes.length;
    let refusals = 0;

    /**
     * Sends up to five steps ahead of the acknowledged ones. After a refusal, it continues from the acknowledged steps.
     */
    async function play(episode: Episode): Promise<string[]> {
      const acknowledged: string[] = [];
      while (acknowledged.length < length) {
        const from = acknowledged.length;
        const ahead = Array.from({ length: Math.min(5, length - from) }, (_, i) => {
          const index = from + i;
          return step(gym, episode, index, index === length - 1 ? "end" : `a${index}`);
        });
        for (const outcome of await Promise.allSettled(ahead)) {
          if (outcome.status === "rejected") {
            expect(outcome.reason).toMatchObject({ code: "LOG_FAILED" });
            refusals += 1;
            break;
          }
          acknowledged.push(outcome.value);
        }
      }
      running -= 1;
      return acknowledged;
    }

    const played = Promise.all(episodes.map(play));
    const [victim] = episodes as [Episode];
    // The failures follow without a pause, so that some meet a commit with steps on any machine. Their number is
    // limited, so that the test ends.
    while (running > 0 && refusals < 200) await spoil(gym, victim);
    const replies = await played;
    expect(refusals).toBeGreaterThan(5);
    const expected = Array.from({ length }, (_, i) => `${i + 1}: ${i === length - 1 ? "end" : `a${i}`}`);
    for (const [i, episode] of episodes.entries()) {
      expect(replies[i]?.map(observationOf)).toEqual(expected);
      expect(await logged(gym, episode)).toEqual(replies[i]);
      expect(episode.phase).toBe("ended");
    }
    expect(gym.status).toMatchObject({ liveEpisodes: 0, inFlightSteps: 0, logHealthy: true });
    expect(failed).toEqual([]);
  },
);

test("a delete or an expert mark fails if the log refuses it", async () => {
  const gym = await open();
  const caller = { owner, mayAskExpert: true, mayReadRuns: false };
  const closed = await create(gym);
  const asked = await Promise.all(Array.from({ length: 60 }, () => create(gym)));
  // The timing of the threads decides whether both calls are in one commit. Only then is the delete refused.
  const [, closing] = await Promise.allSettled([gym.log.call("createEpisode", closed.row, "{}"), closed.close()]);
  const done = closing?.status === "fulfilled";
  expect(await gym.log.call("findEpisode", closed.row.key)).toMatchObject({ phase: done ? "closed" : "running" });
  await closed.close();
  expect(await gym.log.call("findEpisode", closed.row.key)).toMatchObject({ phase: "closed" });

  let refused: Episode | null = null;
  const spoiling = Array.from({ length: 4 }, async () => {
    while (!refused) await spoil(gym, closed);
  });
  // At least one of many marks is refused, for the same reason.
  for (const episode of asked) {
    const advice = await gym.advise(caller, episode.row.id).catch(() => null);
    if (!advice) refused = episode;
    if (refused) break;
  }
  refused ??= asked[0] as Episode;
  await Promise.all(spoiling);
  expect(refused.expertUsed).toBe(false);
  expect(await gym.advise(caller, refused.row.id)).toEqual({ index: 0, action: "end" });
  expect(await gym.log.call("findEpisode", refused.row.key)).toMatchObject({ expertUsed: true });
});

test("a log on a full disk refuses steps, keeps acknowledged ones, and continues once there is room", async (context) => {
  if (process.platform === "win32")
    return context.skip("expected a system that limits file sizes, but received Windows");
  const dataDir = scratchDir();
  const program = fileURLToPath(new URL("../../support/full-disk-gym.mjs", import.meta.url));
  const limited = 'ulimit -f 2048 && exec "$@"';
  const { stdout } = await promisify(execFile)("bash", [
    "-c",
    limited,
    "bash",
    process.execPath,
    program,
    dataDir,
    fixture("faulty"),
  ]);
  const { episodeId, acknowledged, codes } = JSON.parse(stdout) as Record<string, string> & { acknowledged: number };
  expect(codes).toEqual(["LOG_FAILED"]);
  expect(acknowledged).toBeGreaterThan(10);

  const gym = await openGym({ environments: [fixture("faulty")] }, dataDir);
  const { index } = await gym.call("get", { episodeId });
  expect(index).toBe(acknowledged);
  expect(await gym.call("step", { episodeId, index, action: "on" })).toMatchObject({
    observation: `${acknowledged + 1}: on`,
  });
});
