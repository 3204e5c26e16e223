/** `palestra export` with the formats of the gym's API. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { palestra } from "../support/palestra.js";
import { scratch, serve } from "../support/serving.js";
import { unzip } from "../support/unzip.js";

test("episodes of a gym are written as a log of Inspect, as trajectories and as pages", async () => {
  const { url } = await serve();
  const create = async (index: number) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ environment: "textcraft", task: { split: "test", index } });
    const episode = (await (await fetch(`${url}/v1/episodes`, { method: "POST", headers, body })).json()) as {
      episodeId: string;
    };
    const step = JSON.stringify({ index: 0, action: "inventory" });
    await fetch(`${url}/v1/episodes/${episode.episodeId}/step`, { method: "POST", headers, body: step });
    return episode.episodeId;
  };
  const ids = [await create(0), await create(1)] as const;
  const folder = scratch();
  const write = async (...args: string[]) => palestra(["export", "--gym", url, ...args]);
  const at = (name: string) => join(folder, name);

  expect(await write("--format", "eval", "--out", at("all.eval"))).toMatchObject({ code: 0 });
  const log = unzip(readFileSync(at("all.eval")));
  expect([...log.keys()].filter((name) => name.startsWith("samples/"))).toHaveLength(2);

  writeFileSync(at("one.txt"), `${ids[0]}\n`);
  expect(await write("--format", "atif", "--episodes", at("one.txt"), "--out", at("one.json"))).toMatchObject({
    code: 0,
  });
  const trajectory = JSON.parse(readFileSync(at("one.json"), "utf8"));
  expect([trajectory.schema_version, trajectory.session_id]).toEqual(["ATIF-v1.7", ids[0]]);
  expect(trajectory.steps.at(-1)).toMatchObject({ source: "agent", message: "inventory" });

  const page = await write("--format", "html", "--episodes", at("one.txt"));
  expect(page.stdout).toMatch(/^<!doctype html>/i);
  expect(page.stdout).toContain(ids[0]);

  expect(
    await write("--format", "html", "--environment", "textcraft", "--limit", "1", "--out", at("new.zip")),
  ).toMatchObject({ code: 0 });
  expect([...unzip(readFileSync(at("new.zip"))).keys()]).toEqual([`${ids[1]}.html`, "index.html"]);

  const refused: [string[], string][] = [
    [["--format", "eval", "--out", at("log.jsonl")], ".eval"],
    [["--format", "eval", "--solved"], "--episodes, --environment"],
    [["--format", "eval", "--out", at("all.eval")], "--force"],
    [["--format", "html", "--environment", "babyai", "--out", at("none.zip")], "EPISODE_UNKNOWN"],
  ];
  for (const [args, reason] of refused) {
    const { code, stderr } = await write(...args);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(reason)]);
  }
  const unreached = await palestra([
    "export",
    "--gym",
    "http://127.0.0.1:9",
    "--format",
    "eval",
    "--out",
    at("x.eval"),
  ]);
  expect([unreached.code === 0, unreached.stderr]).toEqual([false, expect.stringContaining("GYM_UNREACHABLE")]);
  expect(readdirSync(folder).sort()).toEqual(["all.eval", "new.zip", "one.json", "one.txt"]);
  expect(existsSync(at("none.zip"))).toBe(false);
});
