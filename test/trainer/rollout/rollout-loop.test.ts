/**
 * The staleness rule over thousands of schedules in virtual time: no token that is too old is consumed, and no rollout
 * waits for ever.
 */
import { describe, expect, test } from "vitest";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { Admission } from "#palestra/trainer/rollout/admission.js";
import { RolloutLoop } from "#palestra/trainer/rollout/rollout-loop.js";
import type { Group } from "#palestra/trainer/rollout/trajectory.js";
import { group, trajectory } from "../support/trajectories.js";
import { VirtualTime } from "../support/virtual-time.js";

const schedules = 10_000;

/** Random parameters of a run. */
function drawSchedule(seed: number) {
  const random = keyedRandom(seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const tail = random() < 0.5 ? 1 : 30;
  return {
    random,
    batchSize: whole(1, 5),
    maxHeadOffpolicyness: whole(0, 4),
    maxConcurrentGroups: whole(0, 12),
    extraCapacity: random() < 0.5 ? undefined : whole(0, 6),
    trainSteps: whole(2, 6),
    failing: random() * 0.4,
    filtered: random() * 0.4,
    pausing: random() * 0.1,
    rolloutMs: () => (random() < 0.1 ? tail : 1) * random() * 10,
    trainMs: random() * 10,
  };
}

interface Played {
  consumed: number;
  failed: number;
  filtered: number;
  ages: Set<number>;
}

async function playSchedule(seed: number): Promise<Played> {
  const schedule = drawSchedule(seed);
  const { random, batchSize, maxHeadOffpolicyness } = schedule;
  const time = new VirtualTime();
  const admission = new Admission(schedule);
  const outstanding = new Set<number>();
  let nextTask = 0;
  let live = 0;
  let consumed = 0;
  const ages = new Set<number>();
  const capacity =
    schedule.extraCapacity === undefined ? (maxHeadOffpolicyness + 1) * batchSize : batchSize + schedule.extraCapacity;
  const loop = new RolloutLoop<number>({
    admission,
    ...(schedule.extraCapacity !== undefined && { bufferCapacity: capacity }),
    source: {
      next: () => {
        outstanding.add(nextTask);
        return nextTask++;
      },
      giveBack: (task) => outstanding.delete(task),
    },
    async play(task, signal): Promise<Group> {
      live += 1;
      const began = admission.version;
      try {
        await time.wait(schedule.rolloutMs(), signal);
      } finally {
        live -= 1;
      }
      if (random() < schedule.failing) return group(task, [], 1);
      return group(task, [trajectory([began, admission.version])]);
    },
    keeps: () => random() >= schedule.filtered,
  });

  const check = () => {
    const { running, accepted, version, buffer } = loop.statistics;
    const holds =
      running === live &&
      accepted === consumed + buffer.size &&
      accepted + running <= (maxHeadOffpolicyness + version + 1) * batchSize &&
      running <= Math.max(1, schedule.maxConcurrentGroups) &&
      buffer.size + running <= capacity &&
      buffer.put === buffer.taken + buffer.size;
    // A call of `expect` for each check would take most of the time.
    if (!holds) expect.unreachable(`schedule ${seed}: ${JSON.stringify({ live, consumed, ...loop.statistics })}`);
  };

  const train = async () => {
    for (let version = 0; version < schedule.trainSteps; version++) {
      const batch = await loop.take(batchSize);
      consumed += batch.length;
      if (batch.length !== batchSize) expect.unreachable(`schedule ${seed}: a batch of ${batch.length}`);
      for (const { id, trajectories } of batch) {
        outstanding.delete(Number(id));
        const oldest = Math.min(...trajectories.flatMap(({ versions }) => [...versions]));
        if (version - oldest > maxHeadOffpolicyness)
          expect.unreachable(`schedule ${seed}: a token of ${oldest} at ${version}`);
        ages.add(version - oldest);
      }
      await time.wait(schedule.trainMs);
      loop.advance(version + 1);
    }
  };

  loop.resume();
  let trained = false;
  let broken: unknown;
  const training = train().then(
    () => {
      trained = true;
    },
    (error) => {
      trained = true;
      broken = error;
    },
  );
  while (!trained) {
    if (random() < schedule.pausing) {
      loop.pause();
      void time.wait(random() * 5).then(() => loop.resume());
    }
    if (!(await time.advance())) break;
    check();
  }
  if (!trained) expect.unreachable(`schedule ${seed} came to a standstill: ${JSON.stringify(loop.statistics)}`);
  await training;
  if (broken) throw broken;
  await loop.stop({ abort: true });
  const { running, failed, filtered, buffer } = loop.statistics;
  expect(running).toBe(0);
  // Checks that every task was consumed, waits, or is counted as dropped.
  expect(outstanding.size).toBe(buffer.size + failed + filtered);
  return { consumed, failed, filtered, ages };
}

describe("over 10,000 random schedules", () => {
  test("no consumed token is older than the bound, no group is dropped, no schedule hangs, and the counters agree", async () => {
    const ages = new Set<number>();
    const totals = { consumed: 0, failed: 0, filtered: 0 };
    for (let seed = 0; seed < schedules; seed++) {
      const played = await playSchedule(seed);
      for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += played[name];
      for (const age of played.ages) ages.add(age);
    }
    // The schedules cover every case.
    for (const total of Object.values(totals)) expect(total).toBeGreaterThan(1_000);
    expect([...ages].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});

const options = { maxConcurrentGroups: 4, maxHeadOffpolicyness: 1, batchSize: 2 };

function counting() {
  let next = 0;
  const back: number[] = [];
  return { back, next: () => back.shift() ?? next++, giveBack: (task: number) => void back.push(task) };
}

/**
 * Waits for a promise that depends on no clock. @throws {Error} the event loop is idle, and the promise is still
 * pending
 */
async function soon<T>(promise: Promise<T>): Promise<T> {
  const standstill = async () => {
    for (let turn = 0; turn < 1_000; turn++) await new Promise((resolve) => setImmediate(resolve));
    throw new Error("The loop came to a standstill.");
  };
  return Promise.race([promise, standstill()]);
}

describe("a loop of rollouts", () => {
  test("rejects the wait for a batch if a rollout has a bug", async () => {
    const loop = new RolloutLoop<number>({
      admission: new Admission(options),
      source: counting(),
      play: async () => {
        throw new TypeError("a bug");
      },
    });
    loop.resume();
    await expect(soon(loop.take(2))).rejects.toThrow("a bug");
    expect(loop.statistics.running).toBe(0);
  });

  test("fails after many failed groups in a row, with the last failure", async () => {
    const loop = new RolloutLoop<number>({
      admission: new Admission(options),
      source: counting(),
      play: async (task) => group(task, [], 2),
      mostFailuresInARow: 5,
    });
    loop.resume();
    await expect(soon(loop.take(2))).rejects.toMatchObject({ code: "ROLLOUTS_FAILED" });
    await expect(soon(loop.take(2))).rejects.toThrow(/5 failed groups in a row, the last with HOST_FAILED/);
  });

  test("fails if the algorithm keeps none of many groups in a row", async () => {
    const left: string[] = [];
    const loop = new RolloutLoop<number>({
      admission: new Admission(options),
      source: counting(),
      play: async (task) => group(task, [trajectory([0])]),
      keeps: ({ id }) => id === "7",
      onLeftOut: ({ id }, reason) => left.push(`${id} ${reason}`),
      mostFilteredInARow: 20,
    });
    loop.resume();
    await expect(soon(loop.take(2))).rejects.toThrow(/learns from, but received 20 filtered groups in a row/);
    expect(left.slice(0, 3)).toEqual(["0 filtered", "1 filtered", "2 filtered"]);
    expect(loop.statistics).toMatchObject({ running: 0, accepted: 1 });
  });

  test("waits for a long group that would be too old for a later batch, and learns from it", async () => {
    const time = new VirtualTime();
    const admission = new Admission({ maxConcurrentGroups: 3, maxHeadOffpolicyness: 1, batchSize: 2 });
    const loop = new RolloutLoop<number>({
      admission,
      source: counting(),
      async play(task, signal) {
        const begun = admission.version;
        await time.wait(task === 0 ? 100 : 1, signal);
        return group(task, [trajectory([begun, admission.version])]);
      },
    });
    loop.resume();
    const learnt: string[][] = [];
    const training = (async () => {
      for (let version = 0; version < 3; version++) {
        learnt.push((await loop.take(2)).map(({ id }) => id));
        loop.advance(version + 1);
      }
    })();
    while (learnt.length < 3 && (await time.advance())) await new Promise((resolve) => setImmediate(resolve));
    await soon(training);
    // At version 0 the other groups fill the batch. At version 1 the batch waits for the long group.
    expect(learnt[0]).toEqual(["1", "2"]);
    expect(learnt[1]).toContain("0");
    expect(loop.statistics.buffer.staleness.get(1)).toBeGreaterThan(0);
    await soon(loop.stop({ abort: true }));
  });

  test("returns the tasks that a stop interrupted, and keeps finished groups", async () => {
    const time = new VirtualTime();
    const source = counting();
    const loop = new RolloutLoop<number>({
      admission: new Admission(options),
      source,
      async play(task, signal) {
        await time.wait(task === 0 ? 1 : 100, signal);
        return group(task, [trajectory([0])]);
      },
    });
    loop.resume();
    await time.advance();
    await soon(loop.stop({ abort: true }));
    expect(loop.statistics).toMatchObject({ running: 0, aborted: source.back.length });
    expect(source.back).toEqual([1, 2, 3]);
    expect((await soon(loop.take(2))).map(({ id }) => id)).toEqual(["0"]);
  });

  test("returns a smaller batch when the tasks are used up", async () => {
    const tasks = [1, 2, 3];
    const loop = new RolloutLoop<number>({
      admission: new Admission(options),
      source: { next: () => tasks.shift(), giveBack: () => {} },
      play: async (task) => group(task, [trajectory([0])]),
    });
    loop.resume();
    const ids = async () => (await soon(loop.take(2))).map(({ id }) => id);
    expect([await ids(), await ids(), await ids()]).toEqual([["1", "2"], ["3"], []]);
  });

  test("plays a group again if it has fewer valid trajectories than a baseline needs", async () => {
    let plays = 0;
    const loop = new RolloutLoop<number>({
      admission: new Admission(options),
      source: counting(),
      play: async (task) => group(task, plays++ === 0 ? [trajectory([0])] : [trajectory([0]), trajectory([0])], 1),
      leastSurvivors: 2,
    });
    loop.resume();
    expect((await soon(loop.take(2))).map(({ trajectories }) => trajectories.length)).toEqual([2, 2]);
    expect(loop.statistics.failed).toBe(1);
    await soon(loop.stop());
  });

  test("refuses a buffer that is smaller than a batch", () => {
    const source = counting();
    const play = async (task: number) => group(task, []);
    expect(() => new RolloutLoop({ admission: new Admission(options), source, play, bufferCapacity: 1 })).toThrow(
      "expected a buffer for at least 2 groups, as many as a train step has, but received a buffer for 1",
    );
  });
});
