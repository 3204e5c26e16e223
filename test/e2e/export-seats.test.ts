/** `palestra export` of episodes with seats, from the records of an evaluation and from the gym that played them. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";

type Row = Record<string, unknown>;

async function palestra(...args: string[]) {
  const cli = join(root, "dist/server/program/cli.js");
  return promisify(execFile)(process.execPath, [cli, ...args], { maxBuffer: 1 << 26 });
}

const rowsIn = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

test("records and the gym give the same conversation for each seat, with the seat's own return", async () => {
  const home = scratch();
  const gym = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const records = join(home, "bargains");
  const bargains = ["--env", "bargain", "--split", "test", "--limit", "3"];
  await palestra("eval", ...bargains, "--policy", "expert", "--format", "plain", "--gym", gym.url, "--out", records);

  const { stdout, stderr } = await palestra("export", records, "--format", "steps");
  expect(stderr).toContain("3 episodes read, 3 episodes written");
  const steps = rowsIn(stdout);
  const keys = [
    "seat",
    "index",
    "observation",
    "action",
    "reward",
    "nextObservation",
    "terminated",
    "return",
    "solved",
  ];
  const picked = (rows: Row[]) => rows.map((row) => JSON.stringify(keys.map((key) => row[key]))).sort();
  const logged = await palestra("export", "--gym", gym.url, "--environment", "bargain", "--format", "steps");
  expect(picked(steps)).toEqual(picked(rowsIn(logged.stdout)));

  const ends = rowsIn(readFileSync(join(records, "episodes.jsonl"), "utf8")).slice(1) as unknown as {
    turns: { seat: string; rewards?: Record<string, number> }[];
  }[];
  const returns = ends.flatMap(({ turns }) => Object.entries(turns.at(-1)?.rewards ?? {}));
  const exported = steps.filter(({ terminated }) => terminated).map((step) => [step.seat, step.return]);
  expect(exported.toSorted()).toEqual(returns.toSorted());
  expect(new Set(returns.map(([seat]) => seat))).toEqual(new Set(["left", "right"]));

  const chats = await Promise.all(
    [[records], ["--gym", gym.url, "--environment", "bargain"]].map((source) =>
      palestra("export", ...source, "--format", "openai"),
    ),
  );
  const [ofRecords, ofGym] = chats.map((chat) =>
    rowsIn(chat.stdout)
      .map((row) => JSON.stringify(row))
      .sort(),
  );
  expect(ofRecords).toHaveLength(6);
  expect(ofGym).toEqual(ofRecords);

  const file = join(home, "steps.parquet");
  await palestra("export", records, "--format", "steps", "--out", file);
  const columns = await parquetReadObjects({ file: await asyncBufferFromFile(file), columns: ["seat", "action"] });
  expect(columns).toEqual(steps.map(({ seat, action }) => ({ seat, action })));

  const lines = readFileSync(join(records, "episodes.jsonl"), "utf8").split("\n");
  const [header = "", ...played] = lines;
  const beside = played.filter(Boolean).map((line) => {
    const players = { left: "policy", right: "partner" };
    return JSON.stringify({ ...(JSON.parse(line) as object), players });
  });
  const folder = join(home, "partners");
  mkdirSync(folder);
  writeFileSync(join(folder, "episodes.jsonl"), [header, ...beside, ""].join("\n"));
  const own = rowsIn((await palestra("export", folder, "--format", "steps")).stdout);
  expect(own).toEqual(steps.filter(({ seat }) => seat === "left"));
});
