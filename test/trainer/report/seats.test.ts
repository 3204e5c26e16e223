/** Seats in the records of a run: the log of groups and the terminal. */
import { once } from "node:events";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { readHeader } from "#palestra/server/runs/group-files.js";
import { ExpertPolicy } from "#palestra/trainer/policy/expert.js";
import { GroupLog } from "#palestra/trainer/report/group-log.js";
import { TerminalProgress } from "#palestra/trainer/report/terminal-progress.js";
import { playGroup } from "#palestra/trainer/rollout/group-rollout.js";
import { scratch } from "../../support/serving.js";
import { connect, listen } from "../support/gym.js";

const format = actionFormat("plain");

/** Plays a group of bargains with the expert, whose returns differ between the seats. */
async function bargains() {
  const { url } = await listen();
  const backOff = { baseMs: 1, maxMs: 5 };
  return playGroup({
    gym: await connect(url),
    policy: new ExpertPolicy(format),
    task: { environment: "bargain", split: "test", index: 2, seed: 0 },
    settings: { maxRounds: 10, format, retries: 0, backOff },
    id: "7",
    size: 2,
    seed: 1,
    signal: new AbortController().signal,
  });
}

test("the log of groups has the seat of each rollout", async () => {
  const group = await bargains();
  const folder = scratch();
  const output = join(folder, "run");
  const said: string[] = [];
  const log = new GroupLog({
    ...{ output, every: 1, mostBytes: 1e9, resumedAt: 0, tokenizer: undefined },
    say: (line) => said.push(line),
  });
  const alone = group.trajectories.map(({ seat: _, ...trajectory }) => trajectory);
  const groups = [group, { id: "8", trajectories: alone, failed: [] }];
  log.write({ trainStep: 1, groups, leftOut: [], credits: new Map() });
  await log.close();
  expect(said).toEqual([]);

  const header = await readHeader(output, 1);
  const seatsOf = (at: number) => header.groups[at]?.rollouts.map(({ seat, return: own }) => [seat, own]);
  const ofRound = [
    ["left", group.trajectories[0]?.return],
    ["right", group.trajectories[1]?.return],
  ];
  expect(ofRound[0]?.[1]).not.toBe(ofRound[1]?.[1]);
  expect(seatsOf(0)).toEqual([...ofRound, ...ofRound]);
  expect(header.groups[1]?.rollouts.map((rollout) => "seat" in rollout)).toEqual([false, false, false, false]);
});

test("the line of a train step shows the mean return of each seat", async () => {
  const stream = new PassThrough();
  const progress = new TerminalProgress({ total: 4, stream: stream as unknown as NodeJS.WriteStream });
  const record = { step: 1, time: 0, "episode/reward/mean": 0.9 };
  progress.write({
    ...record,
    seats: { left: { players: {}, reward: 0.8 }, right: { players: {}, reward: 1 }, none: { players: {} } },
  });
  progress.write({ ...record, step: 2 });
  stream.end();
  const [text] = (await once(stream.setEncoding("utf8"), "data")) as [string];
  expect(text).toContain("train 1/4  reward 0.90  left 0.80  right 1.00\n");
  expect(`${text}${stream.read() ?? ""}`).toContain("train 2/4  reward 0.90\n");
});
