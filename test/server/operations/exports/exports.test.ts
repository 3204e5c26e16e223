/** Exports of episodes as files. The readers of other programs are tested in `inspect.test.ts`. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkError, fixture, openGym, scratchDir } from "../../../support/gym.js";
import { episodeRecord, writeEvaluation, writeMetrics } from "../../../support/run-folders.js";
import { unzip } from "../../../support/unzip.js";
import { reportData } from "../../../trainer/support/report-data.js";
import { download, hostile, paint } from "./painted.js";

const gym = await openGym({ environments: [fixture("painter")] });
const token = await gym.createToken();
const other = await gym.createToken();

const post = (payload: object, secret?: string) =>
  gym.app.inject({
    method: "POST",
    url: "/v1/export",
    payload,
    ...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` } }),
  });

describe("an export of one episode", () => {
  test("is a download, so that no browser runs it as a page of the gym", async () => {
    const id = await paint(gym, ["red"]);
    const { headers } = await download(gym, id, "html");
    expect(headers["content-disposition"]).toBe(`attachment; filename="palestra-${id}.html"`);
    expect(headers["content-security-policy"]).toBe("sandbox; default-src 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  test("as JSON equals the reply of the gym's API", async () => {
    const id = await paint(gym, ["red", hostile]);
    const exported = JSON.parse((await download(gym, id, "json")).payload);
    const { steps } = await gym.call("transcript", { episodeId: id });
    expect(exported).toEqual({
      kind: "episode",
      episode: await gym.call("get", { episodeId: id }),
      opening: await gym.call("opening", { episodeId: id }),
      steps,
    });
  });

  test("as HTML contains its data in a script element that hostile texts cannot end", async () => {
    const id = await paint(gym, [hostile]);
    const { payload } = await download(gym, id, "html");
    const [, data = ""] = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(payload) ?? [];
    expect(data).not.toContain("<");
    expect(JSON.parse(data).steps[0].action).toBe(hostile);
    expect(payload.split(/<script\b/i)).toHaveLength(3);
  });

  test("contains all steps of an episode longer than one page of the API", async () => {
    const long = await openGym();
    const { episodeId } = await long.create({ maxSteps: 1_000 });
    const steps = Array.from({ length: 321 }, (_, index) => ({ episodeId, index, action: "inventory" }));
    await long.call("stepMany", { steps });
    const { payload } = await long.app.inject(`/v1/episodes/${episodeId}/export`);
    expect(JSON.parse(payload).steps.map(({ index }: { index: number }) => index)).toEqual(
      steps.map(({ index }) => index),
    );
  });

  test("is refused for an episode of another caller, and for an unknown format", async () => {
    const id = await paint(gym, ["red"], 0, token);
    const foreign = await gym.app.inject(`/v1/episodes/${id}/export`);
    expect(checkError(foreign.json(), foreign.statusCode).code).toBe("EPISODE_UNKNOWN");
    const unknown = await gym.app.inject(`/v1/episodes/${id}/export?format=exe`);
    expect(checkError(unknown.json(), unknown.statusCode).code).toBe("REQUEST_INVALID");
  });
});

describe("an export of several episodes", () => {
  test("has each named episode once, or the newest ones of an environment", async () => {
    const ids = [await paint(gym, ["red"], 0, token), await paint(gym, ["blue"], 1, token)];
    const named = unzip((await post({ format: "json", episodeIds: [ids[1], ids[0], ids[1]] }, token)).rawPayload);
    expect([...named.keys()]).toEqual([`${ids[1]}.json`, `${ids[0]}.json`]);
    expect(JSON.parse(named.get(`${ids[1]}.json`) as string).steps[0].action).toBe("blue");
    const newest = unzip((await post({ format: "atif", environment: "painter", limit: 2 }, token)).rawPayload);
    expect([...newest.keys()]).toEqual([`${ids[1]}.atif.json`, `${ids[0]}.atif.json`]);
  });

  test("as pages has an index with a link to each of them", async () => {
    const ids = [await paint(gym, ["red"], 0, token), await paint(gym, ["blue"], 1, token)];
    const files = unzip((await post({ format: "html", episodeIds: ids }, token)).rawPayload);
    expect([...files.keys()]).toEqual([...ids.map((id) => `${id}.html`), "index.html"]);
    const index = files.get("index.html") as string;
    expect(index).toContain("<h1>2 episodes</h1>");
    expect([...index.matchAll(/<a href="([^"]+)">/g)].map(([, href]) => href)).toEqual(ids.map((id) => `${id}.html`));
    expect(index).toContain("<td>painter@1</td><td>only 0</td>");
  });

  test("is refused if it contains no episode, or one of another caller", async () => {
    const [own, foreign] = [await paint(gym, ["red"], 0, token), await paint(gym, ["red"])];
    const mixed = await post({ format: "eval", episodeIds: [own, foreign] }, token);
    expect(checkError(mixed.json(), mixed.statusCode).code).toBe("EPISODE_UNKNOWN");
    for (const [selection, secret] of [
      [{}, other],
      [{ split: "another" }, token],
      [{ environment: "faulty" }, token],
    ] as const) {
      const none = await post({ format: "eval", ...selection }, secret);
      expect(checkError(none.json(), none.statusCode).code).toBe("EPISODE_UNKNOWN");
    }
    expect((await post({ format: "eval", split: "only", environment: "painter" }, token)).statusCode).toBe(200);
  });
});

test("a log of Inspect has a sample, a summary and scores for each episode", async () => {
  const solved = await paint(gym, ["red", "blue"], 0, other);
  const open = await paint(gym, ["red"], 1, other);
  const { rawPayload, headers } = await post({ format: "eval", episodeIds: [solved, open] }, other);
  expect(headers["content-disposition"]).toBe('attachment; filename="palestra-episodes.eval"');
  const files = unzip(rawPayload);
  const { results, eval: spec } = JSON.parse(files.get("header.json") as string);
  expect(spec.task).toBe("painter@1");
  expect(results.scores.map(({ metrics }: { metrics: object }) => metrics)).toEqual([
    { mean: { name: "mean", value: 0.75 } },
    { accuracy: { name: "accuracy", value: 1 } },
  ]);
  const sample = JSON.parse(files.get(`samples/${solved}_epoch_1.json`) as string);
  expect(sample.messages.map(({ role }: { role: string }) => role)).toEqual(
    "system user assistant user assistant user".split(" "),
  );
  expect(sample.scores).toEqual({ return: { value: 1 }, solved: { value: "C" } });
  const summaries = JSON.parse(files.get("summaries.json") as string);
  expect(summaries.map(({ id, scores }: { id: string; scores: object }) => [id, scores])).toEqual([
    [solved, sample.scores],
    [open, { return: { value: 0.5 }, solved: { value: "N" } }],
  ]);
});

test("a client that disconnects frees its place for the next export", async () => {
  const id = await paint(gym, ["red"]);
  for (let i = 0; i < 20; i++) await download(gym, id, "eval");
});

describe("a run", () => {
  test("of the trainer is exported as a page with all of its records", async () => {
    const folder = scratchDir();
    writeMetrics(join(folder, "lab", "one"), [1, 2, 3]);
    const gym = await openGym({ runs: [folder] });
    const reply = await gym.app.inject("/v1/runs/lab%2Fone/export");
    expect(reply.headers["content-disposition"]).toBe('attachment; filename="palestra-lab-one.html"');
    const data = reportData<{ kind: string; records: { step: number }[] }>(reply.payload);
    expect([data.kind, data.records.map(({ step }) => step)]).toEqual(["training", [1, 2, 3]]);
  });

  test("that cannot be exported is refused with the reason", async () => {
    const folder = scratchDir();
    writeMetrics(join(folder, "one"), [1]);
    writeEvaluation(join(folder, "eval"), [episodeRecord(0)]);
    const gym = await openGym({ runs: [folder] });
    const refusalOf = async (path: string) => (await gym.app.inject(`/v1/runs/${path}`)).json().error;
    expect(await refusalOf("one/export?format=eval")).toMatchObject({ code: "RUN_PART_UNKNOWN" });
    expect(await refusalOf("eval/export?format=html")).toMatchObject({ code: "RUN_PART_UNKNOWN" });
    expect(await refusalOf("none/export")).toMatchObject({ code: "RUN_UNKNOWN" });
    expect(await refusalOf("one/export?format=pdf")).toMatchObject({ code: "REQUEST_INVALID" });
  });
});
